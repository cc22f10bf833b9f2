/**
 * A value in a command line is one word of the line its author wrote. Who may run a workflow need not be the one who
 * wrote it: a value that could end the word and begin a command would be a command that is in no document.
 */
import { posix } from 'node:path'
import { canonical, isObject, type Json } from '../base/json.ts'
import { readShell } from '../tool/guard/commands.ts'
import { splitGit } from '../tool/guard/git-args.ts'
import type { Arg } from '../tool/guard/invocation.ts'
import type { ShellReading } from '../tool/guard/shell-reading.ts'
import {
  asText,
  type DocumentPath,
  fill,
  type Lookup,
  parseReference,
  type Reference,
  TOKEN,
  VariableError,
} from './variables.ts'

export class ValueNotAWord extends VariableError {}

interface Filling {
  lookup: Lookup
  /** True of what the author or the operator wrote, which may be any part of a line. */
  isAuthors: (reference: Reference) => boolean
  place: DocumentPath
}

/** The arguments of a node, with the values in a command line as words of it. */
export function fillCommand(tool: string, args: unknown, filling: Filling): Json {
  const filled = fill(args, filling.lookup, filling.place)
  if (!isObject(args) || !isObject(filled)) return filled
  if (tool === 'shell' && typeof args.command === 'string') {
    return { ...filled, command: shellLine(args.command, { ...filling, place: `${filling.place}.command` }) }
  }
  if (tool === 'git') demandGitWords(args.args, { ...filling, place: `${filling.place}.args` })
  return filled
}

interface Slot {
  token: string
  value: string
  /** Stands for the value while the line's own structure is read. */
  stand: string
}

const PLAIN = /^[\p{L}\p{N}_@%+:,./][\p{L}\p{N}_@%+:,./=-]*$/u
/** What may stand beside a value in one word; brackets and quotation marks would make it part of a program's text. */
const BESIDE = /^[\p{L}\p{N}\s_.,:@%+/=-]*$/u

function shellLine(template: string, filling: Filling): string {
  const { slots, stood, line } = draw(template, filling)
  if (slots.length === 0) return line
  const own = partsOf(readShell(stood))
  const real = partsOf(readShell(line))
  for (const slot of slots) if (!isOneWord(slot, own)) throw notAWord(slot, filling)
  const meant = slots.reduce((text, { stand, value }) => text.replaceAll(stand, () => inJson(value)), canonical(own))
  const [first] = slots
  if (first !== undefined && meant !== canonical(real)) throw notAWord(first, filling)
  return line
}

/** The line twice: with stand-ins and with the values, both quoted as the place each stands at demands. */
function draw(template: string, { lookup, isAuthors, place }: Filling) {
  const slots: Slot[] = []
  let stood = ''
  let line = ''
  let from = 0
  for (const found of template.matchAll(TOKEN)) {
    const [token] = found
    const before = template.slice(from, found.index)
    from = found.index + token.length
    stood += before
    line += before
    const value = asText(fill(token, lookup, place))
    const reference = parseReference(token.slice(2, -2))
    if (reference === undefined || isAuthors(reference)) {
      stood += value
      line += value
      continue
    }
    const stand = `writ0value${slots.length}end`
    // What the author wrote could else pass for a value.
    if (template.includes(stand)) throw notAWord({ token }, { place })
    line += quoted(value, quoteAt(stood))
    stood += stand
    slots.push({ token, value, stand })
  }
  const rest = template.slice(from)
  return { slots, stood: stood + rest, line: line + rest }
}

type Quote = '' | "'" | '"'

/** Good enough to choose the quotes by; whether they held is seen from the line that came of it. */
function quoteAt(before: string): Quote {
  let quote: Quote = ''
  for (let i = 0; i < before.length; i++) {
    const char = before[i]
    if (char === '\\' && quote !== "'") i++
    else if (char === quote) quote = ''
    else if (quote === '' && (char === "'" || char === '"')) quote = char
  }
  return quote
}

function quoted(value: string, quote: Quote): string {
  if (PLAIN.test(value)) return value
  if (quote === '"') return value.replace(/[\\"$`]/g, '\\$&')
  const inner = value.replaceAll("'", "'\\''")
  return quote === "'" ? inner : `'${inner}'`
}

/** They read words as programs of their own; no quotes of ours keep a value in its place there. */
const READS_CODE =
  /^(g?sed|[gm]?awk|perl|python[\d.]*|ruby|node|php|lua|ed|ex|vim?|find|xargs|make|sqlite3|psql|osascript)$/

interface Parts {
  names: string[]
  words: Pick<Arg, 'text' | 'known' | 'glob' | 'single' | 'runs'>[][]
  files: string[]
  inputs: (string | undefined)[]
}

function partsOf({ invocations, redirects }: ShellReading): Parts {
  return {
    names: invocations.map(({ name }) => name),
    words: invocations.map(({ args }) =>
      args.map(({ text, known, glob, single, runs }) => ({ text, known, glob, single, runs })),
    ),
    files: redirects.map(({ target }) => target.text),
    inputs: invocations.map(({ input }) => input),
  }
}

/** A value is never the program, nor an option; and where the line cannot be seen to take it as a word, it must be a plain one. */
function isOneWord({ value, stand }: Slot, { names, words, files }: Parts): boolean {
  if (value.includes('\0') || names.some((name) => name.includes(stand))) return false
  const code = words.flatMap((list, at) => (READS_CODE.test(posix.basename(names[at] ?? '')) ? list : []))
  if (code.some(({ text }) => text.includes(stand) && (text !== stand || !PLAIN.test(value)))) return false
  const holding = [...words.flat().map(({ text }) => text), ...files].filter((word) => word.includes(stand))
  if (value.startsWith('-') && holding.some((word) => word.startsWith(stand))) return false
  if (PLAIN.test(value)) return true
  return holding.length > 0 && holding.every((word) => BESIDE.test(word.replaceAll(stand, '')))
}

function demandGitWords(args: unknown, { lookup, isAuthors, place }: Filling): void {
  const list = Array.isArray(args) ? args : [args]
  const stood = list.map((word, at) => {
    if (typeof word !== 'string') return ''
    const where = `${place}[${at}]`
    return word.replace(TOKEN, (token, _, index: number) => {
      const value = fill(token, lookup, where)
      const reference = parseReference(token.slice(2, -2))
      if (reference === undefined || isAuthors(reference)) return asText(value)
      const isWord = Array.isArray(args) && (typeof value === 'string' || typeof value === 'number')
      if (!isWord || (index === 0 && asText(value).startsWith('-'))) throw notAWord({ token }, { place: where })
      return `${STAND}${token}`
    })
  })
  const named = splitGit(stood).subcommand
  if (named.includes(STAND)) throw notAWord({ token: named.slice(named.indexOf(STAND) + STAND.length) }, { place })
}

const STAND = 'writ0value'

function notAWord({ token }: { token: string }, { place }: { place: DocumentPath }): ValueNotAWord {
  return new ValueNotAWord(place, token.slice(2, -2).trim())
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
