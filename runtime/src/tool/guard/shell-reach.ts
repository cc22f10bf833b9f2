/**
 * Which closed files a shell line reaches without naming them as files: by a wildcard, by reading a whole folder, or in
 * the words of an unknown program.
 */
import { lstatSync } from 'node:fs'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { distinct, why } from '../../i18n/why.ts'
import type { Why } from '../../protocol/why.ts'
import type { World } from '../tool.ts'
import { isClosed, type Reach, sweptFolderDoubt } from './closed-files.ts'
import { copied, isFolder } from './command-table-files.ts'
import { gitDoubts } from './git-doubts.ts'
import { gitReach } from './git-reach.ts'
import { expandGlob, isWild } from './globs.ts'
import { type Arg, type Invocation, plain } from './invocation.ts'
import { describePath, type PathUse } from './paths.ts'
import { attached, type FileWord, fileWords, isPrinted, isReader, REDIRECTION } from './shell-paths.ts'
import type { ShellReading } from './shell-reading.ts'

export async function shellReach(reading: ShellReading, cwd: string, world: World): Promise<Reach> {
  const dots = reading.invocations.some(({ args }) => args.some(({ text }) => text.includes('dotglob')))
  const placed = (dirs: readonly string[]): string[] =>
    dirs.filter((dir) => !dir.startsWith('~')).map((dir) => (isAbsolute(dir) ? dir : join(cwd, dir)))
  const reaches = [
    ...reading.redirects
      .filter(({ target }) => target.glob)
      .flatMap(({ target, access, dirs }) =>
        placed(dirs).map((from) => wordReach({ arg: target, access, by: REDIRECTION }, { from, dots, world })),
      ),
    ...reading.invocations.flatMap((invocation) =>
      placed(invocation.dirs).flatMap((from) => invocationReach(invocation, { from, dots, world })),
    ),
  ]
  const found = await Promise.all(reaches)
  return {
    paths: found.flatMap(({ paths }) => paths),
    sweeps: distinct(found.flatMap(({ sweeps }) => sweeps)),
    doubts: distinct(found.flatMap(({ doubts }) => doubts ?? [])),
  }
}

interface Ground {
  from: string
  dots: boolean
  world: World
}

function invocationReach(invocation: Invocation, ground: Ground): Promise<Reach>[] {
  if (isPrinted(invocation)) return []
  const dashes = dashReach(invocation, ground)
  if (invocation.base === 'git') {
    const args = invocation.args.filter((arg) => arg.known).map((arg) => arg.text)
    return [gitClosedReach(args, ground), dashes]
  }
  const hanging = invocation.args.filter((arg) => arg.known && !arg.glob).flatMap(attached)
  const words = fileWords(invocation).filter(({ arg, guessed }) => arg.known && (arg.glob || guessed === true))
  return [
    ...words.map((word) => wordReach(word, ground)),
    ...hanging.map((arg) => hangingReach(arg, ground)),
    landingReach(invocation, ground),
    dashes,
    Promise.resolve({ paths: [], sweeps: toldOf(invocation, ground.world) }),
    sweepReach(invocation, ground),
  ]
}

/** A name that only the history could explain counts as closed; git is not started to find out. */
async function gitClosedReach(args: readonly string[], { from, world }: Ground): Promise<Reach> {
  const { paths, doubtful, sweeps } = await gitReach(args, from, world)
  return { paths: [...paths, ...doubtful], sweeps, doubts: await gitDoubts(args, { from, world }) }
}

async function wordReach(word: FileWord, { from, dots, world }: Ground): Promise<Reach> {
  const { arg, access, unsure } = word
  // `kubectl get secrets` names no file, unless a file of that name exists.
  if (word.guessed === true && !arg.glob && !isThere(arg, from)) return { paths: [], sweeps: [] }
  const names = arg.glob && !arg.text.startsWith('~') ? expandGlob(arg.text, from, dots) : [arg.text]
  if (names === undefined) return { paths: [], sweeps: [why('matchesMany', { text: arg.text })] }
  const marks = unsure === true && !arg.glob ? { unsure } : {}
  const uses = names.map((path): PathUse => ({ path, access, from, ...marks }))
  const facts = await Promise.all(uses.map((use) => describePath(use, world)))
  // What a glob writes is judged like a plain name.
  return { paths: facts.filter((fact) => isClosed(fact, world) || (arg.glob && fact.access === 'write')), sweeps: [] }
}

const COPIES = new Set(['cp', 'mv', 'install', 'ln'])

/** `cp a/.npmrc .` writes a file that the line does not name. */
async function landingReach({ base, args }: Invocation, { from, dots, world }: Ground): Promise<Reach> {
  if (!COPIES.has(base)) return { paths: [], sweeps: [] }
  const { sources, to } = copied(args.filter(({ known }) => known).map(({ text }) => text))
  const expand = (text: string): string[] => (isWild(text) ? [text, ...(expandGlob(text, from, dots) ?? [])] : [text])
  const names = new Set(sources.flatMap(expand).map((source) => basename(source)))
  const uses = expand(to)
    .filter((folder) => isFolder(resolve(from, folder)))
    .flatMap((folder) => [...names].map((name): PathUse => ({ path: join(folder, name), access: 'write', from })))
  return { paths: await Promise.all(uses.map((use) => describePath(use, world))), sweeps: [] }
}

/** A file attached to an option, if it exists and is closed or outside the workspace. */
async function hangingReach(arg: Arg, { from, world }: Ground): Promise<Reach> {
  const home = arg.text.replace(/^~(?=\/|$)/, world.env.HOME ?? '~')
  if (!isThere({ ...arg, text: home }, from)) return { paths: [], sweeps: [] }
  const fact = await describePath({ path: arg.text, access: 'read', from, unsure: true }, world)
  const isLocked = fact.isProtected && fact.access === 'write'
  return { paths: isClosed(fact, world) || isLocked || !fact.insideWorkspace ? [fact] : [], sweeps: [] }
}

/** A file whose name starts with a dash becomes an option where a wildcard matches it. */
async function dashReach({ base, args }: Invocation, { from, dots }: Ground): Promise<Reach> {
  const end = args.findIndex((arg) => arg.text === '--')
  const loose = args.filter((arg, i) => arg.glob && /^[*?[]/.test(arg.text) && (end < 0 || i < end))
  const names = loose.flatMap((arg) => expandGlob(arg.text, from, dots) ?? [])
  const options = names.filter((name) => name.startsWith('-'))
  return {
    paths: [],
    sweeps: [],
    doubts: options.slice(0, 1).map((name) => why('nameAsOption', { base, name })),
  }
}

function isThere({ text }: Arg, from: string): boolean {
  try {
    return lstatSync(resolve(from, text), { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR'
  }
}

/** Code for an interpreter that mentions a blocked file. A word that is just the file's name is handled above. */
function toldOf(invocation: Invocation, { blockedPaths }: World): Why[] {
  if (isReader(invocation) && !invocation.base.endsWith('awk')) return []
  const { args, input = '' } = invocation
  return blockedPaths
    .filter((entry) => {
      const bare = entry.replace(/\/+$/, '')
      const named = new RegExp(`(^|[^\\w.-])${RegExp.escape(bare)}($|[^\\w.-])`, 'i')
      const words = args.map(({ text }) => text).filter((text) => text.toLowerCase() !== bare.toLowerCase())
      return [...words, input].some((text) => named.test(text))
    })
    .map((entry) => why('mentionsBlocked', { base: invocation.base, path: entry }))
}

async function sweepReach(invocation: Invocation, ground: Ground): Promise<Reach> {
  const sweep = sweptRoots(invocation, ground.from)
  if (sweep === undefined) return { paths: [], sweeps: [] }
  const { from } = ground
  const expanded = sweep.roots.map((arg) =>
    arg.glob ? (expandGlob(arg.text, from, ground.dots) ?? ['.']) : [arg.text],
  )
  const sweeps = await Promise.all(
    expanded.flat().map((path) => sweptFolderDoubt({ path, by: invocation.base, dots: sweep.dots }, ground)),
  )
  return { paths: [], sweeps: sweeps.filter((each) => each !== undefined) }
}

const SEARCHERS = new Set(['rg', 'ag', 'ack'])
/**
 * Options that make a program read whole folders. Long ones may be abbreviated, and a value may follow after a space.
 */
const RECURSIVE: Record<string, RegExp> = {
  grep: /^(-[a-zA-Z]*[rR][a-zA-Z]*|-[a-zA-Z]*d rec[a-z]*|--(rec|der)[a-z-]*|--di[a-z]*[= ]rec[a-z]*)$/,
  diff: /^(-[a-zA-Z]*r[a-zA-Z]*|--rec[a-z]*)$/,
  cp: /^(-[a-zA-Z]*[rRa][a-zA-Z]*|--(rec|ar)[a-z]*)$/,
  rsync: /^(-[a-zA-Z]*[ra][a-zA-Z]*|--recursive|--archive)$/,
  scp: /^-[a-zA-Z]*r[a-zA-Z]*$/,
  zip: /^(-[a-zA-Z]*[rR][a-zA-Z]*|--recurse[a-z-]*)$/,
  tar: /^(-?[a-zA-Z]*[cru][a-zA-Z]*|--(cr|ap|up)[a-z]*)$/,
}
const SAME_AS: Record<string, string> = { egrep: 'grep', fgrep: 'grep', zgrep: 'grep', bsdtar: 'tar', gtar: 'tar' }
/** Options of search programs whose value is the next word: neither the pattern nor a path. */
const VALUED: Record<string, RegExp> = {
  grep: valued('ABCmefdD', '[a-z-]*context|max-count|include|exclude(-dir|-from)?|regexp|file|directories'),
  rg: valued('ABCmefgtTjEMrd', '[a-z-]*context|max-\\w+|regexp|[a-z-]*file|[a-z-]*glob|type(-not)?|sortr?|replace'),
  ag: valued('ABCGmpW', 'after|before|context|max-count|depth|ignore(-dir)?|file-search-regex|workers'),
  ack: valued('ABCm', '[a-z-]*context|max-count|type|ignore-(dir|file)'),
}

function valued(short: string, long: string): RegExp {
  return new RegExp(`^(-(?:(?![${short}])[a-zA-Z])*[${short}]|--(?:${long}))$`)
}

/** The folders that a program would read completely. */
function sweptRoots(invocation: Invocation, from: string): { roots: Arg[]; dots: boolean } | undefined {
  const { base, args } = invocation
  const program = SAME_AS[base] ?? base
  const texts = args.map(({ text }) => text)
  const spoken = [...texts, ...texts.map((text, i) => `${texts[i - 1] ?? ''} ${text}`)]
  const isSearcher = SEARCHERS.has(program)
  if (!isSearcher && spoken.every((text) => RECURSIVE[program]?.test(text) !== true)) return undefined
  // These programs skip names that start with a dot, unless an option says otherwise.
  const isAll = /^(-[a-zA-Z]*[u.][a-zA-Z]*|--(hid|unr)[a-z]*)$/
  const dots = !isSearcher || program === 'ack' || texts.some((text) => isAll.test(text))
  const takesNext = VALUED[program]
  const named = takesNext === undefined ? fileWords(invocation).map(({ arg }) => arg) : searched(args, takesNext)
  // A word that is not a file here is not a place to search, but the value of some option.
  const roots = named.filter((arg) => arg.known && (arg.glob || takesNext === undefined || isThere(arg, from)))
  return { roots: roots.length === 0 ? [plain('.')] : roots, dots }
}

/** The places to search: all plain words except the pattern. */
function searched(args: readonly Arg[], takesNext: RegExp): Arg[] {
  const words = args.filter(({ text }, i) => !text.startsWith('-') && !takesNext.test(args[i - 1]?.text ?? ''))
  const isGiven = args.some(({ text }) => /^(-[a-zA-Z]*[ef]|--(reg|fil)[a-z]*)/.test(text))
  return isGiven ? words : words.slice(1)
}
