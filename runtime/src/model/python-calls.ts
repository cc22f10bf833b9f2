/** Calls in Python's syntax, `[name(key="value", other=1)]`, with literals only, as some open models write them. */
import type { TextCall } from './text-call-forms.ts'

const DEEPEST = 10
const NAME = /\s*([A-Za-z_][\w.]{0,100})\s*/y
const NUMBER = /-?\d{1,15}(?:\.\d{1,15})?/y
const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y
const WORDS: Readonly<Record<string, unknown>> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
}
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/** Undefined: the text is something else. */
export function readPython(text: string): TextCall[] | undefined {
  const reader = new Reader(text.trim())
  try {
    const calls = reader.list('[', ']', () => reader.call())
    return calls.length > 0 && reader.isAtEnd() ? calls : undefined
  } catch (error) {
    if (error instanceof NotPython) return undefined
    throw error
  }
}

class NotPython extends Error {}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  isAtEnd(): boolean {
    return this.#at === this.#text.length
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) return undefined
    this.#at += found[0].length
    return found
  }

  #has(mark: string): boolean {
    this.#take(/\s*/y)
    if (!this.#text.startsWith(mark, this.#at)) return false
    this.#at += mark.length
    return true
  }

  list<T>(open: string, close: string, item: () => T): T[] {
    const items: T[] = []
    if (!this.#has(open)) throw new NotPython()
    while (!this.#has(close)) {
      if (items.length > 0 && !this.#has(',')) throw new NotPython()
      if (items.length > 0 && this.#has(close)) break
      items.push(item())
    }
    return items
  }

  call(): TextCall {
    const tool = this.#name()
    const args = this.list('(', ')', () => {
      const key = this.#name()
      if (!this.#has('=')) throw new NotPython()
      return [key, this.#value(0)] as const
    })
    return { tool, args: Object.fromEntries(args) }
  }

  #name(): string {
    const name = this.#take(NAME)?.[1]
    if (name === undefined) throw new NotPython()
    return name
  }

  #value(depth: number): unknown {
    if (depth > DEEPEST) throw new NotPython()
    this.#take(/\s*/y)
    const quoted = this.#take(STRING)?.[0]
    if (quoted !== undefined) return quoted.slice(1, -1).replace(/\\(.)/g, (_, char) => ESCAPES[char] ?? char)
    const number = this.#take(NUMBER)?.[0]
    if (number !== undefined) return Number(number)
    if (this.#text[this.#at] === '[') return this.list('[', ']', () => this.#value(depth + 1))
    const word = this.#name()
    if (!Object.hasOwn(WORDS, word)) throw new NotPython()
    return WORDS[word]
  }
}
