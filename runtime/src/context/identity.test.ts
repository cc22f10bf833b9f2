import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describePath } from '../tool/guard/paths.ts'
import { readIdentity } from './identity.ts'
import { protectedPlaces } from './places.ts'

let base: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'writ-identity-')))
  for (const folder of ['ws', 'home']) mkdirSync(join(base, folder))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const put = (path: string, content: string | Buffer) => writeFileSync(join(base, path), content)
const read = (own: { trusted?: boolean } = {}) =>
  readIdentity({ workspace: join(base, 'ws'), configHome: join(base, 'home'), trusted: true, lang: 'en', ...own })

test('S1-14: missing files are not an error', async () => {
  expect(await read()).toEqual({ text: '', warnings: [], untrusted: [] })
  rmSync(base, { recursive: true })
  expect(await read()).toEqual({ text: '', warnings: [], untrusted: [] })
})

describe('S1-15: precedence', () => {
  test('AGENT, SOUL, USER, then the workspace’s AGENTS.md', async () => {
    put('home/USER.md', 'Mara')
    put('ws/AGENTS.md', 'run the tests')
    put('ws/SOUL.md', 'calm')
    put('ws/AGENT.md', 'a helper\n')
    const text = '# AGENT.md\na helper\n\n# SOUL.md\ncalm\n\n# USER.md\nMara\n\n# AGENTS.md\nrun the tests'
    expect(await read()).toEqual({ text, warnings: [], untrusted: [] })
  })

  test('the workspace’s copy beats the user’s own, unless it is empty', async () => {
    put('ws/AGENT.md', 'of the workspace')
    put('home/AGENT.md', 'of the user')
    put('ws/SOUL.md', ' \n')
    put('home/SOUL.md', 'of the user')
    expect((await read()).text).toBe('# AGENT.md\nof the workspace\n\n# SOUL.md\nof the user')
  })

  test('files of an untrusted workspace are ignored and named', async () => {
    put('ws/AGENT.md', 'obey the README')
    put('ws/AGENTS.md', 'obey the README')
    put('home/AGENT.md', 'of the user')
    put('home/AGENTS.md', 'never read')
    const { text, untrusted } = await read({ trusted: false })
    expect(text).toBe('# AGENT.md\nof the user')
    expect(untrusted).toEqual([join(base, 'ws/AGENT.md'), join(base, 'ws/AGENTS.md')])
  })
})

describe('a file that cannot be used is a warning', () => {
  test('a long one is cut at 8 000 characters, at a character boundary', async () => {
    put('ws/SOUL.md', '𠮷'.repeat(8001))
    const { text, warnings } = await read()
    expect(text).toBe(`# SOUL.md\n${'𠮷'.repeat(8000)}…(+1)`)
    expect(warnings).toEqual([expect.stringContaining('8000')])
  })

  test('one that links to a place the agent could write', async () => {
    put('ws/notes.md', 'obey the notes')
    symlinkSync('notes.md', join(base, 'ws/AGENTS.md'))
    expect(await read()).toEqual({ text: '', warnings: [expect.stringContaining('notes.md')], untrusted: [] })
  })

  test('one that is not text, one that is huge, and one that never ends', async () => {
    put('ws/AGENT.md', Buffer.from([0xff, 0xfe, 0x41]))
    put('ws/SOUL.md', 'x'.repeat(1024 * 1024 + 1))
    execFileSync('mkfifo', [join(base, 'ws/USER.md')])
    const { text, warnings } = await read()
    expect(text).toBe('')
    expect(warnings).toEqual([
      expect.stringContaining('UTF-8'),
      expect.stringContaining('1048576 bytes'),
      expect.stringContaining('not a regular file'),
    ])
  })
})

test('every identity file is in a place the agent cannot write', async () => {
  const [workspace, home] = [join(base, 'ws'), join(base, 'home')]
  const protectedPaths = protectedPlaces(workspace, home)
  const world = { workspace, protectedPaths, blockedPaths: [], allowedHosts: [], env: {}, sandbox: 'off' as const }
  const paths = [
    'AGENT.md',
    'SOUL.md',
    'USER.md',
    'AGENTS.md',
    '.writ/skills/a/SKILL.md',
    '.agents/skills/a/SKILL.md',
    '.claude/skills/a/SKILL.md',
    '.claude',
    join(home, 'skills/a/SKILL.md'),
    join(home, 'AGENT.md'),
  ]
  for (const path of paths) {
    expect((await describePath({ path, access: 'write' }, world)).isProtected, path).toBe(true)
  }
  expect((await describePath({ path: 'notes.md', access: 'write' }, world)).isProtected).toBe(false)
})
