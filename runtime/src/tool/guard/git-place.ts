/** Where a git command line works: its folder and its repository, or why it may not work there. */
import { realpathSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { WritError } from '../../base/errors.ts'
import type { World } from '../tool.ts'
import { type GitCommand, splitGit } from './git-args.ts'
import { lastOf } from './git-config.ts'
import { findRepository, type Repository } from './git-repository.ts'
import { isWithin } from './paths.ts'

export interface GitPlace {
  /** Where the command starts: the workspace, or what `-C` says. */
  from: string
  repository?: Repository
}

/** The folder after every `-C`, each one taken from where the last one led. */
export function startOf(globals: readonly string[], start: string): string {
  return globals.reduce((at, arg, i) => {
    const folder = /^-C(.+)/s.exec(arg)?.[1] ?? (arg === '-C' ? (globals[i + 1] ?? '') : undefined)
    return folder === undefined ? at : isAbsolute(folder) ? folder : join(at, folder)
  }, start)
}

/** Throws when the repository is none that may be worked with. */
export function gitPlace(args: readonly string[], world: World, start = world.workspace): GitPlace {
  const { globals } = splitGit(args)
  const from = startOf(globals, start)
  // Where it leads outside, the path is what is refused, and nothing is read there.
  if (!isWithin(realOf(from) ?? '', world.workspace)) return { from }
  if (globals.includes('--bare')) throw refused('--bare takes any folder for a repository')
  const found = findRepository(from, world)
  if (found !== undefined && 'why' in found) throw refused(found.why)
  for (const dir of namedFolders(globals, 'git-dir', from)) {
    const real = realOf(dir) ?? dir
    if (isWithin(real, world.workspace) && real !== found?.gitDir)
      throw refused(`--git-dir names ${dir}, which is not the repository of that folder`)
  }
  if (found === undefined) return { from }
  const worktree = lastOf(found.settings, 'core.worktree')
  if (worktree !== undefined && realOf(resolve(found.gitDir, worktree)) !== found.top)
    throw refused(`core.worktree of ${found.gitDir} leads to ${worktree}`)
  return { from, repository: found }
}

function refused(why: string): WritError {
  return new WritError('GIT_REPOSITORY', `git may not work here: ${why}`, {
    hint: 'Work in a folder that holds its own .git, named with -C.',
  })
}

/** True when files of the working tree lie outside the workspace. */
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
