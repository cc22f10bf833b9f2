/** Which files a git call may write in the repository's own folder, and the cleanup after it. */
import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join, relative } from 'node:path'
import { WritError } from '../../errors/writ-error.ts'
import type { World } from '../tool.ts'
import { closedPathTest } from './closed-files.ts'
import { splitGit } from './git-args.ts'
import { trackedPaths } from './git-index.ts'
import { type GitPlace, isBelowRoot } from './git-place.ts'
import { isLocalBranch, isReference, type Repository } from './git-repository.ts'
import { GIT_TABLE } from './git-table.ts'
import { hasOption } from './options.ts'
import type { ExtraAccess } from './sandbox.ts'

/** Files that decide which programs git starts, in the shared folder and in each working tree's folder. */
const HOOKS_AND_CONFIG = ['config', 'config.worktree', 'commondir', 'hooks', 'info/attributes', 'info/grafts']
const MAX_MODULES = 200
/** Commands that compare working tree files with the index, or write them. */
const READS_TREE = new Set(
  'add am apply checkout cherry-pick clean commit diff diff-files diff-index merge mv pull rebase reset restore revert rm stash status switch update-index'.split(
    ' ',
  ),
)

/** True when the command writes the repository's settings file. */
export function needsSettings(args: readonly string[], { repository }: GitPlace): boolean {
  const { subcommand, rest } = splitGit(args)
  const settings = GIT_TABLE.get(subcommand)?.settings
  if (settings === undefined) return false
  if (settings === true) return true
  if (settings.options !== undefined && hasOption(rest, settings.options)) return true
  // Checking out a branch that only the remote has creates it here, and records its upstream.
  const [word] = rest.filter((arg) => !arg.startsWith('-'))
  if (repository === undefined || word === undefined || !/^(checkout|switch)$/.test(subcommand)) return false
  return isReference(word, repository) && !isLocalBranch(word, repository)
}

interface Call {
  args: readonly string[]
  world: World
  place: GitPlace
}

export class GitFiles {
  readonly #call: Call
  readonly #programs: boolean
  readonly #absent: string[]

  constructor(call: Call, { programs }: { programs: boolean }) {
    this.#call = call
    this.#programs = programs
    this.#absent = this.#hooksAndConfig().filter((path) => !existsSync(path))
  }

  /** For reads: nothing is writable, also for the programs that the repository's settings name. */
  readingAccess(): ExtraAccess {
    return { read: [...this.#folders(), ...this.#around()], blocked: !this.#programs, readOnly: true }
  }

  /** Programs of the repository must not see blocked files. Git alone needs them, to tell what changed. */
  writingAccess(): ExtraAccess {
    const { args, place } = this.#call
    const isOpen = !this.#programs && needsSettings(args, place)
    // A patch is untrusted text, and it names the files that it copies, moves and writes.
    const isPatch = /^(apply|am)$/.test(splitGit(args).subcommand)
    const shut = this.#hooksAndConfig().filter((path) => existsSync(path) && !(isOpen && !path.endsWith('/hooks')))
    return {
      read: [...this.#folders(), ...this.#around()],
      write: this.#folders(),
      deny: shut,
      tree: !isPatch,
      keepsAutorun: isPatch,
      blocked: !this.#programs && !isPatch,
    }
  }

  /** With blocked files hidden, git would see the tracked ones as deleted, and record that. */
  async check(): Promise<void> {
    const { args, world, place } = this.#call
    const { subcommand, rest } = splitGit(args)
    if (!this.#programs || place.repository === undefined || world.blockedPaths.length === 0) return
    if (!READS_TREE.has(subcommand)) return
    if (subcommand === 'commit' && !hasOption(rest, { long: 'all include only', letters: 'aio', valued: 'mFCct' }))
      return
    const { top, gitDir } = place.repository
    const isClosed = await closedPathTest(world)
    const tracked = trackedPaths(join(gitDir, 'index'))
    const found = tracked?.find((path) => isClosed(join(top, path)))
    if (tracked !== undefined && found === undefined) return
    throw new WritError('PATH_BLOCKED.tracked', { path: found })
  }

  /** Moves aside hooks and settings that appeared during the call; returns their paths. */
  moveAsidePlanted(): string[] {
    if (!this.#programs) return []
    const made = this.#absent.filter((path) => existsSync(path))
    for (const path of made) renameSync(path, `${path}.refused-${Date.now()}`)
    return made
  }

  /**
   * The rest of a working tree that starts above the workspace, entry by entry: mounted as a whole it would cover
   * `.git`.
   */
  #around(): string[] {
    const { place, world } = this.#call
    if (place.repository === undefined || !isBelowRoot(place, world)) return []
    const { top } = place.repository
    const way = relative(top, world.workspace).split('/')
    return way.flatMap((name, i) => {
      const folder = join(top, ...way.slice(0, i))
      return readdirSync(folder)
        .filter((entry) => entry !== name && entry !== '.git')
        .map((entry) => join(folder, entry))
    })
  }

  #folders(): string[] {
    const { repository } = this.#call.place
    return repository === undefined ? [] : [...new Set([repository.commonDir, repository.gitDir])]
  }

  #hooksAndConfig(): string[] {
    const { repository } = this.#call.place
    if (repository === undefined) return []
    const isShared = repository.commonDir !== repository.gitDir
    const own = [repository.commonDir, ...modulesOf(repository)].flatMap((folder) =>
      HOOKS_AND_CONFIG.map((name) => join(folder, name)),
    )
    const others = worktreesOf(repository).flatMap((folder) =>
      ['commondir', 'gitdir', 'config.worktree'].map((name) => join(folder, name)),
    )
    return [...own.filter((path) => path !== join(repository.commonDir, 'commondir') || !isShared), ...others]
  }
}

function worktreesOf({ commonDir }: Repository): string[] {
  return foldersIn(join(commonDir, 'worktrees'))
}

/** Submodules have their own repositories, which may contain submodules again. */
export function modulesOf({ commonDir }: Repository): string[] {
  const found: string[] = []
  const pending = foldersIn(join(commonDir, 'modules'))
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (found.length > MAX_MODULES) break
    if (existsSync(join(folder, 'HEAD'))) found.push(folder)
    else pending.push(...foldersIn(folder))
    pending.push(...foldersIn(join(folder, 'modules')))
  }
  return found
}

function foldersIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(path, entry.name))
  } catch {
    return []
  }
}
