import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Rule } from '../protocol/rule.ts'
import { RULES_FOLDER, readRules, rememberedRules } from './remembered-rules.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'writ-rules-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const rule = (command: string): Rule => ({ tool: 'shell', when: { command }, decide: 'allow' })
const by = { by: 'ann', at: 1 }
const files = () => readdirSync(join(home, RULES_FOLDER))

test('a rule of a workspace holds only there, a rule for always everywhere', async () => {
  const here = rememberedRules(home, '/a')
  await here.add([rule('npm test')], { scope: 'workspace', ...by })
  await here.add([rule('git status *')], { scope: 'always', ...by })
  const commands = async (workspace: string) =>
    (await rememberedRules(home, workspace).current()).map(({ when, layer, from }) => [when?.command, layer, from])
  expect(await commands('/a')).toEqual(
    expect.arrayContaining([
      ['npm test', 'user', expect.stringMatching(/^remembered [0-9a-f]+$/)],
      ['git status *', 'user', expect.stringMatching(/^remembered [0-9a-f]+$/)],
    ]),
  )
  expect(await commands('/b')).toEqual([['git status *', 'user', expect.stringMatching(/^remembered [0-9a-f]+$/)]])
  expect(files().every((name) => (statSync(join(home, RULES_FOLDER, name)).mode & 0o777) === 0o600)).toBe(true)
})

test('writers at the same time lose no rule', async () => {
  const rules = Array.from({ length: 20 }, (_, n) => rule(`make t${n}`))
  await Promise.all(rules.map((each) => rememberedRules(home, '/a').add([each], { scope: 'workspace', ...by })))
  expect(await rememberedRules(home, '/a').list()).toHaveLength(20)
})

test('a revoked rule is gone for every reader; the rule of another workspace cannot be revoked from here', async () => {
  const here = rememberedRules(home, '/a')
  await here.add([rule('npm test')], { scope: 'workspace', ...by })
  const [stored] = await here.list()
  expect(await rememberedRules(home, '/b').revoke(stored?.id ?? '')).toBe(false)
  expect(await here.revoke(stored?.id ?? '')).toBe(true)
  expect(await rememberedRules(home, '/a').current()).toEqual([])
  expect(await here.revoke(stored?.id ?? '')).toBe(false)
})

test.each([
  ['text that is not JSON', (file: string) => writeFileSync(file, '{')],
  ['a deny', (file: string) => writeFileSync(file, JSON.stringify({ rule: { tool: 'x', decide: 'deny' }, ...by }))],
  ['a rule under another name', (file: string) => writeFileSync(file, JSON.stringify({ rule: rule('x'), ...by }))],
  ['a link', (file: string) => symlinkSync('/etc/hostname', file)],
])('%s is reported and grants nothing; the others still hold', async (_, plant) => {
  const here = rememberedRules(home, '/a')
  await here.add([rule('npm test')], { scope: 'always', ...by })
  const file = join(home, RULES_FOLDER, '00000000.json')
  plant(file)
  expect(await readRules(home)).toMatchObject({ rules: [{ rule: rule('npm test') }], unusable: [file] })
})

test('a file or folder that others can write grants nothing', async () => {
  const here = rememberedRules(home, '/a')
  await here.add([rule('npm test')], { scope: 'always', ...by })
  const folder = join(home, RULES_FOLDER)
  chmodSync(join(folder, files()[0] ?? ''), 0o666)
  expect(await here.current()).toEqual([])
  chmodSync(join(folder, files()[0] ?? ''), 0o600)
  expect(await here.current()).toHaveLength(1)
  chmodSync(folder, 0o777)
  expect(await here.current()).toEqual([])
})

test('a reader that has read before sees a revoked, added or rewritten rule at once, even with the same size and time', async () => {
  const reader = rememberedRules(home, '/a')
  const other = rememberedRules(home, '/a')
  await other.add([rule('npm test')], { scope: 'always', ...by })
  const first = await reader.current()
  expect(first).toHaveLength(1)
  expect(await reader.current()).toBe(first)

  const file = join(home, RULES_FOLDER, files()[0] ?? '')
  const { atime, mtime } = statSync(file)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('npm test', 'npm nope'))
  utimesSync(file, atime, mtime)
  expect(await reader.current()).toEqual([])
  writeFileSync(file, text)
  expect(await reader.current()).toHaveLength(1)

  await other.add([rule('git status')], { scope: 'always', ...by })
  expect(await reader.current()).toHaveLength(2)
  for (const { id } of await other.list()) await other.revoke(id)
  expect(await reader.current()).toEqual([])
})
