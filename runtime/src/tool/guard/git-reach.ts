/** Which closed files a git command would show: by name, by `revision:path`, by pathspec, or by reading all there is. */
import { existsSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import type { World } from '../tool.ts'
import { gitPaths, splitGit } from './git-args.ts'
import { lookingGit, wereTracked } from './git-process.ts'
import { wildcards } from './globs.ts'
import { findClosed, isClosed, type Reach, sweptFolder } from './hidden.ts'
import { hasOption } from './options.ts'
import { describePath, isWithin, type PathUse, realData } from './paths.ts'

/** Options whose next word is text and no path; `-m` is another thing to those that print. */
const TEXT_OPTION = /^(-S|-G|--(message|author|grep|format|trailer|date))$/
const MESSAGE_OPTION = /^-[a-zA-Z]*m$/
const TAKES_MESSAGE = new Set(['commit', 'merge', 'notes', 'stash', 'tag'])
/** Commands whose `a:b` is an address, or a branch there and one here. */
const REMOTE = new Set(['clone', 'fetch', 'ls-remote', 'pull', 'push', 'remote', 'submodule'])
const MAX_LOOK = 50_000

export async function gitReach(args: readonly string[], start: string, world: World): Promise<Reach> {
  const { subcommand, globals, rest } = splitGit(args)
  const from = startOf(globals, start)
  const words = fileWords(subcommand, rest)
  const paths = words.map(({ path }) => path)
  const named = await Promise.all(
    words.map(async ({ path, isSure }) => {
      const fact = await describePath({ path, access: 'read', from }, world)
      return isClosed(fact, world) && (isSure || (await isThere(path, { from, globals, world }))) ? [fact] : []
    }),
  )
  const globs = paths.filter((path) => /[*?[]/.test(path))
  const closed = globs.length === 0 ? [] : await findClosed(from, world, { dots: true, max: MAX_LOOK })
  const matched = (closed ?? []).filter((real) => globs.some((glob) => matches(glob, relative(from, real))))
  const roots = sweptRoots(subcommand, rest, { words: paths, isRepository: existsSync(join(from, '.git')) })
  const sweeps = await Promise.all(
    roots.map((path) => sweptFolder({ path, by: `git ${subcommand}`, dots: true }, { from, world })),
  )
  return {
    paths: [
      ...named.flat(),
      ...(await Promise.all(matched.map((path) => describePath({ path, access: 'read' }, world)))),
    ],
    sweeps: [
      ...sweeps.filter((why) => why !== undefined),
      ...(closed === undefined ? [`what git ${subcommand} matches is too much to look through`] : []),
    ],
  }
}

/** What the arguments name beyond git's own bookkeeping, without branches that are called like a blocked file. */
export async function namedUses(args: readonly string[], world: World): Promise<PathUse[]> {
  const { globals, rest } = splitGit(args)
  const afterDashes = rest.slice(rest.indexOf('--') + 1)
  const isSure = (path: string): boolean => rest.includes('--') && afterDashes.includes(path)
  const kept = gitPaths(args, world.workspace).map(async (use) => {
    if (use.whole !== true || isSure(use.path)) return [use]
    const fact = await describePath(use, world)
    if (fact.isProtected || !isClosed(fact, world)) return [use]
    return (await isThere(use.path, { from: startOf(globals, world.workspace), globals, world })) ? [use] : []
  })
  return (await Promise.all(kept)).flat()
}

function startOf(globals: readonly string[], start: string): string {
  return globals.reduce((at, arg, i) => {
    const folder = /^-C(.+)/s.exec(arg)?.[1] ?? (arg === '-C' ? (globals[i + 1] ?? '') : undefined)
    return folder === undefined ? at : isAbsolute(folder) ? folder : join(at, folder)
  }, start)
}

/** Whether a word can be a path at all: on the disk, or in what git keeps. */
async function isThere(
  path: string,
  { from, globals, world }: { from: string; globals: readonly string[]; world: World },
): Promise<boolean> {
  const isOnDisk = await lstat(isAbsolute(path) ? path : join(from, path)).then(
    () => true,
    () => false,
  )
  if (isOnDisk || globals.some((arg) => /^--(git-dir|work-tree|bare)/.test(arg))) return true
  return wereTracked([`:(literal)${path}`], lookingGit(['-C', from], world))
}

interface FileWord {
  path: string
  /** False when it may as well be the name of a branch or anything else. */
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
    // Of `HEAD~1:a..HEAD:b` both sides are shown.
    return [value, ...(value.includes(':') ? value.split(/\.{2,3}/) : [])].map((part) => {
      const path = pathIn(part)
      return { path, isSure: path !== part }
    })
  })
  // What a pathspec leaves out is not shown.
  return words.filter(({ path }) => path !== '' && !/^:(\([^)]*exclude|[/]?[!^])/.test(path))
}

/** The value that may hang on short options, as in `-lf.env`. */
function attached(arg: string, isText: (option: string) => boolean): FileWord[] {
  const letters = /^-([a-zA-Z]+)/.exec(arg)?.[1] ?? ''
  return [...letters]
    .map((_, i) => i + 2)
    .filter((at) => at < arg.length && !isText(arg.slice(0, 2)) && !isText(arg.slice(0, at)))
    .map((at) => ({ path: arg.slice(at), isSure: false }))
}

/** Where `revision:path` parts. A colon in braces belongs to a date or a message. */
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

/** The path of `revision:path`, `:0:path` and of a pathspec with its magic taken off. */
function pathIn(word: string): string {
  if (/^:(\([^)]*exclude|[/]?[!^])/.test(word)) return word
  const plain = word.replace(/^:\([^)]*\)/, '')
  if (plain !== word) return plain
  const indexed = /^:(?:[0-3]:|\/)?(.+)$/s.exec(word)?.[1]
  if (indexed !== undefined) return indexed
  const at = partingAt(word)
  return at < 0 || word.startsWith('//', at + 1) ? word : word.slice(at + 1)
}

/** A pathspec's star crosses folders, and one that matches a folder matches all in it. */
function matches(glob: string, path: string): boolean {
  const expression = new RegExp(`^(?:\\./)?${wildcards(glob)}(?:/.*)?$`, 'is')
  return expression.test(path) || expression.test(`${path}/x`)
}

function sweptRoots(
  subcommand: string,
  rest: readonly string[],
  { words, isRepository }: { words: readonly string[]; isRepository: boolean },
): readonly string[] {
  const isOutside = rest.includes('--no-index')
  if (subcommand === 'diff' && (isOutside || !isRepository)) return words
  if (subcommand !== 'grep' || !(hasOption(rest, { long: 'no-index untracked' }) || !isRepository)) return []
  return words.length === 0 ? ['.'] : words
}

/** Pathspecs for what is closed: those that find it, and those that leave it out. */
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
