/** What was typed, sorted into a verb, its words and its flags; or an error that says what was meant. */
import { WritError } from '../base/errors.ts'
import { nearest } from '../base/text.ts'
import {
  EVERYWHERE,
  type Flag,
  type Given,
  SHORT,
  SWITCHES,
  type Switch,
  takesValue,
  VALUE_FLAGS,
  type ValueFlag,
} from './flags.ts'
import type { CliTexts } from './texts-en.ts'
import { VERBS, type Verb } from './verbs.ts'

export interface Typed extends Omit<Given, 'signal' | 'terminated' | 'verb'> {
  /** Undefined when no verb was named, or only the first word of several. */
  verb: Verb | undefined
}

const ALL_FLAGS = [...Object.keys(VALUE_FLAGS), ...SWITCHES] as Flag[]

export function parseArgs(argv: readonly string[], texts: CliTexts): Typed {
  const words: string[] = []
  const values: Partial<Record<ValueFlag, string>> = {}
  const switches = new Set<Switch>()
  const inputs: string[] = []
  const spelled = new Map<Flag, string>()
  const rest = [...argv]
  for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
    if (item === '--') {
      words.push(...rest.splice(0))
    } else if (!item.startsWith('-') || item === '-') {
      words.push(item)
    } else {
      const [name = item, inline] = splitOnce(item)
      const flag = flagOf(name, texts)
      spelled.set(flag, name)
      if (takesValue(flag)) {
        const value = inline ?? valueAfter(name, rest, texts)
        values[flag] = value
        if (flag === 'input') inputs.push(value)
      } else if (inline === undefined) switches.add(flag)
      else throw usage(texts.usage.noValue({ flag: name }), texts)
    }
  }
  const verb = takeVerb(words, switches.has('help') || switches.has('version'), texts)
  if (verb !== undefined && !switches.has('help')) {
    checkFlags(verb, spelled, texts)
    checkWords(verb, words, texts)
  }
  return { verb, words, values, switches, ...(inputs.length === 0 ? {} : { inputs }) }
}

function splitOnce(item: string): [string, string?] {
  const equals = item.startsWith('--') ? item.indexOf('=') : -1
  return equals < 0 ? [item] : [item.slice(0, equals), item.slice(equals + 1)]
}

function flagOf(name: string, texts: CliTexts): Flag {
  const flag = SHORT[name] ?? ALL_FLAGS.find((known) => `--${known}` === name)
  if (flag !== undefined) return flag
  const meant = nearest(name.replace(/^-+/, ''), ALL_FLAGS)
  throw new WritError('USAGE', texts.usage.unknownFlag({ flag: name }), {
    hint: meant === undefined ? texts.usage.dashHint : texts.usage.didYouMean({ name: `--${meant}` }),
  })
}

function valueAfter(name: string, rest: string[], texts: CliTexts): string {
  const value = rest.shift()
  if (value === undefined || (value.startsWith('--') && value !== '--')) {
    throw usage(texts.usage.needsValue({ flag: name }), texts)
  }
  return value
}

/** Takes the verb off the front of the words: one word or two. */
function takeVerb(words: string[], asksOnly: boolean, texts: CliTexts): Verb | undefined {
  const [first, second] = words
  if (first === undefined) return undefined
  const family = VERBS.filter(({ name }) => name === first || name.startsWith(`${first} `))
  const verb = family.find(({ name }) => name === first || name === `${first} ${second}`)
  if (verb !== undefined) {
    words.splice(0, verb.name.split(' ').length)
    return verb
  }
  if (family.length > 0 && second === undefined && asksOnly) return undefined
  const typed = family.length > 0 && second !== undefined ? `${first} ${second}` : first
  const names = (family.length > 0 ? family : VERBS).map(({ name }) => name)
  const meant =
    nearest(typed, names) ??
    nearest(
      typed,
      VERBS.map(({ name }) => name.split(' ')[0] ?? name),
    )
  const fact =
    family.length > 0 && second === undefined
      ? texts.usage.wordsMissing({ usage: `writ ${first} ${family.map(({ name }) => name.split(' ')[1]).join('|')}` })
      : texts.usage.unknownVerb({ verb: typed })
  throw new WritError('USAGE', fact, {
    hint:
      family.length > 0
        ? texts.usage.oneOf({ names })
        : meant === undefined
          ? texts.usage.seeHelp
          : texts.usage.didYouMean({ name: `writ ${meant}` }),
  })
}

function checkFlags(verb: Verb, spelled: ReadonlyMap<Flag, string>, texts: CliTexts): void {
  for (const [flag, name] of spelled) {
    if (EVERYWHERE.includes(flag) || verb.flags.includes(flag)) continue
    const others = VERBS.filter(({ flags }) => flags.includes(flag)).map(({ name: other }) => other)
    throw new WritError('USAGE', texts.usage.flagElsewhere({ flag: name, verb: verb.name }), {
      hint:
        others.length === 0 ? texts.usage.verbHelp({ verb: verb.name }) : texts.usage.flagBelongs({ names: others }),
    })
  }
}

function checkWords(verb: Verb, words: readonly string[], texts: CliTexts): void {
  const [least, most] = verb.takes
  const fact =
    words.length < least
      ? texts.usage.wordsMissing({ usage: `writ ${verb.name} ${verb.words}` })
      : words.length > most
        ? texts.usage.wordTooMany({ word: words[most] ?? '', verb: verb.name })
        : undefined
  if (fact !== undefined) {
    throw new WritError('USAGE', fact, { hint: texts.usage.verbHelp({ verb: verb.name }) })
  }
}

function usage(fact: string, texts: CliTexts): WritError {
  return new WritError('USAGE', fact, { hint: texts.usage.seeHelp })
}
