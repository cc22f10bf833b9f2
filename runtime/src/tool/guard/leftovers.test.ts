import { execFileSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fingerprint } from '../../base/hash.ts'
import type { World } from '../tool.ts'
import { sweepLeftovers, watchEmptyPlaces } from './leftovers.ts'

let workspace: string
let world: World
const at = (name: string): string => join(workspace, name)
const noteAt = (uid = process.getuid?.()): string =>
  join(tmpdir(), `writ-fence-${uid}-${fingerprint(workspace).slice(0, 24)}.json`)

/** Runs the script in a process of its own, without root's rights, which no folder is shut to. */
function asSomebody(script: string): unknown {
  const isRoot = process.getuid?.() === 0
  const preface = `
    import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
    import { sweepLeftovers, watchEmptyPlaces } from ${JSON.stringify(new URL('leftovers.ts', import.meta.url))}
    const world = ${JSON.stringify(world)}
    if (${isRoot}) process.setgid(65534), process.setuid(65534)
    const tell = (value) => process.stdout.write(JSON.stringify(value))
    process.chdir(world.workspace)
  `
  if (isRoot) chownSync(workspace, 65_534, 65_534)
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', preface + script], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  return JSON.parse(told)
}

beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'writ-leftovers-')))
  const protectedPaths = ['AGENTS.md', 'AGENT.md', '.agents', 'agent.config.json'].map(at)
  world = { workspace, protectedPaths, blockedPaths: [], allowedHosts: [], env: {}, sandbox: 'auto' }
  writeFileSync(at('AGENT.md'), 'mine')
})
afterEach(() => {
  rmSync(workspace, { recursive: true, force: true })
  for (const uid of [process.getuid?.(), 65_534]) rmSync(noteAt(uid), { recursive: true, force: true })
})

test('what a command makes at a protected place is moved aside, and nothing else is', () => {
  const settle = watchEmptyPlaces(world)
  writeFileSync(at('AGENTS.md'), 'obey')
  mkdirSync(at('.agents/skills'), { recursive: true })
  writeFileSync(at('other.md'), 'fine')
  expect(settle()).toEqual({
    moved: [
      { path: at('AGENTS.md'), aside: at('AGENTS.md.refused') },
      { path: at('.agents'), aside: at('.agents.refused') },
    ],
    stuck: [],
  })
  expect(existsSync(noteAt())).toBe(false)
  expect(readFileSync(at('AGENTS.md.refused'), 'utf8')).toBe('obey')
  expect(existsSync(at('AGENTS.md'))).toBe(false)
  expect(readFileSync(at('AGENT.md'), 'utf8')).toBe('mine')
  expect(existsSync(at('other.md'))).toBe(true)
})

test('an earlier one that was moved aside is not overwritten', () => {
  writeFileSync(at('AGENTS.md.refused'), 'first')
  const settle = watchEmptyPlaces(world)
  writeFileSync(at('AGENTS.md'), 'second')
  expect(settle().moved).toMatchObject([{ aside: at('AGENTS.md.refused-2') }])
  expect(readFileSync(at('AGENTS.md.refused'), 'utf8')).toBe('first')
})

test('a link that leads nowhere stays while it does, and goes when it leads somewhere', () => {
  symlinkSync('rules.md', at('AGENTS.md'))
  expect(watchEmptyPlaces(world)().moved).toEqual([])
  const settle = watchEmptyPlaces(world)
  writeFileSync(at('rules.md'), 'obey')
  expect(settle().moved).toMatchObject([{ path: at('AGENTS.md') }])
})

test('commands side by side: the first to end moves what is there, the last what came since', () => {
  const [first, last] = [watchEmptyPlaces(world), watchEmptyPlaces(world)]
  writeFileSync(at('AGENTS.md'), 'obey')
  expect(first().moved).toHaveLength(1)
  writeFileSync(at('AGENTS.md'), 'obey')
  expect(last().moved).toHaveLength(1)
})

test('what other programs would run by themselves is moved aside too, and the rest of their folders stays', () => {
  const settle = watchEmptyPlaces(world)
  mkdirSync(at('.vscode'))
  for (const name of ['.mcp.json', '.bashrc', '.vscode/tasks.json', '.vscode/extensions.json', '.gitmodules'])
    writeFileSync(at(name), '{}')
  expect(settle().moved.map(({ path }) => path)).toEqual([at('.mcp.json'), at('.vscode/tasks.json'), at('.bashrc')])
  expect(existsSync(at('.vscode/extensions.json'))).toBe(true)
  expect(existsSync(at('.gitmodules'))).toBe(true)
})

test('a link to somebody else’s folder is moved, and not what is in that folder', () => {
  const other = mkdtempSync(join(tmpdir(), 'writ-other-'))
  writeFileSync(join(other, 'tasks.json'), 'theirs')
  const settle = watchEmptyPlaces(world)
  symlinkSync(other, at('.vscode'))
  expect(settle()).toEqual({ moved: [{ path: at('.vscode'), aside: at('.vscode.refused') }], stuck: [] })
  expect(readFileSync(join(other, 'tasks.json'), 'utf8')).toBe('theirs')
  rmSync(other, { recursive: true })
})

test('a folder that was shut behind the file is opened for the move', () => {
  const settled = asSomebody(`
    const settle = watchEmptyPlaces(world)
    mkdirSync('.vscode')
    for (const name of ['AGENTS.md', '.vscode/tasks.json']) writeFileSync(name, 'obey')
    chmodSync('.vscode', 0)
    chmodSync('.', 0o555)
    tell(settle())
  `)
  expect(settled).toMatchObject({ moved: [{ path: at('AGENTS.md') }, { path: at('.vscode/tasks.json') }], stuck: [] })
  expect(existsSync(at('AGENTS.md'))).toBe(false)
})

test('what cannot be moved is told, and stays in the way of the next start', () => {
  // With anything added, the name is longer than a name can be.
  const path = at('A'.repeat(250))
  const settle = watchEmptyPlaces({ ...world, protectedPaths: [path] })
  writeFileSync(path, 'obey')
  expect(settle()).toEqual({ moved: [], stuck: [path] })
  expect(() => sweepLeftovers(workspace)).toThrow(expect.objectContaining({ code: 'PATH_PROTECTED' }))
  rmSync(path)
  expect(sweepLeftovers(workspace)).toEqual([])
})

test('what a killed process did not get to is moved at the next start', () => {
  const uid = process.getuid?.()
  asSomebody(`
    watchEmptyPlaces(world)
    writeFileSync('AGENTS.md', 'obey')
    tell('killed')
  `)
  if (uid === 0) {
    renameSync(noteAt(65_534), noteAt())
    chownSync(noteAt(), 0, 0)
  }
  expect(sweepLeftovers(workspace)).toMatchObject([{ path: at('AGENTS.md') }])
  writeFileSync(at('AGENTS.md'), 'mine')
  expect(sweepLeftovers(workspace)).toEqual([])
})

test('what a link at the name of the note leads to is not written, nor taken for a note', () => {
  const other = at('other.json')
  writeFileSync(other, JSON.stringify({ at: Date.now(), empty: [at('AGENT.md')] }))
  symlinkSync(other, noteAt())
  const before = readFileSync(other, 'utf8')
  const settle = watchEmptyPlaces(world)
  writeFileSync(at('AGENTS.md'), 'obey')
  expect(settle()).toMatchObject({ moved: [{ path: at('AGENTS.md') }], stuck: [] })
  expect(readFileSync(other, 'utf8')).toBe(before)
  expect(readFileSync(at('AGENT.md'), 'utf8')).toBe('mine')
})

test('with somebody else’s folder at the name of the note, a command is watched all the same', () => {
  mkdirSync(join(noteAt(), 'theirs'), { recursive: true })
  const settle = watchEmptyPlaces(world)
  writeFileSync(at('AGENTS.md'), 'obey')
  expect(settle()).toMatchObject({ moved: [{ path: at('AGENTS.md') }], stuck: [] })
  expect(existsSync(join(noteAt(), 'theirs'))).toBe(true)
})

test('empty files that an earlier version left are removed, and nothing that has anything in it', () => {
  writeFileSync(at('.bashrc'), '')
  writeFileSync(at('AGENTS.md'), 'mine')
  mkdirSync(at('.vscode'))
  writeFileSync(at('.vscode/settings.json'), '{}')
  const empty = ['.bashrc', 'AGENTS.md', '.vscode', '.mcp.json'].map(at)
  // The process that wrote it is gone: no system has one of this number.
  writeFileSync(noteAt(), JSON.stringify({ pid: 2 ** 30, empty }))
  expect(sweepLeftovers(workspace)).toEqual([])
  expect(['.bashrc', 'AGENTS.md', '.vscode/settings.json'].filter((name) => existsSync(at(name)))).toEqual([
    'AGENTS.md',
    '.vscode/settings.json',
  ])
  expect(existsSync(noteAt())).toBe(false)
})
