/**
 * Conditions: `{{nodes.check.outputs.status}} == 200 and not exists({{external.quiet}})`. A small language,
 * parsed here; nothing is ever evaluated as code.
 */
import { canonical, type Json } from '../base/json.ts'
import { type Lookup, parseReference, type Reference } from './variables.ts'

export type Condition =
  | { kind: 'or' | 'and'; left: Condition; right: Condition }
  | { kind: 'not'; of: Condition }
  | { kind: 'exists'; reference: Reference }
  | { kind: 'compare'; operator: Operator; left: Operand; right: Operand }
  | { kind: 'is'; operand: Operand }

export type Operand = { reference: Reference } | { value: Json }

const OPERATORS = ['==', '!=', '<=', '>=', '<', '>'] as const
type Operator = (typeof OPERATORS)[number]

type Token = { at: number } & (
  | { kind: 'word'; word: 'and' | 'or' | 'not' | 'exists' }
  | { kind: 'sign'; sign: '(' | ')' | Operator }
  | { kind: 'operand'; operand: Operand }
)

const TOKEN =
  /\s*(?:(?<variable>\{\{[^{}]*\}\})|(?<sign>==|!=|<=|>=|[<>()])|(?<quoted>"[^"]*"|'[^']*')|(?<number>-?\d+(?:\.\d+)?)|(?<word>[A-Za-z]+))/y
const CONSTANTS = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
])
/** Deep enough for any condition a person writes, and shallow enough for the stack. */
const DEEPEST = 50

export class ConditionFault extends Error {
  /** Counted from 1. */
  readonly column: number

  constructor(at: number) {
    super(`column ${at + 1}`)
    this.column = at + 1
  }
}

/** Throws ConditionFault if the text is not a condition. */
export function parseCondition(text: string): Condition {
  const tokens = tokensOf(text)
  let next = 0
  const isWord = (word: string) => {
    const token = tokens[next]
    return token?.kind === 'word' && token.word === word
  }
  const isSign = (sign: string) => {
    const token = tokens[next]
    return token?.kind === 'sign' && token.sign === sign
  }
  const fault = () => new ConditionFault(tokens[next]?.at ?? text.length)
  const demand = (sign: '(' | ')') => {
    if (!isSign(sign)) throw fault()
    next++
  }

  function joined(word: 'or' | 'and', part: (depth: number) => Condition, depth: number): Condition {
    let left = part(depth)
    while (isWord(word)) {
      next++
      left = { kind: word, left, right: part(depth) }
    }
    return left
  }
  const or = (depth: number): Condition => joined('or', and, depth)
  const and = (depth: number): Condition => joined('and', not, depth)

  function not(depth: number): Condition {
    if (depth > DEEPEST) throw fault()
    if (!isWord('not')) return primary(depth)
    next++
    return { kind: 'not', of: not(depth + 1) }
  }

  function primary(depth: number): Condition {
    if (isSign('(')) {
      next++
      const inner = or(depth + 1)
      demand(')')
      return inner
    }
    if (isWord('exists')) {
      next++
      demand('(')
      const inner = operand()
      if (!('reference' in inner)) {
        next--
        throw fault()
      }
      demand(')')
      return { kind: 'exists', reference: inner.reference }
    }
    const left = operand()
    const token = tokens[next]
    const operator = OPERATORS.find((sign) => token?.kind === 'sign' && token.sign === sign)
    if (operator === undefined) return { kind: 'is', operand: left }
    next++
    return { kind: 'compare', operator, left, right: operand() }
  }

  function operand(): Operand {
    const token = tokens[next]
    if (token?.kind !== 'operand') throw fault()
    next++
    return token.operand
  }

  const condition = or(0)
  if (next < tokens.length) throw fault()
  return condition
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex
    const found = TOKEN.exec(text)
    const at = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0)
    if (found === null) throw new ConditionFault(at)
    tokens.push({ at, ...tokenOf(found.groups ?? {}, at) })
  }
  return tokens
}

function tokenOf({ variable, sign, quoted, number, word }: Record<string, string | undefined>, at: number) {
  if (sign !== undefined) return { kind: 'sign', sign: sign as Operator | '(' | ')' } as const
  if (quoted !== undefined) return { kind: 'operand', operand: { value: quoted.slice(1, -1) } } as const
  if (number !== undefined) return { kind: 'operand', operand: { value: Number(number) } } as const
  if (variable !== undefined) {
    const reference = parseReference(variable.slice(2, -2))
    if (reference === undefined) throw new ConditionFault(at)
    return { kind: 'operand', operand: { reference } } as const
  }
  const constant = CONSTANTS.get(word ?? '')
  if (constant !== undefined) return { kind: 'operand', operand: { value: constant } } as const
  if (word === 'and' || word === 'or' || word === 'not' || word === 'exists') return { kind: 'word', word } as const
  throw new ConditionFault(at)
}

export function referencesIn(condition: Condition): Reference[] {
  switch (condition.kind) {
    case 'or':
    case 'and':
      return [...referencesIn(condition.left), ...referencesIn(condition.right)]
    case 'not':
      return referencesIn(condition.of)
    case 'exists':
      return [condition.reference]
    case 'compare':
      return [condition.left, condition.right].flatMap((operand) => ('reference' in operand ? [operand.reference] : []))
    case 'is':
      return 'reference' in condition.operand ? [condition.operand.reference] : []
  }
}

/** The variables it tests with `exists`. */
export function testedIn(condition: Condition): Reference[] {
  switch (condition.kind) {
    case 'or':
    case 'and':
      return [...testedIn(condition.left), ...testedIn(condition.right)]
    case 'not':
      return testedIn(condition.of)
    case 'exists':
      return [condition.reference]
    case 'compare':
    case 'is':
      return []
  }
}

/** Never throws: a missing value is null, and values of different types are neither greater nor less. */
export function holds(condition: Condition, lookup: Lookup): boolean {
  const valueIn = (operand: Operand): Json =>
    'reference' in operand ? (lookup(operand.reference) ?? null) : operand.value
  switch (condition.kind) {
    case 'or':
      return holds(condition.left, lookup) || holds(condition.right, lookup)
    case 'and':
      return holds(condition.left, lookup) && holds(condition.right, lookup)
    case 'not':
      return !holds(condition.of, lookup)
    case 'exists':
      return (lookup(condition.reference) ?? null) !== null
    case 'is':
      return valueIn(condition.operand) === true
    case 'compare':
      return compare(condition.operator, valueIn(condition.left), valueIn(condition.right))
  }
}

function compare(operator: Operator, left: Json, right: Json): boolean {
  const [a, b] = alike(left, right)
  if (operator === '==') return canonical(a) === canonical(b)
  if (operator === '!=') return canonical(a) !== canonical(b)
  if (typeof a === 'number' ? typeof b !== 'number' : typeof a !== 'string' || typeof b !== 'string') return false
  // Both numbers, or both texts.
  const [x, y] = [a as number, b as number]
  switch (operator) {
    case '<':
      return x < y
    case '<=':
      return x <= y
    case '>':
      return x > y
    case '>=':
      return x >= y
  }
}

/** Values from a command line or a page are text: compared with a number, a numeric text counts as a number. */
function alike(a: Json, b: Json): [Json, Json] {
  if (typeof a === 'number' && typeof b === 'string') return [a, numberIn(b)]
  if (typeof a === 'string' && typeof b === 'number') return [numberIn(a), b]
  return [lineIn(a), lineIn(b)]
}

/** The line break at the end of a command's output does not count. */
function lineIn(value: Json): Json {
  return typeof value === 'string' ? value.replace(/\n+$/, '') : value
}

function numberIn(text: string): Json {
  return /^\s*-?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : text
}
