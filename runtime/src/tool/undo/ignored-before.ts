/**
 * Files that were there but not recorded when a turn began. A turn that changes the ignore rules makes them visible; they
 * must neither be copied nor count as created, because an undo deletes what a turn created.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Tree } from './plan.ts'
import type { Shadow } from './shadow.ts'

const IGNORE_FILE = '.gitignore'

/** Those of the paths that the ignore rules in the tree exclude. */
export async function ignoredBefore(shadow: Shadow, before: Tree, paths: readonly string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set()
  const rules = [...before].filter(
    ([path, { kind }]) => kind === 'file' && (path === IGNORE_FILE || path.endsWith(`/${IGNORE_FILE}`)),
  )
  const root = join(shadow.folder, `rules.${randomUUID()}`)
  const workspace = join(root, shadow.prefix)
  try {
    await mkdir(workspace, { recursive: true, mode: 0o700 })
    await copyOuterRules(shadow, root)
    const contents = shadow.contents(rules.map(([, { id }]) => id))
    for (const [path] of rules) {
      const next = await contents.next()
      if (next.done === true) break
      const place = Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from(path, 'latin1')])
      await mkdir(place.subarray(0, place.lastIndexOf('/')), { recursive: true })
      await writeFile(place, next.value)
    }
    // A name with a colon first would be a pattern.
    const stdin = Buffer.from(paths.map((path) => `./${path}\0`).join(''), 'latin1')
    const found = await shadow.git(['check-ignore', '--no-index', '-z', '--stdin'], {
      stdin,
      at: { root, workspace },
      // 1: none of them.
      ends: [0, 1],
    })
    const names = found.toString('latin1').split('\0')
    return new Set(names.map((name) => name.slice('./'.length)))
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** Rules of the repository above the workspace. No turn can change them. */
async function copyOuterRules({ root, prefix }: Shadow, to: string): Promise<void> {
  for (let folder = prefix; folder !== ''; ) {
    folder = dirname(folder) === '.' ? '' : dirname(folder)
    const text = await readFile(join(root, folder, IGNORE_FILE)).catch(() => undefined)
    if (text !== undefined) await writeFile(join(to, folder, IGNORE_FILE), text)
  }
}
