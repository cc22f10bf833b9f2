import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('S0-5 S0-12 S1-139: every path the seed map names here is there', () => {
  const map = read('docs/seed-map.md')
  const paths = [...map.matchAll(/`(runtime\/[^`]+)`/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  for (const seed of ['src/libs/agent/core/intent_guard.ts', 'src/agent/']) expect(map).toContain(seed)
})

test.each(['ARCHITECTURE.md', 'GLOSSARY.md'])('every file that %s names exists', (page) => {
  const named = [...read(page).matchAll(/`([a-z][\w-]*\/[\w./*-]*)`/g)].map(([, path = '']) => path)
  const files = named.filter((path) => /\.(?:ts|tsx|js|md|json|jsonl)$|\/$/.test(path) && !path.includes('*'))
  expect(files.length).toBeGreaterThan(page === 'GLOSSARY.md' ? 1 : 100)
  const places = ['', 'runtime/src', 'runtime/bin', '.writ']
  expect(files.filter((path) => !places.some((place) => existsSync(join(root, place, path))))).toEqual([])
})

test('S0-117 S0-118: the guide tells what to look at when a stop keeps coming back', () => {
  const guide = read('docs/guides/intent-guard.md')
  for (const hint of [
    'requiredSuccessFamilies',
    'noFallback',
    'allowedFamilies',
    'softAllowedFamilies',
    'softBlockAfter',
  ]) {
    expect(guide.slice(guide.indexOf('## Troubleshooting'))).toContain(hint)
  }
})

test('S0-119 S0-120 S0-121 S0-122: guard, runner, registry and configuration have suites of their own', () => {
  for (const path of [
    'runtime/src/gate/gate.test.ts',
    'runtime/src/agent/run.test.ts',
    'runtime/src/tool/registry.test.ts',
    'runtime/src/config/load.test.ts',
  ]) {
    expect(existsSync(join(root, path)), path).toBe(true)
  }
})

test('comments cite only documents and requirements that exist', () => {
  const requirements = new Set(read('docs/spec/inventory.md').match(/\bS[0-4]-\d+\b/g))
  const sources = readdirSync(join(root, 'runtime/src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => join('runtime/src', path))
  const wrong = sources.flatMap((path) => {
    const text = read(path)
    const documents = (text.match(/\bdocs\/decisions\/[\w-]+\.md/g) ?? []).filter(
      (file) => !existsSync(join(root, file)),
    )
    const ids = (text.match(/\bS[0-4]-\d+\b/g) ?? []).filter((id) => !requirements.has(id))
    const unknown = text.match(/\([A-DR]\d{1,2}\)|\b(?:decisions|design) §/g) ?? []
    return [...documents, ...ids, ...unknown].map((cited) => `${path}: ${cited}`)
  })
  expect(wrong).toEqual([])
})

test('every file of texts is in the table of texts', () => {
  const table = read('ARCHITECTURE.md').split('## Texts')[1] ?? ''
  const files = [...table.matchAll(/`((?:\w+\/)+[\w-]+\.ts)`/g)].map(([, path = '']) => path)
  expect(files.filter((path) => !existsSync(join(root, 'runtime/src', path)))).toEqual([])
  const texts = readdirSync(join(root, 'runtime/src'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => /(?:^|\/)texts\.ts$/.test(path) && !path.startsWith('cli/'),
  )
  expect(texts.filter((path) => !files.includes(path))).toEqual([])
})
