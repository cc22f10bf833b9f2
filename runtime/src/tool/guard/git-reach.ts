/** Which closed files a git command would show: by name, by `revision:path`, by pathspec, or by reading everything. */
import { existsSync, lstatSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { matchesWildcards } from '../../base/wildcards.ts'
import { why } from '../../i18n/why.ts'
import type { PathFact } from '../../protocol/facts.ts'
import type { World } from '../tool.ts'
import { findClosed, isClosed, type Reach, sweptFolderDoubt } from './closed-files.ts'
import { gitPaths, splitGit } from './git-args.ts'
import { startOf } from './git-place.ts'
import { findRepository, isReference, isReferenceName, type Repository } from './git-repository.ts'
import { hasOption } from './options.ts'
import { describePath, isWithin, type PathUse, realData } from './paths.ts'

/** Options whose next word is text. For commands that print, `-m` means something else. */
const TEXT_OPTION = /^(-S|-G|--(message|author|grep|format|trailer|date))$/
const MESSAGE_OPTION = /^-[a-zA-Z]*m$/
const TAKES_MESSAGE = new Set(['commit', 'merge', 'notes', 'stash', 'tag'])
/** For these commands `a:b` is an address, or a remote and a local branch. */
const REMOTE = new Set(['clone', 'fetch', 'ls-remote', 'pull', 'push', 'remote', 'submodule'])
const MAX_ENTRIES = 50_000

/** Commands whose words name branches, commits or remotes, never a file to show. */
const NO_FILES = new Set(
  'bisect branch cherry-pick clone fetch ls-remote merge merge-base pull push rebase remote revert switch symbolic-ref tag update-ref worktree'.split(
    ' ',
  ),
)

interface GitLocation {
  from: string
  world: World
}

export interface GitReach extends Reach {
  /** Named like a closed file, but neither on disk nor a branch: only the history knows what it is. */
  doubtful: PathFact[]
}

/** Reads files only; git is not started. */
export async function gitReach(args: readonly string[], start: string, world: World): Promise<GitReach> {
  const { subcommand, globals, rest } = splitGit(args)
  const from = startOf(globals, start)
  const words = fileWords(subcommand, rest)
  const paths = words.map(({ path }) => path)
  const found = isInside(from, world) ? findRepository(from, world) : undefined
  const repository = found === undefined || 'why' in found ? undefined : found
  const named: PathFact[] = []
  const doubtful: PathFact[] = []
  for (const { path, isSure } of words) {
    const fact = await describePath({ path, access: 'read', from }, world)
    if (!isClosed(fact, world)) continue
    const kind = isSure ? 'file' : kindOfWord(path, { subcommand, from, repository })
    if (kind === 'file') named.push(fact)
    else if (kind === 'unknown') doubtful.push(fact)
  }
  const globs = paths.filter((path) => /[*?[]/.test(path))
  const closed = globs.length === 0 ? [] : await findClosed(from, world, { dots: true, max: MAX_ENTRIES })
  const matched = (closed ?? []).filter((real) => globs.some((glob) => matches(glob, relative(from, real))))
  const isRepository = repository !== undefined || existsSync(join(from, '.git'))
  const roots = sweptRoots(subcommand, rest, { words: paths, isRepository })
  const sweeps = await Promise.all(
    roots.map((path) => sweptFolderDoubt({ path, by: `git ${subcommand}`, dots: true }, { from, world })),
  )
  const linked = await leadingOut(subcommand, rest, { from, world })
  return {
    doubtful,
    paths: [
      ...named,
      ...linked,
      ...(await Promise.all(matched.map((path) => describePath({ path, access: 'read' }, world)))),
    ],
    sweeps: [
      ...sweeps.filter((each) => each !== undefined),
      ...(closed === undefined ? [why('gitMatchesMany', { subcommand })] : []),
    ],
  }
}

function isInside(from: string, world: World): boolean {
  return isWithin(join(from), world.workspace)
}

/** Whether a word that is named like a closed file is one. */
function kindOfWord(
  word: string,
  { subcommand, from, repository }: { subcommand: string; from: string; repository: Repository | undefined },
): 'file' | 'name' | 'unknown' {
  if (isOnDisk(isAbsolute(word) ? word : join(from, word))) return 'file'
  if (NO_FILES.has(subcommand)) return 'name'
  const name = word.replace(/(\^|~|@\{).*$/s, '')
  if (!isReferenceName(name)) return 'file'
  return repository !== undefined && isReference(name, repository) ? 'name' : 'unknown'
}

function isOnDisk(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

/** Commands that read the named files directly, following links, whatever the repository contains. */
const READS_FILES = new Set(
  'am annotate apply archive blame bundle commit config diff fast-import grep hash-object interpret-trailers mailinfo merge merge-file notes stripspace tag'.split(
    ' ',
  ),
)

/** Paths that the arguments name, without branches that are named like a blocked file. */
export async function namedUses(args: readonly string[], world: World): Promise<PathUse[]> {
  const { subcommand, globals, rest } = splitGit(args)
  const from = startOf(globals, world.workspace)
  const afterDashes = rest.slice(rest.indexOf('--') + 1)
  const isSure = (path: string): boolean => rest.includes('--') && afterDashes.includes(path)
  const kept = gitPaths(args, world.workspace).map(async (use) => {
    if (use.whole !== true || isSure(use.path)) return [use]
    const fact = await describePath(use, world)
    if (fact.isProtected || !isClosed(fact, world)) return [use]
    return kindOfWord(use.path, { subcommand, from, repository: undefined }) === 'file' ? [use] : []
  })
  return (await Promise.all(kept)).flat()
}

/** Options whose value is a file, alone or combined with other short options. */
const FILE_OPTION = /^-[a-zA-Z]*[SfF]$/

/**
 * Words and option values that lead out of the workspace, for example through a link: `commit -F link` would read its
 * target. Also closed files given as the value of a file option.
 */
async function leadingOut(
  subcommand: string,
  rest: readonly string[],
  { from, world }: GitLocation,
): Promise<PathFact[]> {
  if (!READS_FILES.has(subcommand)) return []
  const words = rest.flatMap((arg, i): { path: string; isFile: boolean }[] => {
    if (arg.startsWith('--')) return [{ path: arg.replace(/^--[\w-]+=?/, ''), isFile: arg.includes('=') }]
    if (arg.startsWith('-')) return attachedParts(arg).map((path) => ({ path, isFile: subcommand !== 'diff' }))
    return [{ path: arg, isFile: subcommand !== 'diff' && FILE_OPTION.test(rest[i - 1] ?? '') }]
  })
  const named = words.filter(({ path }) => path !== '' && isOnDisk(resolve(from, path)))
  const facts = await Promise.all(named.map(({ path }) => describePath({ path, access: 'read', from }, world)))
  return facts.filter((fact, i) => !fact.insideWorkspace || (named[i]?.isFile === true && isClosed(fact, world)))
}

function attachedParts(arg: string): string[] {
  return [...arg].map((_, i) => arg.slice(i)).slice(2)
}

interface FileWord {
  path: string
  /** False when it may also be a branch or something else. */
  isSure: boolean
}

function fileWords(subcommand: string, rest: readonly string[]): FileWord[] {
  const end = rest.indexOf('--')
  const isText = (option: string): boolean =>
    TEXT_OPTION.test(option) || (TAKES_MESSAGE.has(subcommand) && MESSAGE_OPTION.test(option))
  const hasPattern = subcommand !== 'grep' || rest.some((arg) => /^(-e|-f)/.test(arg))
  const patternAt = hasPattern ? -1 : rest.findIndex((arg) => !arg.startsWith('-'))
  const words = rest.flatMap((arg, i): FileWord[] => {
    if (i === patternAt) return []
    if (end >= 0 && i > end) return [{ path: pathIn(arg), isSure: true }]
    if (isText(rest[i - 1] ?? '')) return []
    const lines = /^-L[^:]*:(.+)$/s.exec(arg)?.[1]
    if (lines !== undefined) return [{ path: lines, isSure: true }]
    if (/^--(message|author|grep|format|pretty|date)=/.test(arg)) return []
    const value = /^--[\w-]+=(.*)$/s.exec(arg)?.[1] ?? arg
    if (value.startsWith('-')) return attached(value, isText)
    if (REMOTE.has(subcommand)) return [{ path: value, isSure: false }]
    // `HEAD~1:a..HEAD:b` shows both sides.
    return [value, ...(value.includes(':') ? value.split(/\.{2,3}/) : [])].map((part) => {
      const path = pathIn(part)
      return { path, isSure: path !== part }
    })
  })
  // Excluding pathspecs show nothing.
  return words.filter(({ path }) => path !== '' && !/^:(\([^)]*exclude|[/]?[!^])/.test(path))
}

/** Values attached to short options, as in `-lf.env`. */
function attached(arg: string, isText: (option: string) => boolean): FileWord[] {
  const letters = /^-([a-zA-Z]+)/.exec(arg)?.[1] ?? ''
  return [...letters]
    .map((_, i) => i + 2)
    .filter((at) => at < arg.length && !isText(arg.slice(0, 2)) && !isText(arg.slice(0, at)))
    .map((at) => ({ path: arg.slice(at), isSure: false }))
}

/** The colon of `revision:path`. A colon in braces belongs to a date or a message. */
function partingAt(word: string): number {
  let depth = 0
  for (let i = 0; i < word.length; i++) {
    if (word[i] === '{') depth++
    else if (depth > 0 && word[i] === '}') depth--
    else if (depth === 0 && word[i] === ':') return i
  }
  return -1
}

/** The revision of `revision:path`. */
export function revisionIn(word: string): string {
  const at = partingAt(word)
  return at < 0 ? word : word.slice(0, at)
}

/** The path of `revision:path`, `:0:path`, or a pathspec without its magic. */
function pathIn(word: string): string {
  if (/^:(\([^)]*exclude|[/]?[!^])/.test(word)) return word
  const plain = word.replace(/^:\([^)]*\)/, '')
  if (plain !== word) return plain
  const indexed = /^:(?:[0-3]:|\/)?(.+)$/s.exec(word)?.[1]
  if (indexed !== undefined) return indexed
  const at = partingAt(word)
  return at < 0 || word.startsWith('//', at + 1) ? word : word.slice(at + 1)
}

/** In a pathspec, `*` crosses folders, and matching a folder matches everything in it. */
function matches(glob: string, path: string): boolean {
  const plain = path.replace(/^\.\//, '')
  const ends = [...plain.matchAll(/\//g)].map(({ index }) => plain.slice(0, index))
  return [plain, `${plain}/x`, ...ends].some((end) => matchesWildcards(glob, end))
}

function sweptRoots(
  subcommand: string,
  rest: readonly string[],
  { words, isRepository }: { words: readonly string[]; isRepository: boolean },
): readonly string[] {
  // Moved to another name, a file would no longer be closed.
  if (subcommand === 'mv') return words
  const isOutside = rest.includes('--no-index')
  if (subcommand === 'diff' && (isOutside || !isRepository)) return words
  if (subcommand !== 'grep' || !(hasOption(rest, { long: 'no-index untracked' }) || !isRepository)) return []
  return words.length === 0 ? ['.'] : words
}

/** Pathspecs that find the closed files, and pathspecs that exclude them. */
export async function closedPathspecs(world: World): Promise<{ find: string[]; leaveOut: string[] }> {
  const data = await realData(world)
  const isInside = (path: string): boolean => path !== world.workspace && isWithin(path, world.workspace)
  const entries = world.blockedPaths.map((entry) => entry.replace(/\/+$/, '')).filter((entry) => entry !== '')
  const blocked = entries.flatMap((entry) => {
    if (!isAbsolute(entry)) return [`**/${escaped(entry)}`]
    return isInside(entry) ? [escaped(relative(world.workspace, entry))] : []
  })
  const globs = blocked.flatMap((glob) => [glob, `${glob}/**`])
  if (data !== undefined && isInside(data)) {
    const own = escaped(relative(world.workspace, data))
    globs.push(`${own}/*`, `${own}/mcp/**`)
  }
  const spec = (magic: string) => globs.map((glob) => `:(top,${magic}icase,glob)${glob}`)
  return { find: spec(''), leaveOut: spec('exclude,') }
}

function escaped(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&')
}
