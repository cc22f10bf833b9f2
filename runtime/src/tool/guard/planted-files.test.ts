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
import { moveAsideLeftovers, watchMissingPaths } from './planted-files.ts'

let workspace: string
let world: World
const at = (name: string): string => join(workspace, name)
const noteAt = (uid = process.getuid?.()): string =>
  join(tmpdir(), `writ-fence-${uid}-${fingerprint(workspace).slice(0, 24)}.json`)

/** Runs the script in another process without root, because root can open every folder. */
function asOtherUser(script: string): unknown {
  const isRoot = process.getuid?.() === 0
  const preface = `
    import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
    import { moveAsideLeftovers, watchMissingPaths } from ${JSON.stringify(new URL('planted-files.ts', import.meta.url))}
    const world = ${JSON.stringify(world)}
    if (${isRoot}) process.setgid(65534), process.setuid(65534)
    const tell = (value) => process.stdout.write(JSON.stringify(value))
    process.chdir(world.workspace)
  `
  if (isRoot) chownSync(workspace, 65_534, 65_534)
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', preface + script], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  return JSON.parse(output)
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

test('a file created at a protected path is moved aside, and nothing else is', () => {
  const cleanUp = watchMissingPaths(world)
  writeFileSync(at('AGENTS.md'), 'obey')
  mkdirSync(at('.agents/skills'), { recursive: true })
  writeFileSync(at('other.md'), 'fine')
  expect(cleanUp()).toEqual({
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

test('an earlier moved file is not overwritten', () => {
  writeFileSync(at('AGENTS.md.refused'), 'first')
  const cleanUp = watchMissingPaths(world)
  writeFileSync(at('AGENTS.md'), 'second')
  expect(cleanUp().moved).toMatchObject([{ aside: at('AGENTS.md.refused-2') }])
  expect(readFileSync(at('AGENTS.md.refused'), 'utf8')).toBe('first')
})

test('a dangling link stays while it dangles, and is moved when it has a target', () => {
  symlinkSync('rules.md', at('AGENTS.md'))
  expect(watchMissingPaths(world)().moved).toEqual([])
  const cleanUp = watchMissingPaths(world)
  writeFileSync(at('rules.md'), 'obey')
  expect(cleanUp().moved).toMatchObject([{ path: at('AGENTS.md') }])
})

test('concurrent commands: the first to end moves what exists, the last what was created since', () => {
  const [first, last] = [watchMissingPaths(world), watchMissingPaths(world)]
  writeFileSync(at('AGENTS.md'), 'obey')
  expect(first().moved).toHaveLength(1)
  writeFileSync(at('AGENTS.md'), 'obey')
  expect(last().moved).toHaveLength(1)
})

test('autorun files of other programs are moved aside too, and the rest of their folders stays', () => {
  const cleanUp = watchMissingPaths(world)
  mkdirSync(at('.vscode'))
  for (const name of ['.mcp.json', '.bashrc', '.vscode/tasks.json', '.vscode/extensions.json', '.gitmodules'])
    writeFileSync(at(name), '{}')
  expect(cleanUp().moved.map(({ path }) => path)).toEqual([at('.mcp.json'), at('.vscode/tasks.json'), at('.bashrc')])
  expect(existsSync(at('.vscode/extensions.json'))).toBe(true)
  expect(existsSync(at('.gitmodules'))).toBe(true)
})

test('a link to another folder is moved, not the content of that folder', () => {
  const other = mkdtempSync(join(tmpdir(), 'writ-other-'))
  writeFileSync(join(other, 'tasks.json'), 'theirs')
  const cleanUp = watchMissingPaths(world)
  symlinkSync(other, at('.vscode'))
  expect(cleanUp()).toEqual({ moved: [{ path: at('.vscode'), aside: at('.vscode.refused') }], stuck: [] })
  expect(readFileSync(join(other, 'tasks.json'), 'utf8')).toBe('theirs')
  rmSync(other, { recursive: true })
})

test('a folder without access is opened for the move', () => {
  const cleanup = asOtherUser(`
    const cleanUp = watchMissingPaths(world)
    mkdirSync('.vscode')
    for (const name of ['AGENTS.md', '.vscode/tasks.json']) writeFileSync(name, 'obey')
    chmodSync('.vscode', 0)
    chmodSync('.', 0o555)
    tell(cleanUp())
  `)
  expect(cleanup).toMatchObject({ moved: [{ path: at('AGENTS.md') }, { path: at('.vscode/tasks.json') }], stuck: [] })
  expect(existsSync(at('AGENTS.md'))).toBe(false)
})

test('a file that cannot be moved is reported, and blocks the next start', () => {
  // With any suffix the name would exceed the maximum length.
  const path = at('A'.repeat(250))
  const cleanUp = watchMissingPaths({ ...world, protectedPaths: [path] })
  writeFileSync(path, 'obey')
  expect(cleanUp()).toEqual({ moved: [], stuck: [path] })
  expect(() => moveAsideLeftovers(workspace)).toThrow(expect.objectContaining({ code: 'PATH_PROTECTED' }))
  rmSync(path)
  expect(moveAsideLeftovers(workspace)).toEqual([])
})

test('files of a killed process are moved at the next start', () => {
  const uid = process.getuid?.()
  asOtherUser(`
    watchMissingPaths(world)
    writeFileSync('AGENTS.md', 'obey')
    tell('killed')
  `)
  if (uid === 0) {
    renameSync(noteAt(65_534), noteAt())
    chownSync(noteAt(), 0, 0)
  }
  expect(moveAsideLeftovers(workspace)).toMatchObject([{ path: at('AGENTS.md') }])
  writeFileSync(at('AGENTS.md'), 'mine')
  expect(moveAsideLeftovers(workspace)).toEqual([])
})

test('a link in place of the note is neither written through nor read as a note', () => {
  const other = at('other.json')
  writeFileSync(other, JSON.stringify({ at: Date.now(), empty: [at('AGENT.md')] }))
  symlinkSync(other, noteAt())
  const before = readFileSync(other, 'utf8')
  const cleanUp = watchMissingPaths(world)
  writeFileSync(at('AGENTS.md'), 'obey')
  expect(cleanUp()).toMatchObject({ moved: [{ path: at('AGENTS.md') }], stuck: [] })
  expect(readFileSync(other, 'utf8')).toBe(before)
  expect(readFileSync(at('AGENT.md'), 'utf8')).toBe('mine')
})

test('with another user’s folder in place of the note, a command is still watched', () => {
  mkdirSync(join(noteAt(), 'theirs'), { recursive: true })
  const cleanUp = watchMissingPaths(world)
  writeFileSync(at('AGENTS.md'), 'obey')
  expect(cleanUp()).toMatchObject({ moved: [{ path: at('AGENTS.md') }], stuck: [] })
  expect(existsSync(join(noteAt(), 'theirs'))).toBe(true)
})

test('empty files of an earlier version are removed, and no file with content', () => {
  writeFileSync(at('.bashrc'), '')
  writeFileSync(at('AGENTS.md'), 'mine')
  mkdirSync(at('.vscode'))
  writeFileSync(at('.vscode/settings.json'), '{}')
  const empty = ['.bashrc', 'AGENTS.md', '.vscode', '.mcp.json'].map(at)
  // The process that wrote it is gone: no system uses a pid this high.
  writeFileSync(noteAt(), JSON.stringify({ pid: 2 ** 30, empty }))
  expect(moveAsideLeftovers(workspace)).toEqual([])
  expect(['.bashrc', 'AGENTS.md', '.vscode/settings.json'].filter((name) => existsSync(at(name)))).toEqual([
    'AGENTS.md',
    '.vscode/settings.json',
  ])
  expect(existsSync(noteAt())).toBe(false)
})
