/** The folder and repository a git command works in; throws when it may not work there. */
import { realpathSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { WritError } from '../../errors/writ-error.ts'
import type { World } from '../tool.ts'
import { type GitCommand, splitGit } from './git-args.ts'
import { lastOf } from './git-config.ts'
import { findRepository, type Repository } from './git-repository.ts'
import { isWithin } from './paths.ts'

export interface GitPlace {
  /** The workspace, or the folder named with `-C`. */
  from: string
  repository?: Repository
}

/** The folder after all `-C` options, each relative to the one before. */
export function startOf(globals: readonly string[], start: string): string {
  return globals.reduce((at, arg, i) => {
    const folder = /^-C(.+)/s.exec(arg)?.[1] ?? (arg === '-C' ? (globals[i + 1] ?? '') : undefined)
    return folder === undefined ? at : isAbsolute(folder) ? folder : join(at, folder)
  }, start)
}

/** Throws when the repository must not be used. */
export function gitPlace(args: readonly string[], world: World, start = world.workspace): GitPlace {
  const { globals } = splitGit(args)
  const from = startOf(globals, start)
  // The path check refuses a folder outside the workspace, so nothing is read there.
  if (!isWithin(realOf(from) ?? '', world.workspace)) return { from }
  if (globals.includes('--bare')) throw new WritError('GIT_REPOSITORY.bareOption')
  const found = findRepository(from, world)
  if (found !== undefined && 'why' in found) throw found.why
  for (const dir of namedFolders(globals, 'git-dir', from)) {
    const real = realOf(dir) ?? dir
    if (isWithin(real, world.workspace) && real !== found?.gitDir)
      throw new WritError('GIT_REPOSITORY.gitDir', { folder: dir })
  }
  if (found === undefined) return { from }
  const worktree = lastOf(found.settings, 'core.worktree')
  if (worktree !== undefined && realOf(resolve(found.gitDir, worktree)) !== found.top)
    throw new WritError('GIT_REPOSITORY.worktree', { gitDir: found.gitDir, worktree })
  return { from, repository: found }
}

/** True when part of the working tree is outside the workspace. */
export function isBelowRoot({ repository }: GitPlace, world: World): boolean {
  return repository !== undefined && !isWithin(repository.top, world.workspace)
}

function namedFolders(globals: GitCommand['globals'], option: string, from: string): string[] {
  return globals.flatMap((arg, i) => {
    const value =
      arg === `--${option}` ? globals[i + 1] : arg.startsWith(`--${option}=`) ? arg.slice(option.length + 3) : undefined
    return value === undefined ? [] : [resolve(from, value)]
  })
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
