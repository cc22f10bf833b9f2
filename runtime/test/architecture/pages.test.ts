/** What the documents show and name, compared with what is there. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { GLOBAL_FLAGS } from '../../src/cli/flags.ts'
import { VERBS } from '../../src/cli/verbs.ts'
import { configFile } from '../../src/config/schema.ts'
import { workflowSchema } from '../../src/workflow/document.ts'
import { commandsOf, wordsOf } from '../support/page-place.ts'
import { type Block, blocksOf, LANGUAGES, pages, proseOf, ROOT, readPage } from '../support/pages.ts'

const all = pages()
/** What was, and what was asked for. */
const HISTORY = ['CHANGELOG.md', 'docs/spec/inventory.md']
/** Made from the sources by `npm run reference`. */
const GENERATED = ['docs/reference/api.md']
/** An agent in a program, not a setting; and the name of the file. */
const OF_PROGRAMS = /^agent\.(?:config\.json|run|stream|store|resume|workflows\.\w+)$/
const blocks = all.flatMap(blocksOf)
const inLanguage = (name: string) => blocks.filter(({ language }) => language === name)
const at = ({ page, line }: Block) => `${page}:${line}`

test('X-DOCS-3: every block names its language', () => {
  const other = blocks.filter(({ language }) => !LANGUAGES.some((known) => known === language))
  expect(other.map((block) => `${at(block)}: ${block.language}`)).toEqual([])
})

test('X-DOCS-3: JSON blocks are JSON, and configuration matches its schema', () => {
  const faults: string[] = []
  let configs = 0
  for (const block of [...inLanguage('json'), ...inLanguage('jsonl')]) {
    try {
      for (const value of valuesIn(block)) {
        if (!isConfiguration(value)) continue
        configs++
        configFile.parse(value)
      }
    } catch (error) {
      faults.push(`${at(block)}: ${error}`)
    }
  }
  expect(faults).toEqual([])
  expect(configs).toBeGreaterThan(10)
})

/** One value, or one in each line. */
function valuesIn({ code, language }: Block): unknown[] {
  try {
    if (language === 'json') return [JSON.parse(code)]
  } catch {}
  return code.split('\n').map((line) => JSON.parse(line))
}

function isConfiguration(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'agent' in value
}

test('X-DOCS-3: YAML blocks are workflows', () => {
  const yaml = inLanguage('yaml')
  const faults = yaml.flatMap((block) => {
    try {
      const { success, error } = workflowSchema.safeParse(parseYaml(block.code))
      return success ? [] : [`${at(block)}: ${error}`]
    } catch (error) {
      return [`${at(block)}: ${error}`]
    }
  })
  expect(faults).toEqual([])
  expect(yaml.length).toBeGreaterThan(3)
})

describe('X-DOCS-2: commands', () => {
  const mentions = all
    .filter((page) => !HISTORY.includes(page))
    .flatMap((page) =>
      [...proseOf(page).matchAll(/`((?:npx )?writ [^`]+)`/g)].map(([, command = '']) => ({ page, command })),
    )

  test('those of blocks are `npx writ`, which a clone has', () => {
    const bare = inLanguage('sh').flatMap((block) =>
      commandsOf(block.code)
        .filter((command) => /(?:^|[|&(]\s*)writ\s/.test(command))
        .map((command) => `${at(block)}: ${command}`),
    )
    expect(bare).toEqual([])
  })

  test('those of blocks and of texts exist, with their flags', () => {
    const ofBlocks = inLanguage('sh').flatMap((block) =>
      commandsOf(block.code).flatMap((line) =>
        [...line.matchAll(/npx (writ [^|&;)]*)/g)].map(([, command = '']) => ({ page: at(block), command })),
      ),
    )
    const faults = [...mentions, ...ofBlocks].flatMap(({ page, command }) => {
      const fault = faultOf(command)
      return fault === undefined ? [] : [`${page}: ${command}: ${fault}`]
    })
    expect(faults).toEqual([])
    expect(mentions.length).toBeGreaterThan(100)
    expect(ofBlocks.length).toBeGreaterThan(50)
  })
})

function faultOf(command: string): string | undefined {
  const [first = '', second = '', ...rest] = wordsOf(command.replace(/^npx /, '')).slice(1)
  if (/^(?:help|version|…|hook)$|^[-<]/.test(first)) return undefined
  const verbs = VERBS.filter(({ name }) => [first, `${first} ${second}`].includes(name))
  const isGroup = VERBS.some(({ name }) => name.startsWith(`${first} `))
  if (verbs.length === 0) return isGroup && /^(?:…|--help|)$/.test(second) ? undefined : 'unknown command'
  const flags = [second, ...rest]
    .filter((word) => word.startsWith('--') && word !== '--')
    .map((word) => word.split('=')[0])
  const known = [...GLOBAL_FLAGS, ...verbs.flatMap((verb) => verb.flags)].map((flag) => `--${flag}`)
  const unknown = flags.filter((flag) => !known.includes(flag?.replace(/[,.\]].*$/, '') ?? ''))
  return unknown.length === 0 ? undefined : `unknown flag ${unknown.join(' ')}`
}

describe('X-DOCS-2: names in texts', () => {
  const named = (pattern: RegExp) =>
    all
      .filter((page) => ![...HISTORY, ...GENERATED].includes(page))
      .flatMap((page) => [...proseOf(page).matchAll(pattern)].map(([, name = '']) => ({ page, name })))
  const listed = (names: { page: string; name: string }[]) => names.map(({ page, name }) => `${page}: ${name}`)

  test('settings are in the list of settings', () => {
    const list = [...readPage('docs/reference/config.md').matchAll(/`(agent\.[\w.]+)`/g)].map(([, key = '']) => key)
    const settings = named(/`(agent\.(?:[a-z]\w*\.)*\w+)`/g).filter(({ name }) => !OF_PROGRAMS.test(name))
    const unknown = settings.filter(({ name }) => !list.some((key) => key === name || key.startsWith(`${name}.`)))
    expect(listed(unknown)).toEqual([])
    expect(settings.length).toBeGreaterThan(100)
  })

  test('scripts of npm are in package.json', () => {
    const { scripts } = JSON.parse(readPage('package.json'))
    const run = named(/`npm run ([a-z]+:[a-z-]+)/g)
    expect(listed(run.filter(({ name }) => !Object.hasOwn(scripts, name)))).toEqual([])
    expect(run.length).toBeGreaterThan(5)
  })
})

describe('X-DOCS-4: links', () => {
  const anchors = new Map<string, Set<string>>()
  const anchorsOf = (page: string) => {
    const known = anchors.get(page) ?? new Set(headingsOf(page).map(({ anchor }) => anchor))
    anchors.set(page, known)
    return known
  }

  test('lead to files and headings that exist', () => {
    let checked = 0
    const broken = all.flatMap((page) =>
      [
        ...proseOf(page)
          .replace(/`[^`\n]*`/g, '')
          .matchAll(/\]\(([^)\s]+)\)/g),
      ].flatMap(([, target = '']) => {
        if (/^[a-z]+:/.test(target)) return []
        checked++
        const [path = '', anchor] = target.split('#')
        const file = path === '' ? page : normalize(join(dirname(page), path))
        if (!existsSync(join(ROOT, file))) return [`${page} → ${target}: no such file`]
        const isPage = file.endsWith('.md') && statSync(join(ROOT, file)).isFile()
        return anchor === undefined || !isPage || anchorsOf(file).has(anchor)
          ? []
          : [`${page} → ${target}: no such heading`]
      }),
    )
    expect(broken).toEqual([])
    expect(checked).toBeGreaterThan(100)
  })
})

interface Heading {
  level: number
  anchor: string
}

/** With the anchors that GitHub gives to headings. */
function headingsOf(page: string): Heading[] {
  const seen = new Map<string, number>()
  return [...proseOf(page).matchAll(/^(#+) (.+)$/gm)].map(([, marks = '', title = '']) => {
    const name = title
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-')
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    return { level: marks.length, anchor: before === 0 ? name : `${name}-${before}` }
  })
}

describe('X-DOCS-5: a page in Chinese is as complete as the English one', () => {
  const pairs = all
    .filter((page) => page.endsWith('.zh-CN.md'))
    .map((page) => [page.replace('.zh-CN', ''), page] as const)

  /** What must be the same: sections, blocks with the commands in them, tables, lists, links. */
  const shapeOf = (page: string) => ({
    sections: headingsOf(page).map(({ level }) => level),
    blocks: blocksOf(page).map(({ language, notRun, file }) => ({ language, notRun, file })),
    commands: blocksOf(page)
      .filter(({ language }) => language === 'sh')
      .map(({ code }) => commandsOf(code).length),
    rows: [...proseOf(page).matchAll(/^\|.*\|$/gm)].length,
    items: [...proseOf(page).matchAll(/^\s*(?:-|\d+\.) /gm)].length,
    links: [...proseOf(page).matchAll(/\]\(([^)\s#]+)/g)]
      .map(([, target = '']) => target.replace('.zh-CN', '').replace('-zh.png', '.png'))
      .filter((target) => !target.startsWith('README'))
      .sort(),
  })

  test.each(pairs)('%s', (english, chinese) => {
    expect(shapeOf(chinese)).toEqual(shapeOf(english))
  })

  test('there are some', () => {
    expect(pairs.length).toBeGreaterThan(5)
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain('(README.zh-CN.md)')
    expect(readPage('README.zh-CN.md')).toMatch(/\p{Script=Han}/u)
  })
})
