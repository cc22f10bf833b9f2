import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { editor, temporaryFolder } from '../../../test/support/edit.ts'
import { differences, git, readTree, type Tree, type TreeFile, writeTree } from '../../../test/support/trees.ts'
import { commitChanges, readCurrent } from '../edit/changes.ts'

let folder: ReturnType<typeof temporaryFolder>
let workspace: string
let apply: ReturnType<typeof editor>['apply']
beforeEach(() => {
  folder = temporaryFolder()
  workspace = join(folder.path, 'ws')
  mkdirSync(workspace)
  apply = editor(workspace).apply
})
afterEach(() => folder.remove())

const put = (path: string, content: string, mode = 0o644) => {
  mkdirSync(join(workspace, path, '..'), { recursive: true })
  writeFileSync(join(workspace, path), content)
  chmodSync(join(workspace, path), mode)
}
const read = (path: string) => readFileSync(join(workspace, path), 'utf8')
const has = (path: string) => existsSync(join(workspace, path))
const files = () => [...readTree(workspace).keys()].sort()
const change = (path: string, from = 'a', to = 'b') => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`

describe('apply_patch', () => {
  test('changes, creates, deletes and renames in one call, and the facts name every path', async () => {
    put('x.txt', 'a\n')
    put('old/y.txt', '1\n2\n3\n', 0o755)
    put('gone/z.txt', 'z\n')
    const { facts, output } = await apply(
      `${change('x.txt')}--- /dev/null\n+++ b/new/n.txt\n@@ -0,0 +1 @@\n+n\n\\ No newline at end of file\n` +
        `--- a/gone/z.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-z\n` +
        `diff --git a/old/y.txt b/y.txt\nsimilarity index 60%\nrename from old/y.txt\nrename to y.txt\n--- a/old/y.txt\n+++ b/y.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n`,
    )
    expect(output).toEqual({
      ok: true,
      text: 'changed x.txt\ncreated new/n.txt\ndeleted gone/z.txt\nrenamed old/y.txt to y.txt',
    })
    expect(files()).toEqual(['new/n.txt', 'x.txt', 'y.txt'])
    expect([read('x.txt'), read('new/n.txt'), read('y.txt')]).toEqual(['b\n', 'n', '1\ntwo\n3\n'])
    expect(statSync(join(workspace, 'y.txt')).mode & 0o777).toBe(0o755)
    expect([has('gone'), has('old')], 'folders left empty are removed').toEqual([false, false])
    expect(facts).toMatchObject({ risk: 'High', readOnly: false, deed: 'delete', approvalKeys: ['write', 'delete'] })
    expect(facts.paths?.map(({ path, access }) => `${access} ${path}`)).toEqual([
      'write x.txt',
      'write new/n.txt',
      'write gone/z.txt',
      'write old/y.txt',
      'write y.txt',
    ])
    expect(facts.preview).toBe(
      [
        'change x.txt\ncreate new/n.txt\ndelete gone/z.txt\nrename old/y.txt → y.txt\n',
        '--- x.txt\n+++ x.txt\n@@ -1,1 +1,1 @@\n-a\n+b\n',
        '--- /dev/null\n+++ new/n.txt\n@@ -0,0 +1,1 @@\n+n\n\\ No newline at end of file\n',
        '--- gone/z.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-z\n',
        'rename from old/y.txt\nrename to y.txt\n--- old/y.txt\n+++ y.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3',
      ].join('\n'),
    )
  })

  test('a hunk may have moved, and the preview shows where it really applies', async () => {
    put('x.txt', `new\nnew\n${'line\n'.repeat(5)}a\nend\n`)
    const { facts, output } = await apply('--- a/x.txt\n+++ b/x.txt\n@@ -6,3 +6,3 @@\n line\n-a\n+b\n end\n')
    expect(output.ok).toBe(true)
    expect(facts.preview).toContain('@@ -5,5 +5,5 @@')
    expect(read('x.txt')).toBe(`new\nnew\n${'line\n'.repeat(5)}b\nend\n`)
  })

  test('a hunk that does not fit names file, hunk and line, and nothing at all is written', async () => {
    put('x.txt', 'a\n')
    put('y.txt', 'one\ntwo\nthree\n')
    const { facts, output } = await apply(`${change('x.txt')}${change('y.txt', 'One', '1')}`)
    expect(facts).toMatchObject({ risk: 'Low', readOnly: true })
    expect(output).toMatchObject({ ok: false, code: 'PATCH_FAILED' })
    expect(output.ok ? '' : output.error).toMatch(/^hunk 1 does not fit y\.txt at line 1; nothing was written/)
    expect(read('x.txt')).toBe('a\n')
    const { output: second } = await apply(
      '--- a/y.txt\n+++ b/y.txt\n@@ -1 +1 @@\n-one\n+1\n@@ -2,2 +2,2 @@\n two\n-Three\n+3\n',
    )
    expect(second.ok ? '' : second.error).toMatch(/^hunk 2 does not fit y\.txt at line 2[\s\S]*2 \| two\n3 \| three$/)
  })

  test('a patch without returns or byte order mark fits a file that has them', async () => {
    put('x.txt', '\ufeffa\r\nb\r\nc\r\n')
    const { output } = await apply('--- a/x.txt\n+++ b/x.txt\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n+B\n c\n')
    expect(output.ok).toBe(true)
    expect(read('x.txt')).toBe('\ufeffa\r\nB\r\nB\r\nc\r\n')
  })

  test('modes: an executable is created, and a file becomes one', async () => {
    put('x.sh', 'a\n', 0o640)
    const { facts } = await apply(
      'diff --git a/x.sh b/x.sh\nold mode 100644\nnew mode 100755\n' +
        'diff --git a/y.sh b/y.sh\nnew file mode 100755\n--- /dev/null\n+++ b/y.sh\n@@ -0,0 +1 @@\n+y\n',
    )
    expect(statSync(join(workspace, 'x.sh')).mode & 0o777).toBe(0o750)
    expect(statSync(join(workspace, 'y.sh')).mode & 0o100).toBe(0o100)
    expect(facts.preview).toContain('old mode 100644\nnew mode 100755\n--- x.sh')
    expect(facts.preview).toContain('new file mode 100755\n--- /dev/null')
  })

  test('a file that changed after the facts were gathered stops the whole patch', async () => {
    put('x.txt', 'a\n')
    put('y.txt', 'a\n')
    const { output } = await apply(change('x.txt') + change('y.txt'), () => put('y.txt', 'a\nmore\n'))
    expect(output).toMatchObject({ ok: false, code: 'FILE_CHANGED' })
    expect([read('x.txt'), read('y.txt')]).toEqual(['a\n', 'a\nmore\n'])
  })

  test('when a later file cannot be written, the earlier ones are put back', async () => {
    put('x.txt', 'a\n', 0o600)
    put('gone.txt', 'g\n')
    put('y.txt', 'y\n')
    const real = (path: string) => join(workspace, path)
    const before = async (path: string) => {
      const file = await readCurrent({ path, real: real(path) })
      return { path, real: real(path), ...(file && { before: file }) }
    }
    const content = Buffer.from('new\n')
    const changes = [
      { ...(await before('x.txt')), after: { content } },
      await before('gone.txt'),
      { ...(await before('made/n.txt')), after: { content } },
      { ...(await before('y.txt')), after: { content } },
    ]
    put('y.txt', 'changed by another program\n')
    const signal = new AbortController().signal
    await expect(commitChanges(changes, { signal, roots: [workspace] })).rejects.toMatchObject({ code: 'FILE_CHANGED' })
    expect(files()).toEqual(['gone.txt', 'x.txt', 'y.txt'])
    expect([read('x.txt'), read('gone.txt'), has('made')]).toEqual(['a\n', 'g\n', false])
    expect(statSync(real('x.txt')).mode & 0o777).toBe(0o600)
    await expect(commitChanges(changes, { signal: AbortSignal.abort(), roots: [workspace] })).rejects.toThrow()
    expect(files()).toEqual(['gone.txt', 'x.txt', 'y.txt'])
  })

  test('a folder that cannot be made leaves everything as it was', async () => {
    put('x.txt', 'a\n')
    put('file', 'f\n')
    const { output } = await apply(
      `${change('x.txt')}--- /dev/null\n+++ b/made/n\n@@ -0,0 +1 @@\n+n\n--- /dev/null\n+++ b/file/n\n@@ -0,0 +1 @@\n+n\n`,
    )
    expect(output).toMatchObject({ ok: false, error: expect.stringContaining('below a file') })
    expect(files()).toEqual(['file', 'x.txt'])
    expect([read('x.txt'), has('made')]).toEqual(['a\n', false])
  })

  test.each([
    ['create a file that exists', '--- /dev/null\n+++ b/x.txt\n@@ -0,0 +1 @@\n+b\n', 'PATCH_FAILED'],
    ['change a file that is missing', change('none'), 'FILE_MISSING'],
    ['delete half of a file', '--- a/two.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n', 'PATCH_FAILED'],
    ['rename onto a file', 'diff --git a/x.txt b/two.txt\nrename from x.txt\nrename to two.txt\n', 'PATCH_FAILED'],
    ['change a file twice', change('x.txt') + change('./x.txt'), 'PATCH_INVALID'],
    ['delete a link', '--- a/link\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n', 'PATH_NOT_A_FILE'],
    [
      'join two lines',
      '--- a/x.txt\n+++ b/x.txt\n@@ -1 +1,2 @@\n+b\n\\ No newline at end of file\n a\n',
      'PATCH_FAILED',
    ],
    ['change 201 files', Array.from({ length: 201 }, (_, i) => change(`f${i}`)).join(''), 'PATCH_INVALID'],
  ])('it does not %s', async (_, patch, code) => {
    put('x.txt', 'a\n')
    put('two.txt', '1\n2\n')
    symlinkSync('x.txt', join(workspace, 'link'))
    const before = readTree(workspace)
    expect((await apply(patch)).output).toMatchObject({ ok: false, code })
    expect(differences(before, readTree(workspace))).toEqual([])
  })

  test('misplaced hunks in a large file of equal lines are not searched forever', async () => {
    put('x.txt', 'x\n'.repeat(200_000))
    const hunk = (at: number) => `@@ -${at},3 +${at},3 @@\n x\n-y\n+z\n x\n`
    const { output } = await apply(
      `--- a/x.txt\n+++ b/x.txt\n${Array.from({ length: 500 }, (_, i) => hunk(i * 3 + 1)).join('')}`,
    )
    expect(output).toMatchObject({ ok: false, code: 'PATCH_FAILED' })
  })
})

const NAMES = [
  'a.txt',
  'with space',
  'ä/ü.txt',
  'deep/er/x.sh',
  '"quoted"',
  'tab\there',
  'back\\slash',
  'b/a',
  '文件.md',
  "it's",
]
const text = fc
  .tuple(
    fc.constantFrom('', '\ufeff'),
    fc.array(
      fc.tuple(
        fc.constantFrom('one', 'two', '', '--- a/x', '+++ b/x', '@@ -1 +1 @@', 'ünï', '\ttab '),
        fc.constantFrom('\n', '\r\n'),
      ),
      { maxLength: 30 },
    ),
    fc.constantFrom('', 'end', 'end\r'),
  )
  .map(([bom, lines, end]) => bom + lines.map((parts) => parts.join('')).join('') + end)
const deed = fc.constantFrom('edit', 'edit', 'create', 'delete', 'rename', 'mode', 'rewrite')
const edits = fc.array(fc.record({ deed, text, other: text, at: fc.nat({ max: 40 }), executable: fc.boolean() }), {
  minLength: 50,
  maxLength: 50,
})

test('1,000 generated edits give trees that are byte-identical to git’s', { timeout: 300_000 }, async () => {
  const repository = join(folder.path, 'repository')
  mkdirSync(repository)
  git(repository, ['init', '-q'])
  const store = (tree: Tree): string => {
    const place = join(folder.path, 'tree')
    writeTree(place, tree)
    git(repository, ['--work-tree', place, 'add', '-A'])
    return git(repository, ['write-tree']).toString().trim()
  }
  let applied = 0
  await fc.assert(
    fc.asyncProperty(edits, async (wanted) => {
      const before: Tree = new Map()
      const after: Tree = new Map()
      for (const [i, one] of wanted.entries()) {
        const path = `${i}/${NAMES[i % NAMES.length]}`
        const file = (content: string, executable = false): TreeFile => ({ content: Buffer.from(content), executable })
        const edited = one.text.split('\n').toSpliced(one.at, 1, 'changed').join('\n')
        if (one.deed !== 'create') before.set(path, file(one.text, one.executable))
        if (one.deed === 'create') after.set(path, file(one.text, one.executable))
        if (one.deed === 'edit') after.set(path, file(edited, one.executable))
        if (one.deed === 'rename') after.set(`${path}.moved/there`, file(edited, one.executable))
        if (one.deed === 'mode') after.set(path, file(one.text, !one.executable))
        if (one.deed === 'rewrite') after.set(path, file(one.other, one.executable))
      }
      const patch = git(repository, ['diff', '-M', store(before), store(after)]).toString()
      if (patch === '') return
      writeTree(workspace, before)
      const { output } = await apply(patch)
      expect(output).toMatchObject({ ok: true })
      expect(differences(readTree(workspace), after)).toEqual([])
      applied += wanted.length
    }),
    { numRuns: 20 },
  )
  expect(applied).toBe(1_000)
})
