/** Reads a shell line without running it: every program it would start, wherever that is written. */
import { posix } from 'node:path'
import type { AndOr, Assignment, Command, Redirect, Redirection, SyntaxNode, Word, WordPart } from 'unbash'
import { forEachChild, parse } from 'unbash'
import { messageOf } from '../../base/errors.ts'
import type { Arg, Invocation } from './invocation.ts'
import { plain } from './invocation.ts'
import { innerCommands } from './wrappers.ts'

interface FileUse {
  target: Arg
  access: 'read' | 'write'
  dirs: readonly string[]
}

export interface ShellReading {
  invocations: Invocation[]
  redirects: FileUse[]
  /** Why the line is not fully understood; empty when it is. */
  unparsed: string[]
  /** Functions that call themselves. */
  recursive: string[]
}

interface Place {
  dirs: string[]
  feeds: string[]
}

const MAX_LINE = 64 * 1024
const MAX_DEPTH = 8
const MAX_DIRS = 8
const SYSTEM_BIN = /^\/(usr\/(local\/)?|opt\/homebrew\/)?s?bin\/[^/]+$/
/** Variables that decide what a name means or run programs themselves. */
const POWERFUL =
  /^(PATH|IFS|ENV|HOME|PWD|CDPATH|BASH_ENV|SHELLOPTS|BASHOPTS|GLOBIGNORE|PS4|PROMPT_COMMAND|LD_\w+|DYLD_\w+|GIT_\w+|\w*PAGER|EDITOR|VISUAL|LESSOPEN|NODE_OPTIONS|PYTHON(PATH|STARTUP|HOME)|PERL5(OPT|LIB)|RUBY(OPT|LIB))$/

export function readShell(line: string): ShellReading {
  const reading: ShellReading = { invocations: [], redirects: [], unparsed: [], recursive: [] }
  if (line.includes('\0')) reading.unparsed.push('it holds a NUL byte')
  else if (line.length > MAX_LINE) reading.unparsed.push(`it is longer than ${MAX_LINE} characters`)
  else readLine(line, { dirs: ['.'], feeds: [] }, { reading, depth: 0 })
  reading.unparsed = [...new Set(reading.unparsed)]
  return reading
}

/** `git` for `/usr/bin/git`; a program elsewhere keeps its path, as `./git` is not the system's git. */
export function baseKey(name: string): string {
  return SYSTEM_BIN.test(name) ? posix.basename(name) : name
}

interface Walk {
  reading: ShellReading
  depth: number
}

function readLine(line: string, place: Place, walk: Walk): void {
  if (walk.depth > MAX_DEPTH) {
    walk.reading.unparsed.push('commands are nested too deep')
    return
  }
  try {
    const script = parse(line)
    noteErrors(script.errors, walk)
    visit(script, place, walk)
  } catch (error) {
    walk.reading.unparsed.push(`it could not be read: ${messageOf(error)}`)
  }
}

function noteErrors(errors: readonly { message: string }[] | undefined, walk: Walk): void {
  for (const error of errors ?? []) walk.reading.unparsed.push(error.message)
}

function visit(node: SyntaxNode, place: Place, walk: Walk): void {
  switch (node.type) {
    case 'Command':
      visitCommand(node, place, walk)
      break
    case 'Pipeline':
      visitPipeline(node.commands, place, walk)
      break
    case 'AndOr':
      visitChain(node, place, walk)
      break
    case 'CompoundList':
    case 'Script':
      visitList(node.commands, place, walk)
      break
    case 'Function':
    case 'While':
    case 'For':
    case 'ArithmeticFor':
    case 'Select':
      visitRepeated(node, place, walk)
      break
    case 'Subshell':
    case 'Coproc':
      visitChildren(node, copy(place), walk)
      break
    case 'Statement':
      visitChildren(node, node.background === true ? copy(place) : place, walk)
      break
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      if (node.script === undefined) walk.reading.unparsed.push(`${node.text} could not be read`)
      else noteErrors(node.script.errors, walk)
      visitChildren(node, copy(place), walk)
      break
    case 'Redirect':
      noteRedirect(node, place, walk)
      visitChildren(node, place, walk)
      break
    case 'Assignment':
      noteAssignment(node.name, walk)
      visitChildren(node, place, walk)
      break
    default:
      visitChildren(node, place, walk)
  }
}

function visitChildren(node: SyntaxNode, place: Place, walk: Walk): void {
  forEachChild(node, (child) => visit(child, place, walk))
}

/** After `cd x && …` the folder is x for sure; after `||` or `;` the cd may have failed. */
function visitChain(node: AndOr, place: Place, walk: Walk): void {
  const before = place.dirs
  node.commands.forEach((command, i) => {
    const earlier = place.dirs
    visit(command, place, walk)
    if (node.operators[i] === '||') place.dirs = union(earlier, place.dirs)
  })
  place.dirs = union(before, place.dirs)
}

function visitList(statements: readonly SyntaxNode[], place: Place, walk: Walk): void {
  for (const statement of statements) {
    const before = place.dirs
    visit(statement, place, walk)
    place.dirs = union(before, place.dirs)
  }
  if (place.dirs.length > MAX_DIRS) walk.reading.unparsed.push('it changes folders too often to follow')
}

function visitPipeline(commands: readonly SyntaxNode[], place: Place, walk: Walk): void {
  if (commands.length === 1) {
    for (const command of commands) visit(command, place, walk)
    return
  }
  const start = walk.reading.invocations.length
  for (const command of commands) {
    const feeds = walk.reading.invocations.slice(start).map((invocation) => invocation.base)
    visit(command, { dirs: [...place.dirs], feeds: [...place.feeds, ...feeds] }, walk)
  }
}

function visitRepeated(node: SyntaxNode, place: Place, walk: Walk): void {
  const inside = copy(place)
  const start = walk.reading.invocations.length
  visitChildren(node, inside, walk)
  if (inside.dirs.join('\n') !== place.dirs.join('\n')) {
    walk.reading.unparsed.push('it changes the folder inside a loop or function')
  }
  if (node.type === 'Function') {
    const name = node.name.value
    if (walk.reading.invocations.slice(start).some((invocation) => invocation.name === name)) {
      walk.reading.recursive.push(name)
    }
  }
  if (node.type === 'For' || node.type === 'Select') noteAssignment(node.name.value, walk)
}

function visitCommand(node: Command, place: Place, walk: Walk): void {
  const words: Arg[] = node.name === undefined ? [] : [readWord(node.name)]
  for (const argument of node.args) {
    words.push(argument.type === 'Word' ? readWord(argument) : readAssignment(argument))
  }
  const input = node.redirects.map(textOf).find((text) => text !== undefined)
  // Substitutions run before the command that uses them, and in the folder it starts in.
  visitChildren(node, place, walk)
  record(words, { ...(input === undefined ? {} : { input }), place }, walk)
}

function record(words: readonly Arg[], at: { input?: string; place: Place }, walk: Walk): void {
  const [head, ...args] = words
  const { reading } = walk
  if (head === undefined) return
  if (!head.known || head.glob || head.text === '') {
    reading.unparsed.push(`which program ${JSON.stringify(head.text.slice(0, 80))} is, shows only when it runs`)
    return
  }
  const invocation: Invocation = {
    name: head.text,
    base: posix.basename(head.text),
    args,
    dirs: [...at.place.dirs],
    feeds: at.place.feeds,
    ...(at.input === undefined ? {} : { input: at.input }),
  }
  reading.invocations.push(invocation)
  for (const arg of args) {
    const name = /^(\w+)=/.exec(arg.text)?.[1] ?? arg.text
    if (SETS_VARIABLES.has(invocation.base)) noteAssignment(name, walk)
  }
  if (invocation.base === 'cd' || invocation.base === 'pushd') changeFolder(args, at.place, walk)
  const inner = innerCommands(invocation)
  reading.unparsed.push(...inner.unknown)
  const deeper = { reading, depth: walk.depth + 1 }
  for (const line of inner.lines) readLine(line, copy(at.place), deeper)
  for (const command of inner.commands) {
    if (deeper.depth > MAX_DEPTH) reading.unparsed.push('commands are nested too deep')
    else record(command, at, deeper)
  }
}

const SETS_VARIABLES = new Set([
  'env',
  'export',
  'declare',
  'typeset',
  'local',
  'readonly',
  'read',
  'printf',
  'mapfile',
])

function noteAssignment(name: string, walk: Walk): void {
  if (POWERFUL.test(name)) walk.reading.unparsed.push(`it sets ${name}, so a name may mean another program or place`)
}

function changeFolder(args: readonly Arg[], place: Place, walk: Walk): void {
  const target = args.find((arg) => !/^-[LPe@]+$|^--$/.test(arg.text)) ?? plain('~')
  if (!target.known || target.glob || target.text === '-' || /^[+-]\d/.test(target.text)) {
    walk.reading.unparsed.push('the folder it changes to shows only when it runs')
    return
  }
  const { text } = target
  place.dirs = text.startsWith('/') || text.startsWith('~') ? [text] : place.dirs.map((dir) => `${dir}/${text}`)
}

function noteRedirect(node: Redirect, place: Place, walk: Walk): void {
  if (node.target === undefined) return
  const target = readWord(node.target)
  // `2>&1` and `>&-` name a descriptor, not a file.
  if (node.operator.endsWith('&') && /^(\d+-?|-)$/.test(target.text)) return
  const access = node.operator === '<' || node.operator === '<&' ? 'read' : 'write'
  walk.reading.redirects.push({ target, access, dirs: [...place.dirs] })
}

function textOf(node: Redirection): string | undefined {
  if (node.type === 'HereDoc') return node.body.text
  if (node.type !== 'HereString' || node.target === undefined) return undefined
  const word = readWord(node.target)
  return word.known ? word.text : undefined
}

function readAssignment(node: Assignment): Arg {
  return { ...plain(node.text), known: node.value.type !== 'Word' || readWord(node.value).known }
}

function readWord(word: Word): Arg {
  const arg = plain('')
  if (word.parts === undefined) arg.text = word.value
  else for (const part of word.parts) addPart(part, arg)
  if (!arg.known) arg.text = word.text
  return arg
}

function addPart(part: WordPart, arg: Arg): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      arg.text += part.value
      return
    case 'DoubleQuoted':
    case 'LocaleString':
      for (const child of part.parts) addPart(child, arg)
      return
    case 'Glob':
    case 'ExtendedGlob':
      arg.text += part.text
      arg.glob = true
      return
    default: {
      // These two keep their meaning: a line that sets them is not understood anyway.
      const place = { $HOME: '~', '${HOME}': '~', $PWD: '.', '${PWD}': '.' }[part.text]
      if (place !== undefined && arg.text === '') arg.text = place
      else arg.known = false
      if (part.type === 'CommandExpansion' || part.type === 'ProcessSubstitution') arg.runs = true
    }
  }
}

function copy(place: Place): Place {
  return { dirs: [...place.dirs], feeds: place.feeds }
}

function union(a: readonly string[], b: readonly string[]): string[] {
  return [...new Set([...a, ...b])]
}
