/** The repository’s own history, commit by commit, through apply_patch. `WRIT_HISTORY=all` replays all of it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { editor, temporaryFolder } from '../support/edit.ts'
import { differences, git, readTree, type Tree, writeTree } from '../support/trees.ts'

const ROOT = join(import.meta.dirname, '../../..')
const RECENT = 60
/** As many as one call may change. */
const BATCH = 200

const isClone = existsSync(join(ROOT, '.git'))
const whole = process.env.WRIT_HISTORY === 'all'
/** In a shallow clone the parents of the oldest commits are missing; if none is left, that is printed and nothing is replayed. */
const commits = isClone ? replayable() : []

function replayable(): string[] {
  const limit = whole ? [] : ['-n', String(RECENT)]
  const rows = git(ROOT, ['log', '--no-merges', '--format=%H %P', ...limit, 'HEAD'])
    .toString()
    .trim()
    .split('\n')
  return rows.filter((row) => row.includes(' ')).map((row) => row.split(' ')[0] ?? '')
}

/** The changed files of a commit as it left them, or as they were before. */
function treeAt(commit: string, paths: readonly string[]): Tree {
  const tree: Tree = new Map()
  if (paths.length === 0) return tree
  const listed = git(ROOT, ['ls-tree', '-r', '-z', commit, '--', ...paths.map((path) => `:(literal)${path}`)])
  const rows = [...listed.toString().matchAll(/(\d+) blob (\w+)\t([^\0]*)\0/g)]
  const blobs = git(ROOT, ['cat-file', '--batch'], rows.map(([, , hash]) => `${hash}\n`).join(''))
  let at = 0
  for (const [, mode, , path = ''] of rows) {
    const start = blobs.indexOf('\n', at) + 1
    const size = Number(blobs.subarray(at, start).toString().trim().split(' ').at(-1))
    tree.set(path, { content: blobs.subarray(start, start + size), executable: mode === '100755' })
    at = start + size + 1
  }
  return tree
}

/** Binary files, which no patch of text can change. */
function isBinary(section: string): boolean {
  return /^(?:GIT binary patch|Binary files .* differ)$/m.test(section)
}

test(`the last ${commits.length} commits of this repository, applied as patches, give trees equal to git’s`, {
  timeout: 3_600_000,
}, async () => {
  const folder = temporaryFolder()
  const failed: string[] = []
  let files = 0
  let skipped = 0
  try {
    for (const commit of commits) {
      const patch = git(ROOT, ['diff', '-M', `${commit}^`, commit]).toString()
      const sections = patch.split(/^(?=diff --git )/m)
      const named = git(ROOT, ['diff', '-M', '--name-status', '-z', `${commit}^`, commit])
        .toString()
        .split('\0')
      const entries: string[][] = []
      for (let i = 0; i < named.length - 1; ) {
        const size = /^R/.test(named[i] ?? '') ? 3 : 2
        entries.push(named.slice(i + 1, i + size))
        i += size
      }
      for (let from = 0; from < entries.length; from += BATCH) {
        const batch = sections.slice(from, from + BATCH)
        const kept = entries.slice(from, from + BATCH).filter((_, i) => !isBinary(batch[i] ?? ''))
        const text = batch.filter((section) => !isBinary(section)).join('')
        skipped += batch.length - kept.length
        if (kept.length === 0) continue
        const paths = kept.flat()
        const workspace = join(folder.path, 'ws')
        writeTree(workspace, treeAt(`${commit}^`, paths))
        const { output } = await editor(workspace, { protectedPaths: [], blockedPaths: [] }).apply(text)
        files += kept.length
        if (!output.ok) failed.push(`${commit}: ${output.error}`)
        else failed.push(...differences(readTree(workspace), treeAt(commit, paths)).map((one) => `${commit} ${one}`))
      }
    }
  } finally {
    folder.remove()
  }
  console.log(`${commits.length} commits, ${files} files; ${skipped} binary files left out`)
  expect(failed).toEqual([])
  expect(files > 0).toBe(commits.length > 0)
})
