/** Folders that things are kept in. */
import { mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Level by level: below a folder that takes no other, such as /proc, Node's own recursion never comes to an end. */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error
  }
}

/** Throws if the folder is not there and could not be made; leaves nothing behind. */
export function tryFolder(folder: string): void {
  if (!isFolder(folder)) rmdirSync(mkdtempSync(join(nearest(folder), '.probe-')))
}

function nearest(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? nearest(dirname(path)) : path
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
