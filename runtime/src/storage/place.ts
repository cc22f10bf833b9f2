/** Creating folders. */
import { mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Level by level: below a folder that accepts none, such as /proc, Node's recursive mkdir never returns. */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it.
    if (!isFolder(folder)) throw error
  }
}

/** Throws if the folder does not exist and cannot be created; leaves nothing behind. */
export function tryFolder(folder: string): void {
  if (!isFolder(folder)) rmdirSync(mkdtempSync(join(nearest(folder), '.probe-')))
}

function nearest(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? nearest(dirname(path)) : path
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
