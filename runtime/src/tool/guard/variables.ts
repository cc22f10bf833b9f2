/** Which variables a line sets, and which of them bash would evaluate. Judged at the end, as functions and loops run in any order. */
import { isOwnNumber, variableDoubt } from './environment.ts'
import type { Kind } from './expansions.ts'
import type { Arg, Invocation } from './invocation.ts'

export class Variables {
  readonly #kinds = new Map<string, Set<Kind>>()
  readonly #evaluated = new Set<string>()
  /** Commands that evaluate a text when the variable it goes to is a list. */
  readonly #filled: string[] = []
  /** Words that must stay one word. */
  readonly #whole: { arg: Arg; why: string }[] = []
  hasLists = false

  /** What is wrong with setting it. */
  set(name: string, kind: Kind, value?: Arg): string | undefined {
    this.#kinds.set(name, new Set([...(this.#kinds.get(name) ?? []), kind]))
    if (kind === 'list') this.hasLists = true
    return variableDoubt(name, kind, value)
  }

  evaluate(name: string): void {
    this.#evaluated.add(name)
  }

  /** The word must be a number, or whole. */
  keepWhole(arg: Arg, why: string): void {
    if (!arg.single) this.#whole.push({ arg, why })
  }

  fill(by: string): void {
    this.#filled.push(by)
  }

  isNumber(name: string): boolean {
    const kinds = this.#kinds.get(name)
    return kinds === undefined ? isOwnNumber(name) : kinds.size === 1 && kinds.has('number')
  }

  doubts(): string[] {
    const evaluated = [...this.#evaluated].filter((name) => !this.isNumber(name))
    const filled = this.hasLists ? this.#filled : []
    return [
      ...evaluated.map((name) => `what ${name} holds is evaluated as arithmetic, which can run commands`),
      ...this.#whole.filter(({ arg }) => !this.isPlain(arg)).map(({ why }) => why),
      ...filled.map((by) => `${by} evaluates a text that goes to a list`),
    ]
  }

  /** True when a word is known, or sure to be a number. */
  isPlain(arg: Invocation['args'][number]): boolean {
    return arg.known || (arg.counts?.every((name) => this.isNumber(name)) ?? false)
  }
}
