/**
 * Parses a shell line without running it, and finds every program it would start, however nested. Only the constructs
 * listed here count as understood; anything else makes the line need approval.
 */
import { posix } from 'node:path'
import type {
  AndOr,
  Case,
  Command,
  For,
  Function as FunctionNode,
  ParsedScript,
  Redirect,
  Redirection,
  SyntaxNode,
  Word,
} from 'unbash'
import { parse } from 'unbash'
import { messageOf } from '../../base/errors.ts'
import { distinct, why } from '../../i18n/why.ts'
import type { Why } from '../../protocol/why.ts'
import { walkAssignment, walkValue } from './assignments.ts'
import { runBounded } from './bounded.ts'
import { type BuiltinListener, isReserved, readBuiltin } from './builtins.ts'
import { sourceOf, walkTest } from './conditions.ts'
import { exportDoubt } from './environment.ts'
import { kindOf, walkArithmetic, walkInside, walkParts, walkWord } from './expansions.ts'
import { type Arg, type Invocation, plain } from './invocation.ts'
import { checkLine } from './line-check.ts'
import { emptyReading, type ShellReading } from './shell-reading.ts'
import { Variables } from './variables.ts'
import { type Bound, readAssignment, readWord, textOf } from './words.ts'
import { innerCommands } from './wrappers.ts'

interface ShellScope {
  dirs: string[]
  feeds: string[]
  bound: Bound
}

interface Walk {
  reading: ShellReading
  variables: Variables
  depth: number
  /** True for a line run by `sh`, which lacks some of bash and reads `[[ a > b ]]` as a redirection. */
  isPosix: boolean
  /** The folder of commands that run later is the one the shell is then in. */
  later: Why[]
  /** Loop variables whose values were used. */
  bound: Set<string>
}

const MAX_DEPTH = 8
const MAX_DIRS = 8
const MAX_ROUNDS = 8
const SYSTEM_BIN = /^\/(usr\/(local\/)?|opt\/homebrew\/)?s?bin\/[^/]+$/

/** A normal line takes a fraction of this; nested brackets can keep the parser busy for minutes. */
const READING_MS = 400

export function readShell(line: string): ShellReading {
  const done = runBounded(() => readWhole(line), READING_MS)
  return done?.value ?? { ...emptyReading(new Variables()), unparsed: [why('parseTimeout')] }
}

function readWhole(line: string): ShellReading {
  const variables = new Variables()
  const reading = emptyReading(variables)
  const walk: Walk = { reading, variables, depth: 0, isPosix: false, later: [], bound: new Set() }
  const { isReadable, doubts } = checkLine(line)
  reading.unparsed.push(...doubts)
  if (isReadable) readLine(line, { dirs: ['.'], feeds: [], bound: new Map() }, walk)
  const moves = reading.invocations.some(({ name }) => name === 'cd' || name === 'pushd')
  if (moves) reading.unparsed.push(...walk.later)
  if (walk.later.length > 0) for (const name of walk.bound) reading.unparsed.push(why('valueLater', { name }))
  reading.unparsed = distinct([...reading.unparsed, ...variables.doubts()])
  return reading
}

/** `git` for `/usr/bin/git`; other programs keep their path: `./git` is not the system's git. */
export function baseKey(name: string): string {
  return SYSTEM_BIN.test(name) ? posix.basename(name) : name
}

function readLine(line: string, place: ShellScope, walk: Walk): void {
  if (walk.depth > MAX_DEPTH) {
    walk.reading.unparsed.push(why('nestedTooDeep'))
    return
  }
  try {
    readScript(parse(line), place, walk)
  } catch (error) {
    walk.reading.unparsed.push(why('lineNotParsed', { why: messageOf(error) }))
  }
}

function readScript(script: ParsedScript, place: ShellScope, walk: Walk): void {
  for (const error of script.errors ?? []) walk.reading.unparsed.push(why('syntax', { why: error.message }))
  visitList(script.commands, place, walk)
}

function listenerOf(place: ShellScope, walk: Walk): BuiltinListener {
  const { reading, variables } = walk
  const doubt = (reason: Why): void => void reading.unparsed.push(reason)
  return {
    variables,
    doubt,
    run(script, text) {
      if (script === undefined) doubt(why('notParsed', { text }))
      else readScript(script, copy(place), walk)
    },
    set(name, kind, value) {
      if (place.bound.has(name)) doubt(why('setAgain', { name }))
      const reason = variables.set(name, kind, value)
      if (reason !== undefined) doubt(reason)
    },
    evaluate: (name) => variables.evaluate(name),
  }
}

function visit(node: SyntaxNode, place: ShellScope, walk: Walk): void {
  const to = listenerOf(place, walk)
  switch (node.type) {
    case 'Command':
      visitCommand(node, place, walk)
      return
    case 'Pipeline':
      visitPipeline(node.commands, place, walk)
      return
    case 'AndOr':
      visitChain(node, place, walk)
      return
    case 'CompoundList':
      visitList(node.commands, place, walk)
      return
    case 'BraceGroup':
    case 'Subshell':
      visit(node.body, node.type === 'Subshell' ? copy(place) : place, walk)
      return
    case 'Statement':
      visit(node.command, node.background === true ? copy(place) : place, walk)
      return
    case 'Redirected': {
      for (const redirect of node.redirects) visitRedirection(redirect, place, walk)
      const isFed = node.redirects.some((redirect) => redirect.operator.startsWith('<'))
      visit(node.command, isFed ? { ...place, feeds: [...place.feeds, '<'] } : place, walk)
      return
    }
    case 'If':
    case 'Elif':
      for (const part of [node.clause, node.then, ...(node.type === 'If' ? [...node.elif, node.else] : [])])
        if (part !== undefined) visit(part, place, walk)
      return
    case 'While':
      visitRepeated([node.clause, node.body], place, walk)
      return
    case 'For':
      visitFor(node, place, walk)
      return
    case 'Case':
      visitCase(node, place, walk)
      return
    case 'Function':
      visitFunction(node, place, walk)
      return
    case 'TestCommand':
      if (walk.isPosix) to.doubt(why('notInSh', { text: '[[' }))
      walkTest(node.expression, to)
      return
    case 'ArithmeticCommand':
      if (walk.isPosix) to.doubt(why('notInSh', { text: '((' }))
      walkInside(node, to)
      walkArithmetic(node.body, to)
      return
    case 'ArithmeticFor':
      if (walk.isPosix) to.doubt(why('notInSh', { text: '((' }))
      walkInside({ ...node, body: { ...node.body, commands: [] } }, to)
      for (const part of [node.initialize, node.test, node.update])
        if (part !== undefined) walkArithmetic(sourceOf(part), to)
      visitRepeated([node.body], place, walk)
      return
    case 'Coproc':
      to.doubt(why('coprocess'))
      visit(node.body, copy(place), walk)
      return
    case 'Select':
      to.doubt(why('selectWaits'))
      visitRepeated([node.body], place, walk)
      return
    default:
      to.doubt(why('notSupported', { text: node.type }))
      return
  }
}

/** After `cd x && …` the folder is certainly x; after `||` or `;` the cd may have failed. */
function visitChain(node: AndOr, place: ShellScope, walk: Walk): void {
  const before = place.dirs
  node.commands.forEach((command, i) => {
    const earlier = place.dirs
    visit(command, place, walk)
    if (node.operators[i] === '||') place.dirs = union(earlier, place.dirs)
  })
  place.dirs = union(before, place.dirs)
}

function visitList(statements: readonly SyntaxNode[], place: ShellScope, walk: Walk): void {
  for (const statement of statements) {
    const before = place.dirs
    visit(statement, place, walk)
    place.dirs = union(before, place.dirs)
  }
  if (place.dirs.length > MAX_DIRS) walk.reading.unparsed.push(why('folderTooOften'))
}

function visitPipeline(commands: readonly SyntaxNode[], place: ShellScope, walk: Walk): void {
  if (commands.length === 1) {
    for (const command of commands) visit(command, place, walk)
    return
  }
  const start = walk.reading.invocations.length
  for (const command of commands) {
    const feeds = walk.reading.invocations.slice(start).map((invocation) => invocation.base)
    visit(command, { ...place, dirs: [...place.dirs], feeds: [...place.feeds, ...feeds] }, walk)
  }
}

function visitRepeated(nodes: readonly SyntaxNode[], place: ShellScope, walk: Walk): void {
  const inside = copy(place)
  for (const node of nodes) visit(node, inside, walk)
  if (inside.dirs.join('\n') !== place.dirs.join('\n')) {
    walk.reading.unparsed.push(why('folderInLoop'))
  }
}

/** If the values are known and few, the body is read once for each of them. */
function visitFor(node: For, place: ShellScope, walk: Walk): void {
  const to = listenerOf(place, walk)
  const name = node.name.value
  const words = node.wordlist ?? []
  for (const word of words) walkWord(word, to)
  const isCount = (word: Word): boolean => kindOf(word) === 'number' || /^\{\d+\.\.\d+(\.\.\d+)?\}$/.test(word.text)
  to.set(name, words.length > 0 && words.every(isCount) ? 'number' : 'text')
  const values = words.map((word) => readWord(word, place.bound))
  const isKnown = values.every((value) => value.known && value.splits === undefined)
  if (!isKnown || values.length === 0 || values.length > MAX_ROUNDS || place.bound.size > 1) {
    const bound = new Map(place.bound)
    bound.delete(name)
    visitRepeated([node.body], { ...place, bound }, walk)
    return
  }
  walk.bound.add(name)
  for (const value of values) {
    visitRepeated([node.body], { ...place, bound: new Map([...place.bound, [name, value]]) }, walk)
  }
}

function visitCase(node: Case, place: ShellScope, walk: Walk): void {
  const to = listenerOf(place, walk)
  walkWord(node.word, to)
  for (const item of node.items) {
    for (const pattern of item.pattern) walkWord(pattern, to)
    visit(item.body, place, walk)
  }
}

function visitFunction(node: FunctionNode, place: ShellScope, walk: Walk): void {
  const name = node.name.value
  const start = walk.reading.invocations.length
  if (isReserved(name) || node.name.parts !== undefined) walk.reading.unparsed.push(why('replacesCommand', { name }))
  walk.reading.functions.push(name)
  walk.later.push(why('functionFolder', { name }))
  visitRepeated([node.body], { ...place, bound: new Map() }, walk)
  if (walk.reading.invocations.slice(start).some((invocation) => invocation.name === name)) {
    walk.reading.recursive.push(name)
  }
}

function visitCommand(node: Command, place: ShellScope, walk: Walk): void {
  const to = listenerOf(place, walk)
  const words: Arg[] = node.name === undefined ? [] : [readWord(node.name, place.bound)]
  if (node.name !== undefined) walkWord(node.name, to)
  for (const argument of node.args) {
    if (argument.type === 'Word') walkWord(argument, to)
    else walkValue(argument, to)
    words.push(argument.type === 'Word' ? readWord(argument, place.bound) : readAssignment(argument, place.bound))
  }
  const given = node.redirects.map((redirect) => textOf(redirect, place.bound)).find((text) => text !== undefined)
  for (const redirect of node.redirects) visitRedirection(redirect, place, walk)
  const isLasting = words.length === 1 && words[0]?.text === 'exec'
  if (isLasting && given !== undefined) to.doubt(why('execPasses'))
  for (const prefix of node.prefix)
    if (prefix.type === 'Assignment') walkAssignment(prefix, { command: words[0], bound: place.bound, to })
  const input = given === undefined ? {} : { input: given.text, isInputChanged: given.isChanged }
  // Substitutions run before the command that uses them, in the folder it starts in.
  record(words, { ...input, place }, walk)
}

interface At {
  input?: string
  isInputChanged?: boolean
  place: ShellScope
}

function record(words: readonly Arg[], at: At, walk: Walk): void {
  const [head, ...args] = words
  const { reading } = walk
  if (head === undefined) return
  if (!head.known || head.glob || head.text === '') {
    reading.unparsed.push(why('programLater', { text: JSON.stringify(head.text.slice(0, 80)) }))
    return
  }
  const { place, ...input } = at
  const invocation: Invocation = {
    name: head.text,
    base: posix.basename(head.text),
    args,
    dirs: [...place.dirs],
    feeds: place.feeds,
    ...input,
  }
  reading.invocations.push(invocation)
  readBuiltin(invocation, listenerOf(place, walk))
  if (invocation.name === 'cd' || invocation.name === 'pushd') changeFolder(args, place, walk)
  if (invocation.name === 'trap') walk.later.push(why('trapFolder'))
  const inner = innerCommands(invocation)
  reading.unparsed.push(...inner.unknown)
  for (const { text, ...rest } of inner.sets) {
    const [, name = text, value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? []
    const reason = exportDoubt(name, { ...rest, text: value })
    if (reason !== undefined) reading.unparsed.push(reason)
  }
  const deeper = {
    ...walk,
    depth: walk.depth + 1,
    isPosix: inner.isPosix === true || (walk.isPosix && inner.isPosix !== false),
  }
  for (const line of inner.lines) readLine(line, { ...copy(place), bound: new Map() }, deeper)
  for (const command of inner.commands) {
    if (deeper.depth > MAX_DEPTH) reading.unparsed.push(why('nestedTooDeep'))
    else record(command, at, deeper)
  }
}

function changeFolder(args: readonly Arg[], place: ShellScope, walk: Walk): void {
  const target = args.find((arg) => !/^-[LPe@]+$|^--$/.test(arg.text)) ?? plain('~')
  if (!target.known || target.glob || /^(-|[+-]\d.*|~[^/].*)$/s.test(target.text)) {
    walk.reading.unparsed.push(why('folderLater'))
    return
  }
  const { text } = target
  place.dirs = text.startsWith('/') || text.startsWith('~') ? [text] : place.dirs.map((dir) => `${dir}/${text}`)
}

function visitRedirection(node: Redirection, place: ShellScope, walk: Walk): void {
  const to = listenerOf(place, walk)
  if (node.descriptor?.type === 'FileDescriptorVariable') to.set(node.descriptor.name, 'number')
  if (node.type === 'HereDoc') {
    walkParts(node.body.parts, to)
    return
  }
  if (node.target !== undefined) walkWord(node.target, to)
  if (node.type === 'Redirect') noteRedirect(node, place, walk)
}

function noteRedirect(node: Redirect, place: ShellScope, walk: Walk): void {
  if (node.target === undefined) return
  const target = readWord(node.target, place.bound)
  // `2>&1` and `>&-` name a descriptor, not a file.
  if (node.operator.endsWith('&') && /^(\d+-?|-)$/.test(target.text)) return
  const access = node.operator === '<' || node.operator === '<&' ? 'read' : 'write'
  const truncates = access === 'write' && /^(\d*>\|?|&>|>&|<>)$/.test(node.operator) && node.operator !== '<>'
  walk.reading.redirects.push({ target, access, dirs: [...place.dirs], ...(truncates && { truncates }) })
}

function copy(place: ShellScope): ShellScope {
  return { ...place, dirs: [...place.dirs] }
}

function union(a: readonly string[], b: readonly string[]): string[] {
  return [...new Set([...a, ...b])]
}
