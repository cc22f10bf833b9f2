/**
 * What the user's repository says about the files of the workspace: which are ignored, and which are tracked although
 * they match. It is read as files; git is never started in it, because its settings can name programs.
 */
import { lstatSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { World } from '../tool.ts'

const MAX_FILE = 1_000_000
const MAX_LEVELS = 64
const UID = process.getuid?.()

export interface Repository {
  /** The folder with `.git`. */
  root: string
  /** Where the index is. */
  folder: string
  /** With the settings that all worktrees share. */
  common: string
}

/** The repository that the workspace is in; undefined when there is none. */
export function findRepository(workspace: string): Repository | undefined {
  let root = workspace
  for (let level = 0; level < MAX_LEVELS; level++) {
    const folder = gitFolder(root)
    if (folder !== undefined) {
      const common = readSmall(join(folder, 'commondir'))?.trim()
      return { root, folder, common: common === undefined ? folder : resolve(folder, common) }
    }
    if (dirname(root) === root) return undefined
    root = dirname(root)
  }
  return undefined
}

/** The ignore rules that are not in `.gitignore` files, the strongest last. */
export function excludesOf({ env }: World, repository: Repository | undefined, named: string | undefined): string {
  const home = env.HOME
  const config = env.XDG_CONFIG_HOME || (home === undefined ? undefined : join(home, '.config'))
  const general = named ?? (config === undefined ? undefined : join(config, 'git/ignore'))
  const files = [general, repository && join(repository.common, 'info/exclude')]
  return files.map((file) => (file === undefined ? '' : `${readSmall(file) ?? ''}\n`)).join('')
}

/** Another user's folder above the workspace must not decide what is recorded. */
function gitFolder(root: string): string | undefined {
  const place = join(root, '.git')
  const stat = lstatSync(place, { throwIfNoEntry: false })
  if (stat === undefined || (UID !== undefined && stat.uid !== UID)) return undefined
  if (stat.isDirectory()) return place
  const [, target] = /^gitdir: (.+?)\s*$/.exec(readSmall(place) ?? '') ?? []
  return target === undefined ? undefined : resolve(root, target)
}

/** Undefined for anything but a small file: a pipe would never end. */
function readSmall(file: string): string | undefined {
  try {
    const stat = lstatSync(file)
    return stat.isFile() && stat.size <= MAX_FILE ? readFileSync(file, 'latin1') : undefined
  } catch {
    return undefined
  }
}
