/** Which repository a git command would work on, found by reading files: no git is started to tell. */
import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { World } from '../tool.ts'
import { lastOf, readSettings, readSmall, type Setting } from './git-config.ts'
import { isWithin } from './paths.ts'

export interface Repository {
  /** The folder that holds `.git`; everything below it is the working tree. */
  top: string
  /** This working tree's own folder: HEAD and index. */
  gitDir: string
  /** What all working trees share: objects, branches, settings, hooks. */
  commonDir: string
  settings: readonly Setting[]
  /** Files its settings are taken from, beside its own. */
  includes: readonly string[]
}

/** What lies where git would look, when it is nothing to work with. */
export interface Unusable {
  why: string
}

/** Undefined: git finds no repository from there. */
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
    if (kind === 'link') return { why: `${dotGit} is a symbolic link` }
    if (kind === 'file') return linkedRepository(at, world)
    if (kind === 'folder' && looksBare(dotGit)) return describe({ top: at, gitDir: dotGit }, world)
    // Files that a clone brings along can look like a repository, settings that start programs included.
    if (looksBare(at)) return { why: `${at} is a bare repository, or made to look like one` }
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

/** As git tells one: HEAD, and objects and refs, its own or those of a shared folder. */
function looksBare(folder: string): boolean {
  const has = (name: string): boolean => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined
  return has('HEAD') && (has('commondir') || (has('objects') && has('refs')))
}

/** A linked working tree or a submodule: `.git` is a file that says where its folder is. */
function linkedRepository(top: string, world: World): Repository | Unusable {
  const dotGit = join(top, '.git')
  const named = /^gitdir: (.+?)\s*$/s.exec(readSmall(dotGit) ?? '')?.[1]
  const gitDir = named === undefined ? undefined : realOf(isAbsolute(named) ? named : join(top, named))
  if (gitDir === undefined || !looksBare(gitDir)) return { why: `${dotGit} leads to no repository` }
  const found = describe({ top, gitDir }, world)
  if ('why' in found || isWithin(gitDir, world.workspace)) return found
  // Anyone can write such a file; only the real repository can say in return that this working tree is one of its own.
  const back = readSmall(join(gitDir, 'gitdir'))?.trim()
  const worktree = lastOf(found.settings, 'core.worktree')
  const claims = [
    ...(back === undefined ? [] : [resolve(gitDir, back)]),
    ...(worktree === undefined ? [] : [join(resolve(gitDir, worktree), '.git')]),
  ]
  return claims.some((claim) => realOf(dirname(claim)) === top)
    ? found
    : { why: `${gitDir} does not know this working tree` }
}

function describe({ top, gitDir }: { top: string; gitDir: string }, world: World): Repository | Unusable {
  const shared = readSmall(join(gitDir, 'commondir'))?.trim()
  const commonDir = shared === undefined ? gitDir : realOf(resolve(gitDir, shared))
  if (commonDir === undefined) return { why: `${join(gitDir, 'commondir')} leads nowhere` }
  // A linked working tree lies in the folder that it shares. Any other target is somebody else's settings.
  if (shared !== undefined && commonDir !== gitDir && dirname(dirname(gitDir)) !== commonDir) {
    return { why: `${join(gitDir, 'commondir')} leads to ${commonDir}, another repository` }
  }
  const { HOME: home } = world.env
  const given = home === undefined ? {} : { home }
  const own = readSettings(join(commonDir, 'config'), given)
  const tree = readSettings(join(gitDir, 'config.worktree'), given)
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

/** The branch that is checked out; undefined when none is. */
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

/** Branches that remotes were seen to have so far. Those made here, and tags, are no sign of what a remote has. */
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

/** As `git check-ref-format` has it: what is no such name is not a branch, so it can only be a path. */
export function isReferenceName(name: string): boolean {
  if (/(^|\/)\.|\.\.|[\s~^:?*[\\\x7f]|@\{|\/\/|\/$|^\/|\.$|\.lock(\/|$)/.test(name)) return false
  return name !== '' && name !== '@'
}

/** Hooks that git would start: programs in its folder for them, samples aside. */
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
