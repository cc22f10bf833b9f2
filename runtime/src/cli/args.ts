/** Parses the command line into a verb, its words and its flags. */
import { nearest } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import {
  type Flag,
  type Given,
  GLOBAL_FLAGS,
  SHORT,
  SWITCHES,
  type Switch,
  takesValue,
  VALUE_FLAGS,
  type ValueFlag,
} from './flags.ts'
import type { Verb } from './verb.ts'
import { VERBS } from './verbs.ts'

export interface ParsedArgs extends Omit<Given, 'signal' | 'terminated' | 'verb'> {
  /** Undefined when there was no verb, or only the first word of a two-word verb. */
  verb: Verb | undefined
}

const ALL_FLAGS = [...Object.keys(VALUE_FLAGS), ...SWITCHES] as Flag[]

export function parseArgs(argv: readonly string[]): ParsedArgs {
  const words: string[] = []
  const values: Partial<Record<ValueFlag, string>> = {}
  const switches = new Set<Switch>()
  const inputs: string[] = []
  const attach: string[] = []
  const typed = new Map<Flag, string>()
  const rest = [...argv]
  for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
    if (item === '--') {
      words.push(...rest.splice(0))
    } else if (!item.startsWith('-') || item === '-') {
      words.push(item)
    } else {
      const [name = item, inline] = splitOnce(item)
      const flag = flagOf(name)
      typed.set(flag, name)
      if (takesValue(flag)) {
        const value = inline ?? valueAfter(name, rest)
        values[flag] = value
        if (flag === 'input') inputs.push(value)
        if (flag === 'attach') attach.push(value)
      } else if (inline === undefined) switches.add(flag)
      else throw new WritError('USAGE.noValue', { flag: name })
    }
  }
  takeQuestion(words, switches)
  const verb = takeVerb(words, switches.has('help') || switches.has('version'))
  if (verb !== undefined && !switches.has('help')) {
    checkFlags(verb, typed)
    checkWords(verb, words)
  }
  const given = (list: string[]) => (list.length === 0 ? undefined : list)
  return { verb, words, values, switches, inputs: given(inputs), attach: given(attach) }
}

function splitOnce(item: string): [string, string?] {
  const equals = item.startsWith('--') ? item.indexOf('=') : -1
  return equals < 0 ? [item] : [item.slice(0, equals), item.slice(equals + 1)]
}

function flagOf(name: string): Flag {
  const flag = SHORT[name] ?? ALL_FLAGS.find((known) => `--${known}` === name)
  if (flag !== undefined) return flag
  const meant = nearest(name.replace(/^-+/, ''), ALL_FLAGS)
  throw new WritError('USAGE.unknownFlag', { flag: name, meant: meant === undefined ? undefined : `--${meant}` })
}

function valueAfter(name: string, rest: string[]): string {
  const value = rest.shift()
  if (value === undefined || (value.startsWith('--') && value !== '--')) {
    throw new WritError('USAGE.needsValue', { flag: name })
  }
  return value
}

/** `writ help run` is `writ run --help`, and `writ version` is `writ --version`. */
function takeQuestion(words: string[], switches: Set<Switch>): void {
  while (words[0] === 'help') {
    words.shift()
    switches.add('help')
  }
  if (words[0] === 'version' && words.length === 1) {
    words.shift()
    switches.add('version')
  }
}

/** Removes the verb from the front of the words: one word or two. */
function takeVerb(words: string[], helpOrVersion: boolean): Verb | undefined {
  const [first, second] = words
  if (first === undefined) return undefined
  const family = VERBS.filter(({ name }) => name === first || name.startsWith(`${first} `))
  const verb = family.find(({ name }) => name === first || name === `${first} ${second}`)
  if (verb !== undefined) {
    words.splice(0, verb.name.split(' ').length)
    return verb
  }
  if (family.length === 0) throw new WritError('USAGE.unknownVerb', { verb: first, meant: nearestVerb(first) })
  const names = family.map(({ name }) => name)
  if (second !== undefined) throw new WritError('USAGE.unknownSubcommand', { verb: `${first} ${second}`, names })
  if (helpOrVersion) return undefined
  const usage = `writ ${first} ${names.map((name) => name.split(' ')[1]).join('|')}`
  throw new WritError('USAGE.subcommandMissing', { usage, names })
}

function nearestVerb(typed: string): string | undefined {
  const names = VERBS.map(({ name }) => name)
  return (
    nearest(typed, names) ??
    nearest(
      typed,
      names.map((name) => name.split(' ')[0] ?? name),
    )
  )
}

function checkFlags(verb: Verb, typed: ReadonlyMap<Flag, string>): void {
  for (const [flag, name] of typed) {
    if (GLOBAL_FLAGS.includes(flag) || verb.flags.includes(flag)) continue
    const verbs = VERBS.filter(({ flags }) => flags.includes(flag)).map(({ name: other }) => other)
    throw new WritError('USAGE.flagNotHere', { flag: name, verb: verb.name, verbs })
  }
}

function checkWords(verb: Verb, words: readonly string[]): void {
  const [least, most] = verb.takes
  if (words.length < least) {
    throw new WritError('USAGE.argumentMissing', { usage: `writ ${verb.name} ${verb.words}`, verb: verb.name })
  }
  if (words.length > most) {
    throw new WritError('USAGE.unexpectedArgument', { word: words[most] ?? '', verb: verb.name })
  }
}
