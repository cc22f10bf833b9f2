import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { callIn } from '../../../test/support/call.ts'
import { editor, temporaryFolder } from '../../../test/support/edit.ts'
import { fileEditTool } from './file-edit.ts'

const folder = temporaryFolder()
const workspace = join(folder.path, 'ws')
mkdirSync(join(workspace, '.writ'), { recursive: true })
mkdirSync(join(workspace, '.git/hooks'), { recursive: true })
writeFileSync(join(folder.path, 'secret'), 'canary')
symlinkSync(folder.path, join(workspace, 'out'))
afterAll(() => folder.remove())

const { edit, world } = editor(workspace)
const at = (path: string) => join(workspace, path)
const read = (path: string) => readFileSync(at(path), 'utf8')

describe('file_edit', () => {
  test('replaces the text, keeps the mode and leaves no temporary file', async () => {
    mkdirSync(at('run'))
    writeFileSync(at('run/a.sh'), '\ufeffecho one\r\necho two\r\n')
    chmodSync(at('run/a.sh'), 0o750)
    const { facts, output } = await edit({ path: 'run/a.sh', old: 'one\necho two', new: 'one\necho $1\necho two' })
    expect(output).toEqual({ ok: true, text: 'edited run/a.sh' })
    expect(read('run/a.sh')).toBe('\ufeffecho one\r\necho $1\r\necho two\r\n')
    expect(statSync(at('run/a.sh')).mode & 0o777).toBe(0o750)
    expect(readdirSync(at('run'))).toEqual(['a.sh'])
    expect(facts).toMatchObject({ risk: 'Medium', readOnly: false, paths: [{ path: 'run/a.sh', access: 'write' }] })
    expect(facts.preview).toBe(
      '--- run/a.sh\n+++ run/a.sh\n@@ -1,2 +1,3 @@\n \ufeffecho one\r\n+echo $1\r\n echo two\r',
    )
  })

  test('a call that cannot succeed only reads, and its failure shows the nearest lines', async () => {
    writeFileSync(at('a.txt'), 'one\ntwo\n')
    const { facts, output } = await edit({ path: 'a.txt', old: 'Two', new: '2' })
    expect(facts).toMatchObject({ risk: 'Low', readOnly: true, paths: [{ path: 'a.txt', access: 'read' }] })
    expect(facts.basis).toBeUndefined()
    expect(output).toMatchObject({ ok: false, code: 'EDIT_NOT_FOUND', error: expect.stringContaining('2 | two') })
  })

  test('a file that changed after the facts were gathered is not written', async () => {
    writeFileSync(at('raced.txt'), 'one two')
    const change = () => writeFileSync(at('raced.txt'), 'one three')
    const { output } = await edit({ path: 'raced.txt', old: 'one', new: '1' }, change)
    expect(output).toMatchObject({ ok: false, code: 'FILE_CHANGED' })
    expect(read('raced.txt')).toBe('one three')
    const appear = () => writeFileSync(at('raced.txt'), 'now here')
    expect((await edit({ path: 'raced.txt', old: 'here', new: 'x' }, appear)).output).toMatchObject({
      code: 'FILE_CHANGED',
    })
    expect(read('raced.txt')).toBe('now here')
    const context = callIn(world)
    expect(await fileEditTool.execute({ path: 'raced.txt', old: 'now', new: 'x' }, context)).toMatchObject({
      ok: false,
    })
  })

  test('a folder that becomes a link after the facts were gathered leads nowhere', async () => {
    mkdirSync(at('in'))
    mkdirSync(join(folder.path, 'elsewhere'))
    for (const place of [at('in/x'), join(folder.path, 'elsewhere/x')]) writeFileSync(place, 'same')
    const { output } = await edit({ path: 'in/x', old: 'same', new: 'owned' }, () => {
      renameSync(at('in'), at('gone'))
      symlinkSync(join(folder.path, 'elsewhere'), at('in'))
    })
    expect(output).toMatchObject({ ok: false, code: 'PATH_OUTSIDE_WORKSPACE' })
    expect(readFileSync(join(folder.path, 'elsewhere/x'), 'utf8')).toBe('same')
  })

  test.each([
    ['out/secret', { insideWorkspace: false }],
    ['../secret', { insideWorkspace: false }],
    ['.writ/journal', { isProtected: true }],
    ['.git/hooks/pre-commit', { isProtected: true }],
    ['.env', { insideWorkspace: true }],
  ])('%s is neither read nor written', async (path, fact) => {
    writeFileSync(at('.env'), 'canary')
    writeFileSync(at('.git/hooks/pre-commit'), 'canary')
    const { facts, output } = await edit({ path, old: 'canary', new: 'owned' })
    expect(facts).toMatchObject({ readOnly: false, paths: [{ access: 'write', ...fact }], preview: `edit ${path}` })
    expect(output).toMatchObject({ ok: false, code: expect.stringMatching(/^PATH_/) })
  })

  test('a file that other programs run needs approval every time', async () => {
    writeFileSync(at('.npmrc'), 'a=1')
    expect((await edit({ path: '.npmrc', old: 'a', new: 'b' })).facts.risk).toBe('High')
  })

  test.each([
    ['binary', Buffer.from([1, 0, 97]), 'FILE_NOT_TEXT'],
    ['not UTF-8', Buffer.from([97, 0xe9, 98]), 'FILE_NOT_TEXT'],
    ['too large', Buffer.alloc(11 * 1024 * 1024, 97), 'FILE_TOO_LARGE'],
  ])('a file that is %s is refused', async (_, content, code) => {
    writeFileSync(at('odd'), content)
    expect((await edit({ path: 'odd', old: 'a', new: 'b', all: true })).output).toMatchObject({ ok: false, code })
    expect(readFileSync(at('odd')).equals(content)).toBe(true)
  })

  test('a missing file and a folder are clear failures', async () => {
    expect((await edit({ path: 'none', old: 'a', new: 'b' })).output).toMatchObject({ code: 'FILE_MISSING' })
    expect((await edit({ path: 'run', old: 'a', new: 'b' })).output).toMatchObject({ code: 'PATH_NOT_A_FILE' })
  })
})
