/** What a word of a line expands to, as far as it is known before the line runs. */
import type { Assignment, ParsedScript, Redirection, Word, WordPart } from 'unbash'
import { type Arg, plain } from './invocation.ts'

/** Values of loop variables while the loop's body is read. */
export type Bound = ReadonlyMap<string, Arg>

/** Commands that print one plain word, which is neither an option nor a path. */
const PLAIN_OUTPUT =
  /^(nproc|whoami|id -[ug]|uname|date( -u)? \+%[%\w:.-]+|git rev-parse (--short(=\d+)? )?HEAD|git merge-base [\w/]+ [\w/]+)$/
/** A range or list in braces, but not `{}` or `stash@{0}`. */
const BRACES = /\{.*(,|\.\.).*\}/s

export function readWord(word: Word, bound: Bound): Arg {
  const { shown, ...arg } = draftOf(word, bound)
  // `~+`, `~-` and `~2` are folders of the shell's directory stack.
  if (BRACES.test(unquoted(word)) || /^~[-+\d]/.test(word.text)) forget(arg)
  if (!arg.known) arg.start = /^[^{]*/.exec(arg.start ?? arg.text)?.[0] ?? ''
  // `-j4` is an option, but `/proc/4` is a path.
  if (!/^(--?[\w-]+=?)?$/.test(arg.text)) delete arg.counts
  if (!arg.known) arg.text = shown
  else delete arg.counts
  return arg
}

/** `shown` is the text with unknown parts as written. */
interface Draft extends Arg {
  shown: string
}

function draftOf(word: Word, bound: Bound): Draft {
  const draft: Draft = { ...plain(''), counts: [], shown: '' }
  if (word.parts === undefined) append(draft, word.value)
  else for (const part of word.parts) addPart(part, draft, { bound, quoted: false })
  return draft
}

function append(draft: Draft, text: string): void {
  draft.text += text
  draft.shown += text
}

function unquoted(word: Word): string {
  const parts = word.parts ?? [{ type: 'Literal', text: word.text }]
  const bare = parts.map(({ type, text }) => {
    if (type === 'Literal') return text.replace(/\\./gs, '')
    return type.endsWith('Quoted') ? '' : text
  })
  return bare.join('').replace(/@\{\d+\}|\{\}|\$\{[^{}]*\}/g, '')
}

function forget(arg: Arg): void {
  arg.known = false
  arg.single = false
  delete arg.counts
}

interface Where {
  bound: Bound
  quoted: boolean
}

function addPart(part: WordPart, arg: Draft, where: Where): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      append(arg, part.value)
      return
    case 'DoubleQuoted':
    case 'LocaleString':
      for (const child of part.parts) addPart(child, arg, { ...where, quoted: true })
      return
    case 'Glob':
    case 'ExtendedGlob':
      append(arg, part.text)
      arg.glob = true
      return
    default:
      addValue(part, arg, where)
  }
}

function addValue(part: WordPart, arg: Draft, { bound, quoted }: Where): void {
  const name = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(part.text)?.[1] ?? ''
  // These two have a fixed meaning: a line that sets them is not understood anyway.
  const place = { HOME: '~', PWD: '.' }[name]
  const value = bound.get(name)
  if (place !== undefined && arg.text === '' && arg.known) {
    append(arg, place)
    if (!quoted && name === 'PWD') arg.splits = true
    return
  }
  if (value !== undefined && (quoted || (!value.glob && /^[^\s*?[\]\\]+$/.test(value.text)))) {
    append(arg, value.text)
    arg.glob ||= value.glob
    return
  }
  arg.start ??= arg.text
  arg.shown += part.text
  arg.known = false
  if (part.type === 'CommandExpansion' || part.type === 'ProcessSubstitution') arg.runs = true
  const counts = countsOf(part, name)
  if (counts === undefined) delete arg.counts
  else arg.counts?.push(...counts)
  const isOne = quoted && !/^\$(@|\{@|\{!?\w+\[@|\{!\w+@)/.test(part.text)
  if (!isOne && counts?.length !== 0) arg.single = false
}

/** The variables that must be whole numbers for this part to be a number; undefined when it cannot be one. */
function countsOf(part: WordPart, name: string): string[] | undefined {
  if (/^\$([#?$!]|\{#\w+(\[[@*]\])?\})$/.test(part.text) || part.type === 'ArithmeticExpansion') return []
  if (part.type === 'CommandExpansion' && PLAIN_OUTPUT.test(commandText(part.script))) return []
  return name === '' ? undefined : [name]
}

/** The words of a script that is a single plain command; `''` for any other. */
function commandText(script: ParsedScript | undefined): string {
  const command = script?.commands.length === 1 ? script.commands[0]?.command : undefined
  if (command?.type !== 'Command' || command.prefix.length > 0 || command.name === undefined) return ''
  const words = [command.name, ...command.suffix]
  return words.map((word) => (word.type === 'Word' && (word.parts ?? []).every(isQuote) ? word.value : '?')).join(' ')
}

function isQuote(part: WordPart): boolean {
  return part.type === 'SingleQuoted' || part.type === 'Literal'
}

/** The text that a redirection passes on, and whether the shell expands something in it. */
export function textOf(node: Redirection, bound: Bound): { text: string; isChanged: boolean } | undefined {
  if (node.type === 'HereDoc') {
    const { text } = node.body
    return { text, isChanged: node.delimiter?.quoted !== true && /[$`\\]/.test(text) }
  }
  if (node.type !== 'HereString' || node.target === undefined) return undefined
  const word = readWord(node.target, bound)
  return { text: word.text, isChanged: !word.known }
}

export function readAssignment(node: Assignment, bound: Bound): Arg {
  if (node.value.type !== 'Word') return { ...plain(node.text), isList: true }
  const value = readWord(node.value, bound)
  const { text, ...rest } = value
  return { ...rest, text: value.known ? `${node.name}${node.append === true ? '+' : ''}=${text}` : node.text }
}
