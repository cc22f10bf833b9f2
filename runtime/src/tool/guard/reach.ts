/**
 * Which closed files a shell line reaches without saying so: by a wildcard, by reading a whole folder, or in the words
 * of a program whose words nobody knows here.
 */
import { isAbsolute, join } from 'node:path'
import type { PathFact } from '../../protocol/facts.ts'
import type { World } from '../tool.ts'
import type { ShellReading } from './commands.ts'
import { gitReach } from './git-reach.ts'
import { expandGlob } from './globs.ts'
import { isClosed, type Reach, sweptFolder } from './hidden.ts'
import { type Arg, type Invocation, plain } from './invocation.ts'
import { describePath, type PathUse } from './paths.ts'
import { type FileWord, fileWords, isPrinted, isReader } from './touches.ts'

export async function shellReach(reading: ShellReading, cwd: string, world: World): Promise<Reach> {
  const dots = reading.invocations.some(({ args }) => args.some(({ text }) => text.includes('dotglob')))
  const placed = (dirs: readonly string[]): string[] =>
    dirs.filter((dir) => !dir.startsWith('~')).map((dir) => (isAbsolute(dir) ? dir : join(cwd, dir)))
  const reaches = [
    ...reading.redirects
      .filter(({ target }) => target.glob)
      .flatMap(({ target, access, dirs }) =>
        placed(dirs).map((from) => wordReach({ arg: target, access, by: 'a redirection' }, { from, dots, world })),
      ),
    ...reading.invocations.flatMap((invocation) =>
      placed(invocation.dirs).flatMap((from) => invocationReach(invocation, { from, dots, world })),
    ),
  ]
  const found = await Promise.all(reaches)
  return {
    paths: found.flatMap(({ paths }) => paths),
    sweeps: [...new Set(found.flatMap(({ sweeps }) => sweeps))],
  }
}

interface Ground {
  from: string
  dots: boolean
  world: World
}

function invocationReach(invocation: Invocation, ground: Ground): Promise<Reach>[] {
  if (isPrinted(invocation)) return []
  if (invocation.base === 'git') {
    const args = invocation.args.filter((arg) => arg.known).map((arg) => arg.text)
    return [gitReach(args, ground.from, ground.world)]
  }
  const words = fileWords(invocation).filter(({ arg, guessed }) => arg.known && (arg.glob || guessed === true))
  return [
    ...words.map((word) => wordReach(word, ground)),
    Promise.resolve({ paths: [], sweeps: toldOf(invocation, ground.world) }),
    sweepReach(invocation, ground),
  ]
}

async function wordReach({ arg, access, unsure }: FileWord, { from, dots, world }: Ground): Promise<Reach> {
  const names = arg.glob && !arg.text.startsWith('~') ? await expandGlob(arg.text, from, dots) : [arg.text]
  if (names === undefined) return { paths: [], sweeps: [`what ${arg.text} matches is too much to look through`] }
  const marks = unsure === true && !arg.glob ? { unsure } : {}
  const uses = names.map((path): PathUse => ({ path, access, from, ...marks }))
  const facts = await Promise.all(uses.map((use) => describePath(use, world)))
  const isLocked = (fact: PathFact): boolean => arg.glob && fact.isProtected && fact.access === 'write'
  return { paths: facts.filter((fact) => isClosed(fact, world) || isLocked(fact)), sweeps: [] }
}

/** Code handed to an interpreter that speaks of a blocked file. */
function toldOf(invocation: Invocation, { blockedPaths }: World): string[] {
  if (isReader(invocation) && !invocation.base.endsWith('awk')) return []
  const texts = [...invocation.args.map((arg) => arg.text), invocation.input ?? '']
  return blockedPaths
    .filter((entry) => {
      const named = new RegExp(`(^|[^\\w.-])${RegExp.escape(entry.replace(/\/+$/, ''))}($|[^\\w.-])`, 'i')
      return texts.some((text) => named.test(text))
    })
    .map((entry) => `${invocation.base} is told of ${entry}, which is blocked`)
}

async function sweepReach(invocation: Invocation, ground: Ground): Promise<Reach> {
  const sweep = sweptRoots(invocation)
  if (sweep === undefined) return { paths: [], sweeps: [] }
  const { from } = ground
  const expanded = await Promise.all(
    sweep.roots.map(async (arg) =>
      arg.glob ? ((await expandGlob(arg.text, from, ground.dots)) ?? ['.']) : [arg.text],
    ),
  )
  const sweeps = await Promise.all(
    expanded.flat().map((path) => sweptFolder({ path, by: invocation.base, dots: sweep.dots }, ground)),
  )
  return { paths: [], sweeps: sweeps.filter((why) => why !== undefined) }
}

const SEARCHERS = new Set(['rg', 'ag', 'ack'])
/** The options, short and long, that make a program go through whole folders. */
const RECURSIVE: Record<string, RegExp> = {
  grep: /^(-[a-zA-Z]*[rR][a-zA-Z]*|--(dereference-)?recursive|--directories=recurse)$/,
  diff: /^(-[a-zA-Z]*r[a-zA-Z]*|--recursive)$/,
  cp: /^(-[a-zA-Z]*[rRa][a-zA-Z]*|--recursive|--archive)$/,
  rsync: /^(-[a-zA-Z]*[ra][a-zA-Z]*|--recursive|--archive)$/,
  scp: /^-[a-zA-Z]*r[a-zA-Z]*$/,
  zip: /^(-[a-zA-Z]*[rR][a-zA-Z]*|--recurse-(paths|patterns))$/,
  tar: /^(-?[a-zA-Z]*[cru][a-zA-Z]*|--(create|append|update))$/,
}
const SAME_AS: Record<string, string> = { egrep: 'grep', fgrep: 'grep', zgrep: 'grep', bsdtar: 'tar', gtar: 'tar' }

/** The folders a program would read whole. */
function sweptRoots(invocation: Invocation): { roots: Arg[]; dots: boolean } | undefined {
  const { base, args } = invocation
  const isSearcher = SEARCHERS.has(base)
  const option = RECURSIVE[SAME_AS[base] ?? base]
  if (!isSearcher && args.every(({ text }) => option?.test(text) !== true)) return undefined
  const named = fileWords(invocation).map(({ arg }) => arg)
  const roots = named.filter((arg) => arg.known)
  // A search passes over names that start with a dot, unless it is told not to.
  const dots = !isSearcher || args.some(({ text }) => /^(-[a-zA-Z]*[u.][a-zA-Z]*|--hidden|--unrestricted)$/.test(text))
  return { roots: roots.length === 0 ? [plain('.')] : roots, dots }
}
