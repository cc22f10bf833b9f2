import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RestoredFile } from './plan.ts'
import { restoreFiles } from './restore.ts'
import { openShadow, type Shadow } from './shadow.ts'

let root: string
let workspace: string
let shadow: Shadow
const idOf = (text: string) => createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex')
const entry = (text: string) => ({ kind: 'file', id: idOf(text), perm: 0o644 }) as const

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'writ-restore-')))
  workspace = join(root, 'ws')
  mkdirSync(workspace)
  const world = { workspace, undo: join(root, 'undo'), protectedPaths: [], blockedPaths: [], allowedHosts: [], env: {} }
  shadow = await openShadow({ ...world, sandbox: 'off' })
  await shadow.git(['hash-object', '-w', '--stdin'], { stdin: Buffer.from('before') })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test.each<[string, RestoredFile]>([
  ['removed', { path: 'a', change: 'created', current: entry('by the run') }],
  ['written over', { path: 'a', change: 'modified', current: entry('by the run'), target: entry('before') }],
  ['written where there was none', { path: 'a', change: 'deleted', target: entry('before') }],
])('a file that was saved after the undo was planned is not %s', async (_, file) => {
  writeFileSync(join(workspace, 'a'), 'by a person')
  const { done, failed } = await restoreFiles(shadow, [file], {})
  expect(done).toEqual([])
  expect(failed).toMatchObject([{ path: 'a', why: expect.stringContaining('was changed while the undo ran') }])
  expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('by a person')
})

test('a file that is as planned is restored', async () => {
  writeFileSync(join(workspace, 'a'), 'by the run')
  const file: RestoredFile = { path: 'a', change: 'modified', current: entry('by the run'), target: entry('before') }
  expect((await restoreFiles(shadow, [file], {})).done).toEqual(['a'])
  expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('before')
})
