// In a checkout: the bundle of the sources as they are now. Plain JavaScript, because it runs before every command.
//
// A bundle is used only if every file it was made from is unchanged. A file's change time is set by the system, at every
// write and rename, and cannot be set back, so a comparison of size, inode and times cannot miss a change.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)))
export const BUNDLES = join(PACKAGE, '.bundle')
const BUILDER = join(PACKAGE, '../scripts/build-checkout.ts')
export const RECORD = 'made-from.json'
/** No file system has coarser times: a second change within this time may not show. */
export const COARSEST_MS = 3000

/**
 * The folder with the current bundle; it is built if there is none. Undefined if that is not possible: then the sources
 * run.
 * @returns {string | undefined}
 */
export function currentBundle() {
  const found = findBundle()
  if (found !== undefined || !existsSync(BUILDER)) return found
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const stderr = process.env.WRIT_DEBUG === '1' ? 'inherit' : 'ignore'
  const { status } = spawnSync(process.execPath, [BUILDER], { stdio: ['ignore', 'ignore', stderr] })
  return status === 0 ? findBundle() : undefined
}

/** @returns {string | undefined} */
function findBundle() {
  try {
    return readdirSync(BUNDLES)
      .map((name) => join(BUNDLES, name))
      .find(isCurrent)
  } catch {
    return undefined
  }
}

/**
 * Whether the bundle in a folder was made from the files as they are now, by this version of Node.
 * @param {string} folder
 */
export function isCurrent(folder) {
  try {
    const { node, files } = JSON.parse(readFileSync(join(folder, RECORD), 'utf8'))
    return node === process.version && Object.entries(files).every(([file, state]) => stateOf(file) === state)
  } catch {
    return false
  }
}

/**
 * Changes whenever the file does.
 * @param {string} file
 */
export function stateOf(file) {
  const { size, ino, mtimeMs, ctimeMs } = statSync(file)
  return `${size} ${ino} ${mtimeMs} ${ctimeMs}`
}
