import { describe, expect, test } from 'vitest'
import { WritError } from '../../errors/writ-error.ts'
import { parsePatch } from './patch.ts'

const HUNK = '@@ -1 +1 @@\n-a\n+b\n'
const named = (headers: string) => parsePatch(`${headers}\n${HUNK}`).map(({ path }) => path)
const codeOf = (patch: string): string => {
  try {
    parsePatch(patch)
  } catch (error) {
    if (error instanceof WritError) return error.message
    throw error
  }
  return 'read'
}

describe('names in a patch', () => {
  test.each([
    ['git’s prefixes', '--- a/x.txt\n+++ b/x.txt', 'x.txt'],
    ['no prefixes', '--- x.txt\n+++ x.txt', 'x.txt'],
    ['a folder named a', '--- a/x.txt\n+++ a/x.txt', 'a/x.txt'],
    ['mnemonic prefixes', 'diff --git i/x w/x\n--- i/x\n+++ w/x', 'x'],
    ['timestamps', '--- x.txt\t2026-01-01 00:00:00.000 +0100\n+++ x.txt\t2026-01-02 00:00:00 +0100', 'x.txt'],
    ['spaces, after which git puts a tab', 'diff --git a/x y b/x y\n--- a/x y\t\n+++ b/x y\t', 'x y'],
    [
      'quoted bytes',
      'diff --git "a/\\303\\244\\t.txt" "b/\\303\\244\\t.txt"\n--- "a/\\303\\244\\t.txt"\n+++ "b/\\303\\244\\t.txt"',
      'ä\t.txt',
    ],
    ['returns after the headers', '--- a/x\r\n+++ b/x\r', 'x'],
  ])('%s', (_, headers, path) => {
    expect(named(headers)).toEqual([path])
  })

  test.each([
    ['two files', '--- a/x\n+++ b/y'],
    ['the git line names another file', 'diff --git a/x b/x\n--- a/y\n+++ b/y'],
    ['the rename names another file', 'diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/z'],
    ['text after the closing quote', '--- "a/x"y\n+++ "b/x"y'],
    ['bytes that are not UTF-8', '--- "a/\\377"\n+++ "b/\\377"'],
    ['an unknown escape', '--- "a/\\q"\n+++ "b/\\q"'],
    ['created and deleted', '--- /dev/null\n+++ /dev/null'],
    ['created, with an old name', 'diff --git a/x b/x\nnew file mode 100644\n--- a/x\n+++ b/x'],
  ])('headers with two meanings are refused: %s', (_, headers) => {
    expect(codeOf(`${headers}\n${HUNK}`)).toMatch(/does not name one file/)
  })
})

describe('hunks in a patch', () => {
  test('headers inside a hunk are content', () => {
    const inner = '@@ -1,2 +1,2 @@\n--- a/other\n+++ b/other\n context\n'
    const [file, ...others] = parsePatch(`--- a/x\n+++ b/x\n${inner}`)
    expect(others).toEqual([])
    expect(file?.hunks[0]?.lines.map(({ kind, text }) => kind + text)).toEqual([
      '--- a/other\n',
      '+++ b/other\n',
      ' context\n',
    ])
  })

  test.each([
    ['too few lines', '@@ -1,9 +1,9 @@\n-a\n+b\n'],
    ['too many lines', '@@ -1 +1 @@\n-a\n+b\n+c\n'],
    ['too many lines after a blank one', '@@ -1 +1 @@\n-a\n+b\n\n c\n'],
    ['giant numbers', '@@ -1,999999999 +1,999999999 @@\n-a\n+b\n'],
    ['more old lines than counted', '@@ -1 +1,2 @@\n-a\n-b\n+c\n'],
  ])('a header with wrong numbers is refused: %s', (_, hunk) => {
    expect(codeOf(`--- a/x\n+++ b/x\n${hunk}`)).toMatch(/more or fewer lines/)
  })

  test.each([
    ['numbers beyond any file', '--- a/x\n+++ b/x\n@@ -99999999999999999999 +1 @@\n'],
    ['a hunk without a file', HUNK],
    ['a merge', '--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n'],
  ])('%s is not a unified diff', (_, patch) => {
    expect(codeOf(patch)).toMatch(/does not fit a unified diff/)
  })

  test('text around the patch, such as a commit message and a signature, is left out', () => {
    const mail = `From 1\nSubject: x\n\n---\n x | 2 +-\n\ndiff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n${HUNK}-- \n2.39\n`
    expect(parsePatch(mail)).toHaveLength(1)
  })

  test('an empty line whose space was stripped is context', () => {
    expect(parsePatch('--- x\n+++ x\n@@ -1,2 +1,2 @@\n\n-a\n+b\n')[0]?.hunks[0]?.lines[0]).toEqual({
      kind: ' ',
      text: '\n',
    })
  })

  test.each([
    ['binary content', 'diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 3\nabc\n'],
    ['binary files', 'diff --git a/x b/x\nindex 1..2\nBinary files a/x and b/x differ\n'],
    ['copies', 'diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n'],
    ['symbolic links', 'diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+/etc\n'],
    ['submodules', 'diff --git a/x b/x\nnew file mode 160000\n'],
  ])('%s are refused by name', (_, patch) => {
    expect(codeOf(patch)).toMatch(/is not supported/)
  })

  test('a text without a patch is refused', () => {
    expect(codeOf('please change x')).toMatch(/changes no file/)
    expect(codeOf('diff --git a/x b/x\nindex 1..2\n')).toMatch(/does not name one file/)
  })
})
