/** The class of every program that a call starts, and of every file it writes by redirection. */
import { homedir } from 'node:os'
import { isAbsolute, join, posix } from 'node:path'
import { ALWAYS_ASKED, type CommandClass, type CommandUse } from '../../protocol/command.ts'
import { isProduct, outputWords } from './build-outputs.ts'
import { usualWords } from './command-aliases.ts'
import { isAllowedRead } from './command-allowed.ts'
import { hiddenIn } from './command-hidden.ts'
import { verbByName } from './command-names.ts'
import { type CommandCall, type CommandRow, type CommandTable, worst } from './command-row.ts'
import { scriptClass } from './command-runs.ts'
import { BUILD_TABLE } from './command-table-build.ts'
import { CONTAINER_TABLE } from './command-table-containers.ts'
import { FILE_TABLE, isFolder, losesFile } from './command-table-files.ts'
import { JS_TABLE } from './command-table-js.ts'
import { LANGUAGE_TABLE } from './command-table-languages.ts'
import { READ_TABLE } from './command-table-read.ts'
import { SCRIPT_TABLE } from './command-table-scripts.ts'
import { SERVICE_TABLE } from './command-table-services.ts'
import { SYSTEM_TABLE } from './command-table-system.ts'
import { baseKey } from './commands.ts'
import { gitClass } from './git-args.ts'
import { expandGlob, isWild } from './globs.ts'
import type { Arg, Invocation } from './invocation.ts'
import { hasOption, optionIn, type Spelling } from './options.ts'
import { fileWords, isDevice } from './shell-paths.ts'
import type { ShellReading } from './shell-reading.ts'
import { SHELLS } from './wrappers.ts'

const TABLE: CommandTable = {
  ...READ_TABLE,
  ...FILE_TABLE,
  ...JS_TABLE,
  ...LANGUAGE_TABLE,
  ...SCRIPT_TABLE,
  ...BUILD_TABLE,
  ...CONTAINER_TABLE,
  ...SERVICE_TABLE,
  ...SYSTEM_TABLE,
}
const MAX_NESTED = 4
/** Options that take no value in any of these programs. */
const FLAG = /^(-[qvsryBiDn]|--(quiet|verbose|silent|recursive|json|no-color|offline|frozen|locked|debug|user|yes))$/
/** Programs that a project has installed for itself. */
const INSTALLED = /^(\.\/)?((node_modules\/\.bin|vendor\/bin|\.?venv\/bin|bin)\/)(?=[^/]+$)/
/** A program of a package, which is not the project's own code. */
function isPackage(name: string): boolean {
  return /(^|\/)(node_modules\/\.bin|vendor\/bin|\.?venv\/bin)\/[^/]+$/.test(name)
}
const SECRET_VARIABLE = /\$\{?\w*(TOKEN|SECRET|PASSW|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL)/i

/** The folder a line starts in, and the workspace. */
export interface Ground {
  cwd: string
  workspace: string
}

export function shellUses(reading: ShellReading, ground: Ground): CommandUse[] {
  return [
    ...reading.invocations.map((invocation) => invocationUse(invocation, reading, ground)),
    ...reading.redirects
      .filter(({ target, access }) => access === 'write' && !isDevice(target.text))
      .map((redirect) => use(['>', redirect.target], redirectClass(redirect, ground))),
  ]
}

/** `> notes.md` destroys what was there; `>>` adds to it. A name that is known only at run time may be any file. */
function redirectClass({ target, truncates, dirs }: ShellReading['redirects'][number], ground: Ground): CommandClass {
  return truncates === true && isLost(target, dirs, ground) ? 'lose-work' : 'change'
}

function isLost({ text, known }: Arg, dirs: readonly string[], { cwd, workspace }: Ground): boolean {
  return !known || dirs.flatMap((dir) => placesAt(text, dir, cwd)).some((place) => losesFile(place, workspace))
}

/** True for programs that only read, whatever their words are: in a sandbox, unknown words need no approval. */
export function isPureReader(base: string): boolean {
  return rowOf(base)?.pure === true
}

function use([name, ...args]: readonly [string, ...Arg[]], is: CommandClass): CommandUse {
  const at = args.findIndex((arg) => !arg.known || arg.glob)
  const words = [name, ...args.map(({ text }) => text)]
  const means = usualWords(words)
  return { words, class: is, ...(at < 0 ? {} : { unknownFrom: at + 1 }), ...(means === undefined ? {} : { means }) }
}

function invocationUse(invocation: Invocation, reading: ShellReading, ground: Ground): CommandUse {
  const { name, args, dirs } = invocation
  const key = baseKey(name)
  const showsSecret = args.some((arg) => !arg.known && SECRET_VARIABLE.test(arg.text))
  const is = reading.functions.includes(name)
    ? 'read'
    : commandClass([key, ...args.map(({ text }) => text)], { ...ground, dirs, invocation })
  const isLosing =
    fileWords(invocation).some(({ arg, replaces }) => replaces === true && isLost(arg, dirs, ground)) ||
    (is === 'build' && overwrites(invocation, ground))
  // A bare glob or variable can become the name of a script, a target or an option.
  const isOpen = is === 'build' && args.some((arg) => (!arg.known || arg.glob) && !/[./]/.test(arg.text))
  return use(
    [key, ...args],
    worst([
      is,
      ...(showsSecret ? ['credentials' as const] : []),
      ...(isOpen ? ['unknown' as const] : []),
      ...(isLosing ? ['lose-work' as const] : []),
    ]),
  )
}

/** A build writes over a file that no build made. */
function overwrites(invocation: Invocation, { cwd, workspace }: Ground): boolean {
  return outputWords(invocation)
    .filter(({ isNamed, isAttached }) => isNamed || isAttached)
    .flatMap(({ arg }) => invocation.dirs.flatMap((dir) => placesAt(arg.text, dir, cwd)))
    .some((place) => losesFile(place, workspace) && !isFolder(place) && !isProduct(place))
}

interface At extends Ground {
  dirs: readonly string[]
  invocation?: Invocation
  depth?: number
}

/** The most severe class of a command; `unknown` when no table has it. */
export function commandClass([name = '', ...args]: readonly string[], at: At): CommandClass {
  const { depth = 0, invocation } = at
  if (depth > MAX_NESTED) return 'unknown'
  if (name === 'git') return gitClass(args)
  if (SHELLS.has(name)) return shellClass(args, invocation)
  const isOwn = name.includes('/')
  const row = rowOf(name.replace(INSTALLED, '').replace(/^\.\/(?=(gradlew|mvnw)$)/, ''))
  const isAsked = args.length === 1 && /^--(version|help)$/.test(args[0] ?? '')
  if (row === undefined && isAsked && !isOwn) return 'read'
  // `npx NAME` is asked about in the same way.
  if (row === undefined && isOwn && isPackage(name)) return 'run-programs'
  if (row === undefined)
    return isOwn && !isAbsolute(name) ? withHidden(scriptClass([name, ...args]), callAt(args, at)) : 'unknown'
  const call = callAt(args, at)
  // A program of the project may be any code.
  const is = worst([rowClass(row, call), isOwn ? 'build' : 'read'])
  return withHidden(is, call)
}

function withHidden(is: CommandClass, call: CommandCall): CommandClass {
  return worst([is, ...hiddenIn(call, is)])
}

function callAt(args: readonly string[], at: At): CommandCall {
  const { depth = 0, invocation } = at
  return {
    args,
    ...(invocation === undefined ? {} : { invocation }),
    placesOf: (word) => at.dirs.flatMap((dir) => placesAt(word, dir, at.cwd)),
    workspace: at.workspace,
    // What another program starts has no input of its own here.
    classOf: ([tool = '', ...words]) => commandClass([tool, ...words], { ...at, depth: depth + 1 }),
  }
}

function rowOf(name: string): CommandRow | undefined {
  const plain = /^(python|pip|php|ruby|node)\d[\d.]*$/.exec(name)?.[1] ?? name
  return Object.hasOwn(TABLE, plain) ? TABLE[plain] : undefined
}

/** A glob is every file that it matches now, and its own text where it matches none. */
function placesAt(word: string, dir: string, cwd: string): string[] {
  const place = placed(word, dir, cwd)
  if (!isWild(word)) return [place]
  return [place, ...(expandGlob(place, '/', true) ?? [place.replace(/\/[^/]*[*?[(].*$/s, '') || '/'])]
}

function placed(word: string, dir: string, cwd: string): string {
  const home = (path: string): string => (path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path)
  const from = home(dir)
  const path = home(word)
  if (path.startsWith('~')) return `/${path}`
  return isAbsolute(path) ? posix.normalize(path) : join(isAbsolute(from) ? from : join(cwd, from), path)
}

function rowClass(row: CommandRow, call: CommandCall): CommandClass {
  const { args } = call
  if (args.length === 1 && /^(--version|-V|--help)$/.test(args[0] ?? '')) return 'read'
  const end = args.indexOf('--')
  const own = end < 0 ? args : args.slice(0, end)
  const raised = [
    ...(row.options ?? []).filter(({ option }) => hasOption(own, option)).map(({ is }) => is),
    ...(row.words ?? []).filter(({ word }) => args.some((arg) => word.test(arg))).map(({ is }) => is),
  ]
  const first = firstClass(row, call, own)
  // A dry run writes nothing.
  const isDry = first === 'change' && row.dry !== undefined && isGiven(row.dry, args)
  const is = worst([isDry ? 'build' : first, ...raised])
  return is === 'read' && !isAllowedRead(row, args, (words) => verbLength(row, words)) ? 'unknown' : is
}

function isGiven(option: Spelling | RegExp, args: readonly string[]): boolean {
  return option instanceof RegExp ? args.some((arg) => option.test(arg)) : hasOption(args, option)
}

function firstClass(row: CommandRow, call: CommandCall, own: readonly string[]): CommandClass {
  if (row.verbs === undefined && row.other === undefined) return row.check?.(call) ?? row.is
  const { words, others } = verbWords(own, row)
  const verb = verbClass(row, words, call)
  // An unlisted option may take the sub-command as its value: then the next word is the sub-command.
  const hidden = others.map((rest) => hiddenClass(row, rest)).filter((is) => ALWAYS_ASKED.includes(is))
  return worst([verb, ...hidden, ...(row.check === undefined ? [] : [row.check(call)])])
}

function verbWords(args: readonly string[], { takes = {} }: CommandRow): { words: string[]; others: string[][] } {
  const words: string[] = []
  const others: string[][] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (arg.startsWith('-') && arg !== '-') {
      if (optionIn(arg, takes) === '' && !arg.endsWith('=')) i++
      else if (words.length < 2 && !FLAG.test(arg) && !arg.includes('=') && args[i + 1] !== undefined)
        others.push([...words, ...args.slice(i + 2).filter((word) => !word.startsWith('-'))])
      // `cargo +nightly test`
    } else if (!(words.length === 0 && arg.startsWith('+'))) words.push(arg)
  }
  return { words, others }
}

function hiddenClass(row: CommandRow, [verb = '', next = '']: readonly string[]): CommandClass {
  const verbs = verbsOf(row)
  return verbs.get(`${verb} ${next}`) ?? verbs.get(verb) ?? (/^[a-z]+$/.test(verb) ? verbByName(verb) : 'unknown')
}

const verbTables = new WeakMap<CommandRow, ReadonlyMap<string, CommandClass>>()

function verbsOf(row: CommandRow): ReadonlyMap<string, CommandClass> {
  let found = verbTables.get(row)
  if (found === undefined) {
    found = new Map(
      Object.entries(row.verbs ?? {}).flatMap(([is, names]) =>
        names.split(', ').map((name): [string, CommandClass] => [name, is as CommandClass]),
      ),
    )
    verbTables.set(row, found)
  }
  return found
}

/** How many of the words are the sub-command. */
function verbLength(row: CommandRow, words: readonly string[]): number {
  return [3, 2, 1].find((length) => length <= words.length && verbsOf(row).has(words.slice(0, length).join(' '))) ?? 0
}

function verbClass(row: CommandRow, words: readonly string[], call: CommandCall): CommandClass {
  if (words.length === 0) return row.is
  const found = verbsOf(row).get(words.slice(0, verbLength(row, words)).join(' '))
  if (found !== undefined) return found
  const named = worst([...words.slice(0, 2).map(verbByName)])
  const other = typeof row.other === 'function' ? row.other(call) : row.other
  return other === undefined ? named : other === 'unknown' ? named : other
}

/** `bash -c` is read as a line of its own; a script file of the project is its own code. */
function shellClass(args: readonly string[], invocation: Invocation | undefined): CommandClass {
  if (invocation === undefined) return 'unknown'
  const at = args.findIndex((arg) => !/^[-+]/.test(arg))
  const options = at < 0 ? args : args.slice(0, at)
  if (options.some((arg) => /^-[a-z]*c[a-z]*$/.test(arg))) return 'read'
  if (options.some((arg) => /^--(version|help)$/.test(arg))) return 'read'
  if (options.some((arg) => /^-[a-z]*n[a-z]*$/.test(arg))) return 'read'
  if (at >= 0) return scriptClass(args.slice(at))
  return invocation.input === undefined ? 'unknown' : 'read'
}
