/** Finds the repository a git command would use by reading files, without running git. */
import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { WritError } from '../../errors/writ-error.ts'
import type { World } from '../tool.ts'
import { lastOf, readSettings, readSmall, type Setting } from './git-config.ts'
import { isWithin } from './paths.ts'

export interface Repository {
  /** The folder that contains `.git`: the root of the working tree. */
  top: string
  /** The folder of this working tree, with HEAD and the index. */
  gitDir: string
  /** Shared by all working trees: objects, branches, settings, hooks. */
  commonDir: string
  settings: readonly Setting[]
  /** Further files with settings of the repository. */
  includes: readonly string[]
}

/** Git would find a repository here that must not be used. */
export interface Unusable {
  why: WritError
}

/** Undefined: git finds no repository from this folder. */
export function findRepository(from: string, world: World): Repository | Unusable | undefined {
  let at: string
  try {
    at = realpathSync(from)
  } catch {
    return undefined
  }
  for (;;) {
    const dotGit = join(at, '.git')
    const kind = kindOf(dotGit)
    if (kind === 'link') return { why: new WritError('GIT_REPOSITORY.link', { path: dotGit }) }
    if (kind === 'file') return linkedRepository(at, world)
    if (kind === 'folder' && looksBare(dotGit)) return describe({ top: at, gitDir: dotGit }, world)
    // Files of a clone can imitate a bare repository, with settings that start programs.
    if (looksBare(at)) return { why: new WritError('GIT_REPOSITORY.bare', { path: at }) }
    const above = dirname(at)
    if (above === at) return undefined
    at = above
  }
}

function kindOf(path: string): 'link' | 'file' | 'folder' | 'none' {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 'none'
  if (stat.isSymbolicLink()) return 'link'
  return stat.isDirectory() ? 'folder' : 'file'
}

/** Git's test: HEAD, and objects and refs, its own or shared ones. */
function looksBare(folder: string): boolean {
  const has = (name: string): boolean => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined
  return has('HEAD') && (has('commondir') || (has('objects') && has('refs')))
}

/** A linked working tree or a submodule: `.git` is a file that points to its folder. */
function linkedRepository(top: string, world: World): Repository | Unusable {
  const dotGit = join(top, '.git')
  const named = /^gitdir: (.+?)\s*$/s.exec(readSmall(dotGit) ?? '')?.[1]
  const gitDir = named === undefined ? undefined : realOf(isAbsolute(named) ? named : join(top, named))
  if (gitDir === undefined || !looksBare(gitDir))
    return { why: new WritError('GIT_REPOSITORY.missing', { path: dotGit }) }
  const found = describe({ top, gitDir }, world)
  if ('why' in found || isWithin(gitDir, world.workspace)) return found
  // Anyone can write such a file. Only the real repository can confirm that this working tree belongs to it.
  const back = readSmall(join(gitDir, 'gitdir'))?.trim()
  const worktree = lastOf(found.settings, 'core.worktree')
  const claims = [
    ...(back === undefined ? [] : [resolve(gitDir, back)]),
    ...(worktree === undefined ? [] : [join(resolve(gitDir, worktree), '.git')]),
  ]
  return claims.some((claim) => realOf(dirname(claim)) === top)
    ? found
    : { why: new WritError('GIT_REPOSITORY.unclaimed', { gitDir }) }
}

function describe({ top, gitDir }: { top: string; gitDir: string }, world: World): Repository | Unusable {
  const shared = readSmall(join(gitDir, 'commondir'))?.trim()
  const commonDir = shared === undefined ? gitDir : realOf(resolve(gitDir, shared))
  const pointer = join(gitDir, 'commondir')
  if (commonDir === undefined) return { why: new WritError('GIT_REPOSITORY.missing', { path: pointer }) }
  // A linked working tree's folder is inside the folder it shares. Any other target is another repository's settings.
  if (shared !== undefined && commonDir !== gitDir && dirname(dirname(gitDir)) !== commonDir) {
    return { why: new WritError('GIT_REPOSITORY.other', { path: pointer, target: commonDir }) }
  }
  const { HOME: home } = world.env
  const own = readSettings(join(commonDir, 'config'), { home })
  const tree = readSettings(join(gitDir, 'config.worktree'), { home })
  return {
    top,
    gitDir,
    commonDir,
    settings: [...own.settings, ...tree.settings],
    includes: [...own.includes, ...tree.includes],
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** The current branch; undefined when there is none. */
export function currentBranch({ gitDir }: Repository): string | undefined {
  return /^ref: refs\/heads\/(.+)$/.exec(readSmall(join(gitDir, 'HEAD'))?.trim() ?? '')?.[1]
}

/** True when a branch, tag or remote branch of this name exists. */
export function isReference(name: string, { commonDir }: Repository): boolean {
  if (!isReferenceName(name)) return false
  const places = ['heads', 'tags', 'remotes', '', ...remotesIn(commonDir)].map((kind) => join('refs', kind, name))
  if (places.some((place) => lstatSync(join(commonDir, place), { throwIfNoEntry: false })?.isFile() === true))
    return true
  const packed = readSmall(join(commonDir, 'packed-refs')) ?? ''
  const names = new Set(places)
  return packed.split('\n').some((line) => names.has(line.slice(line.indexOf(' ') + 1)))
}

export function isLocalBranch(name: string, repository: Repository): boolean {
  const { commonDir } = repository
  if (!isReferenceName(name)) return false
  if (lstatSync(join(commonDir, 'refs', 'heads', name), { throwIfNoEntry: false })?.isFile() === true) return true
  const packed = readSmall(join(commonDir, 'packed-refs')) ?? ''
  return packed.split('\n').some((line) => line.endsWith(` refs/heads/${name}`))
}

/** Branches that were seen on a remote so far. Local branches and tags do not tell what a remote has. */
export function remoteBranches(world: World): Set<string> {
  const found = findRepository(world.workspace, world)
  if (found === undefined || 'why' in found) return new Set()
  const { commonDir } = found
  const packed = (readSmall(join(commonDir, 'packed-refs')) ?? '')
    .split('\n')
    .map((line) => line.slice(line.indexOf(' ') + 1))
  const loose = filesBelow(join(commonDir, 'refs', 'remotes')).map((name) => `refs/remotes/${name}`)
  const names = [...packed, ...loose].map((name) => /^refs\/remotes\/[^/]+\/(.+)$/.exec(name)?.[1])
  return new Set(names.filter((name) => name !== undefined))
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
}

function remotesIn(commonDir: string): string[] {
  try {
    return readdirSync(join(commonDir, 'refs', 'remotes')).map((name) => join('remotes', name))
  } catch {
    return []
  }
}

/** The rules of `git check-ref-format`: anything else is not a branch, so it can only be a path. */
export function isReferenceName(name: string): boolean {
  if (/(^|\/)\.|\.\.|[\s~^:?*[\\\x7f]|@\{|\/\/|\/$|^\/|\.$|\.lock(\/|$)/.test(name)) return false
  return name !== '' && name !== '@'
}

/** Hooks that git would run: executable files in the hooks folder, without samples. */
export function activeHooks({ commonDir, top, settings }: Repository): string[] {
  const named = lastOf(settings, 'core.hookspath')
  const folder = named === undefined ? join(commonDir, 'hooks') : resolve(top, named)
  try {
    return readdirSync(folder).filter((name) => {
      const stat = lstatSync(join(folder, name), { throwIfNoEntry: false })
      return !name.endsWith('.sample') && stat !== undefined && (stat.isSymbolicLink() || (stat.mode & 0o111) !== 0)
    })
  } catch {
    return []
  }
}
