/**
 * Lists of the options that a program may have, in one text: letters first, where `x:` takes a value and `x?` may have
 * one attached, `#` stands for `-5`; then long names, where `--name=` takes a value and `--name?` may have one.
 */

interface OptionList {
  letters: ReadonlyMap<string, Value>
  names: ReadonlyMap<string, Value>
  /** Long names have one dash too. */
  single: boolean
}
type Value = 'none' | 'next' | 'attached'

export interface Given {
  name: string
  value?: string
}

interface ReadArgs {
  words: string[]
  given: Given[]
  /** The first option that is not in the list. What follows it is not certain. */
  unknown?: string
}

const MARKS: Record<string, Value> = { ':': 'next', '=': 'next', '?': 'attached' }
const ALWAYS = new Set(['help', 'version'])
const lists = new Map<string, OptionList>()

function listOf(text: string): OptionList {
  let found = lists.get(text)
  if (found === undefined) {
    // The first mention counts.
    const parts = text
      .split(/\s+/)
      .filter((part) => part !== '')
      .toReversed()
    const names = parts.filter((part) => part.startsWith('-')).map((part) => part.replace(/^-+/, ''))
    const short = parts.filter((part) => !part.startsWith('-')).join('')
    found = {
      letters: new Map(
        [...short.matchAll(/([^:?])([:?])?/g)].map(([, letter = '', mark = '']) => [letter, MARKS[mark] ?? 'none']),
      ),
      names: new Map(names.map((name) => [name.replace(/[=?]$/, ''), MARKS[name.at(-1) ?? ''] ?? 'none'])),
      single: parts.some((part) => /^-[^-]/.test(part)),
    }
    lists.set(text, found)
  }
  return found
}

/** Separates the words of a command from its options. `leading`: the options end at the first word. */
export function readOptions(args: readonly string[], text: string, { leading = false } = {}): ReadArgs {
  const list = listOf(text)
  const read: ReadArgs = { words: [], given: [] }
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (arg === '--') return { ...read, words: [...read.words, ...args.slice(i + 1)] }
    if (!arg.startsWith('-') || arg === '-') {
      if (leading) return { ...read, words: [...read.words, ...args.slice(i)] }
      read.words.push(arg)
      continue
    }
    const found = oneOption(arg, list)
    if (found === undefined) return { ...read, words: [...read.words, ...args.slice(i + 1)], unknown: arg }
    const { given, takesNext } = found
    if (takesNext) {
      const last = given.at(-1)
      i++
      if (last !== undefined) last.value = args[i] ?? ''
    }
    read.given.push(...given)
  }
  return read
}

function oneOption(arg: string, list: OptionList): { given: Given[]; takesNext: boolean } | undefined {
  const [, dashes = '', name = '', attached] = /^(--?)([^=]*)(?:=(.*))?$/s.exec(arg) ?? []
  const value = list.names.get(name) ?? (ALWAYS.has(name) && dashes === '--' ? 'none' : undefined)
  if (value !== undefined && (dashes === '--' || list.single)) {
    if (attached === undefined) return { given: [{ name }], takesNext: value === 'next' }
    return value === 'none' ? undefined : { given: [{ name, value: attached }], takesNext: false }
  }
  return dashes === '--' ? undefined : letters(arg, list)
}

function letters(arg: string, list: OptionList): { given: Given[]; takesNext: boolean } | undefined {
  if (/^-\d+$/.test(arg) && list.letters.has('#')) return { given: [], takesNext: false }
  const given: Given[] = []
  for (let at = 1; at < arg.length; at++) {
    const name = arg.charAt(at)
    const takes = list.letters.get(name)
    if (takes === undefined || name === '#') return undefined
    const rest = arg.slice(at + 1)
    if (takes === 'none') given.push({ name })
    else
      return {
        given: [...given, rest === '' ? { name } : { name, value: rest }],
        takesNext: takes === 'next' && rest === '',
      }
  }
  return { given, takesNext: false }
}
