/**
 * Which variables a line sets, and which of them bash would evaluate. Decided at the end, because functions and loops
 * run in any order.
 */

import { why } from '../../i18n/why.ts'
import type { Why } from '../../protocol/why.ts'
import { isOwnNumber, variableDoubt } from './environment.ts'
import type { Kind } from './expansions.ts'
import type { Arg, Invocation } from './invocation.ts'

export class Variables {
  readonly #kinds = new Map<string, Set<Kind>>()
  readonly #evaluated = new Set<string>()
  /** Commands that evaluate a text if its variable is a list. */
  readonly #filled: string[] = []
  /** Words that must stay a single word. */
  readonly #whole: { arg: Arg; reason: Why }[] = []
  hasLists = false

  /** Returns why it must not be set. */
  set(name: string, kind: Kind, value?: Arg): Why | undefined {
    this.#kinds.set(name, new Set([...(this.#kinds.get(name) ?? []), kind]))
    if (kind === 'list') this.hasLists = true
    return variableDoubt(name, kind, value)
  }

  evaluate(name: string): void {
    this.#evaluated.add(name)
  }

  /** The word must be a number, or stay a single word. */
  requireSingleWord(arg: Arg, reason: Why): void {
    if (!arg.single) this.#whole.push({ arg, reason })
  }

  fill(by: string): void {
    this.#filled.push(by)
  }

  isNumber(name: string): boolean {
    const kinds = this.#kinds.get(name)
    return kinds === undefined ? isOwnNumber(name) : kinds.size === 1 && kinds.has('number')
  }

  doubts(): Why[] {
    const evaluated = [...this.#evaluated].filter((name) => !this.isNumber(name))
    const filled = this.hasLists ? this.#filled : []
    return [
      ...evaluated.map((name) => why('contentArithmetic', { name })),
      ...this.#whole.filter(({ arg }) => !this.isPlain(arg)).map(({ reason }) => reason),
      ...filled.map((by) => why('evaluatesList', { base: by })),
    ]
  }

  /** True when a word is known, or certainly a number. */
  isPlain(arg: Invocation['args'][number]): boolean {
    return arg.known || (arg.counts?.every((name) => this.isNumber(name)) ?? false)
  }
}
