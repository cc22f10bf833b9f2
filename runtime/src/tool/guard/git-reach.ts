/** Which closed files a git command would show: by name, by `revision:path`, by pathspec, or by reading all there is. */
import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import type { World } from '../tool.ts'
import { splitGit } from './git-args.ts'
import { wildcards } from './globs.ts'
import { findClosed, isClosed, type Reach, sweptFolder } from './hidden.ts'
import { describePath, isWithin, realData } from './paths.ts'

/** Options whose value is text and no path. */
const TEXT_OPTION = /^(-m|-S|-G|--message|--author|--grep|--format|--pretty|--trailer|--date)$/
const MAX_LOOK = 50_000

export async function gitReach(args: readonly string[], start: string, world: World): Promise<Reach> {
  const { subcommand, globals, rest } = splitGit(args)
  const from = globals.reduce((at, arg, i) => {
    const folder = /^-C(.+)/s.exec(arg)?.[1] ?? (arg === '-C' ? (globals[i + 1] ?? '') : undefined)
    return folder === undefined ? at : isAbsolute(folder) ? folder : join(at, folder)
  }, start)
  const words = fileWords(subcommand, rest)
  const named = await Promise.all(
    words.map((word) => describePath({ path: pathIn(word), access: 'read', from }, world)),
  )
  const globs = words.map(pathIn).filter((word) => /[*?[]/.test(word))
  const closed = globs.length === 0 ? [] : await findClosed(from, world, { dots: true, max: MAX_LOOK })
  const matched = (closed ?? []).filter((real) => globs.some((glob) => matches(glob, relative(from, real))))
  const paths = [
    ...named.filter((fact) => isClosed(fact, world)),
    ...(await Promise.all(matched.map((path) => describePath({ path, access: 'read' }, world)))),
  ]
  const roots = sweptRoots(subcommand, rest, { words, isRepository: existsSync(join(from, '.git')) })
  const sweeps = await Promise.all(
    roots.map((path) => sweptFolder({ path, by: `git ${subcommand}`, dots: true }, { from, world })),
  )
  return {
    paths,
    sweeps: [
      ...sweeps.filter((why) => why !== undefined),
      ...(closed === undefined ? [`what git ${subcommand} matches is too much to look through`] : []),
    ],
  }
}

function fileWords(subcommand: string, rest: readonly string[]): string[] {
  const words = rest.flatMap((arg, i) => {
    if (TEXT_OPTION.test(rest[i - 1] ?? '')) return []
    const lines = /^-L[^:]*:(.+)$/s.exec(arg)?.[1]
    if (lines !== undefined) return [lines]
    const value = /^--[\w-]+=(.*)$/s.exec(arg)?.[1]
    if (value !== undefined) return /^--(message|author|grep|format|pretty|date)=/.test(arg) ? [] : [value]
    return arg.startsWith('-') ? [] : [arg]
  })
  const hasPattern = rest.some((arg) => /^(-e|-f)/.test(arg))
  const files = subcommand === 'grep' && !hasPattern ? words.slice(1) : words
  // What a pathspec leaves out is not shown.
  return files.filter((word) => word !== '' && !/^:(\([^)]*exclude|[/]?[!^])/.test(word))
}

/** The path of `revision:path`, `:0:path` and of a pathspec with its magic taken off. */
function pathIn(word: string): string {
  const plain = word.replace(/^:\([^)]*\)/, '')
  if (plain !== word) return plain
  return /^:(?:[0-3]:|\/)?(.+)$/s.exec(word)?.[1] ?? /^[^:]+:(?!\/\/)(.+)$/s.exec(word)?.[1] ?? word
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
  if (subcommand !== 'grep' || !(isOutside || rest.includes('--untracked') || !isRepository)) return []
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
