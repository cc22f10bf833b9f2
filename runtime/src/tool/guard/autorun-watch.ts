/**
 * Keeps commands from writing files that other programs run or follow: those that exist are read-only in the sandbox,
 * and new ones are moved aside when the command ends.
 */
import type { Dirent } from 'node:fs'
import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { isNamed } from './autorun-files.ts'
import { BUILD_OUTPUT } from './command-table-files.ts'
import { type CleanupResult, moveAside } from './planted-files.ts'

const FOLDERS_AT_A_TIME = 64
const MAX_ENTRIES = 500_000
/** Every one of them is a mount. */
const MAX_LOCKED = 100

/** By path: which folder it is in. A folder of another name may take the place of that one. */
export type AutorunFiles = ReadonlyMap<string, number>

/** The nearest first. What a build makes is not searched, nor are installed packages. */
export async function autorunBelow(roots: readonly string[]): Promise<AutorunFiles> {
  const found = new Map<string, number>()
  let pending = roots.map((root) => ({ folder: root, root }))
  for (let seen = 0; pending.length > 0 && seen <= MAX_ENTRIES; ) {
    const now = pending.splice(0, FOLDERS_AT_A_TIME)
    const listed = await Promise.all(now.map(({ folder }) => entriesIn(folder)))
    const next: typeof pending = []
    listed.forEach((entries, i) => {
      const { folder, root } = now[i] ?? { folder: '', root: '' }
      seen += entries.length
      for (const entry of entries) {
        const path = join(folder, entry.name)
        if (isNamed(relative(root, path).toLowerCase()) && !isAboveOnly(entry)) found.set(path, inodeOf(folder))
        else if (entry.isDirectory() && entry.name !== '.git' && !BUILD_OUTPUT.test(entry.name))
          next.push({ folder: path, root })
      }
    })
    pending = [...pending, ...next]
  }
  return found
}

/** `.github` has other files too: what is in it is searched. */
function isAboveOnly(entry: Dirent): boolean {
  return entry.isDirectory() && !isNamed(`x/${entry.name}/x`.toLowerCase())
}

export function lockedAutorun(files: AutorunFiles = new Map()): string[] {
  return [...files.keys()].slice(0, MAX_LOCKED)
}

export async function moveNewAutorun(roots: readonly string[], before: AutorunFiles): Promise<CleanupResult> {
  const cleanup: CleanupResult = { moved: [], stuck: [] }
  for (const path of (await autorunBelow(roots)).keys()) {
    if (before.get(path) === inodeOf(dirname(path))) continue
    try {
      cleanup.moved.push(moveAside(path))
    } catch {
      cleanup.stuck.push(path)
    }
  }
  return cleanup
}

function entriesIn(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => [])
}

function inodeOf(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.ino ?? 0
}
