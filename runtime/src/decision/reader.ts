/** Reads untrusted JSON into a type, strictly: every complaint names the key path, and nothing is guessed. */
import { isJson, isObject } from '../base/json.ts'
import { clip, nearest } from '../base/text.ts'
import { JsonTextError, parseJson } from '../config/json-text.ts'
import { jsonProblem, printable } from '../config/problems.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Lang } from '../i18n/locale.ts'
import { type DecisionTexts, decisionTexts } from './texts.ts'

/** Where a value stands, and whom to tell what is wrong with it. */
export interface Spot {
  path: string
  texts: DecisionTexts
  complain(path: string, message: string): void
}

export type Read<T> = (value: unknown, spot: Spot) => T

interface Source {
  /** The file or backend it comes from. */
  origin: string
  code: 'BATCH_INVALID' | 'CONTEXT_INVALID'
}

const MAX_SHOWN = 20
/** Not JSON, but what some writers print; turned into something that fits nowhere, so that its path can be told. */
const NOT_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g

export function readText<T>(text: string, read: Read<T>, source: Source): T {
  try {
    return readValue(parseJson(text).value, read, source)
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error
    const spelled = text.replace(NOT_NUMBERS, (token) => (token.startsWith('"') ? token : `{"${token}":0}`))
    if (spelled !== text && isJson(spelled)) readValue(JSON.parse(spelled), read, source)
    const { line, column } = error.where
    const { message } = jsonProblem(source.origin, error)
    throw refusal((lang) => [`${line}:${column}: ${message[lang]}`], source)
  }
}

export function readValue<T>(value: unknown, read: Read<T>, source: Source): T {
  const { result, problems } = readIn('en', value, read)
  if (problems.length === 0) return result
  throw refusal((lang) => readIn(lang, value, read).problems, source)
}

function readIn<T>(lang: Lang, value: unknown, read: Read<T>): { result: T; problems: string[] } {
  const problems: string[] = []
  let unshown = 0
  const texts = decisionTexts(lang)
  const result = read(value, {
    path: '',
    texts,
    complain: (path, message) => {
      if (problems.length < MAX_SHOWN) problems.push(printable(`${path === '' ? '.' : path}: ${message}`))
      else unshown++
    },
  })
  return { result, problems: unshown === 0 ? problems : [...problems, texts.more({ n: unshown })] }
}

function refusal(linesIn: (lang: Lang) => string[], { origin, code }: Source): WritError {
  return new WritError(code, { origin, problems: { en: linesIn('en'), zh: linesIn('zh') } })
}

function wrong(value: unknown, spot: Spot, expected: string): void {
  if (value === undefined) {
    spot.complain(spot.path, spot.texts.missing)
    return
  }
  const found = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value))
  const shown = clip(found.replace(/^\{"(-?(?:NaN|Infinity))":0\}$/, '$1'), 60)
  spot.complain(spot.path, spot.texts.wrong({ found: shown, expected }))
}

const inside = (spot: Spot, key: string): Spot => ({ ...spot, path: spot.path === '' ? key : `${spot.path}.${key}` })

/** Exactly these keys; one that is not among them is an error, not an extra. */
export function object<T extends object>(fields: { [K in keyof T]: Read<T[K]> }): Read<T> {
  const names = Object.keys(fields) as (keyof T & string)[]
  return (value, spot) => {
    const result = {} as T
    if (!isObject(value)) {
      wrong(value, spot, spot.texts.expected.object)
      return result
    }
    for (const key of Object.keys(value)) {
      if (names.includes(key as keyof T & string)) continue
      const meant = nearest(key, names)
      const { path } = inside(spot, clip(key, 60))
      const { unknownKey, didYouMean } = spot.texts
      spot.complain(path, meant === undefined ? unknownKey : `${unknownKey}; ${didYouMean({ name: meant })}`)
    }
    for (const name of names) {
      result[name] = fields[name](Object.hasOwn(value, name) ? value[name] : undefined, inside(spot, name))
    }
    return result
  }
}

export function list<T>(item: Read<T>, max = Number.POSITIVE_INFINITY): Read<T[]> {
  return (value, spot) => {
    if (!Array.isArray(value)) wrong(value, spot, spot.texts.expected.list)
    else if (value.length > max) {
      spot.complain(spot.path, `${value.length}; ${spot.texts.expected.shortList({ max })}`)
    } else return value.map((each, i) => item(each, { ...spot, path: `${spot.path}[${i}]` }))
    return []
  }
}

export function text(max = Number.POSITIVE_INFINITY): Read<string> {
  return (value, spot) => {
    if (typeof value === 'string' && value.length <= max) return value
    const { expected } = spot.texts
    wrong(value, spot, Number.isFinite(max) ? expected.shortText({ max }) : expected.text)
    return ''
  }
}

export const fraction: Read<number> = (value, spot) => {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value
  wrong(value, spot, spot.texts.expected.fraction)
  return 0
}

/** 64-bit on the wire; what JSON cannot carry exactly is refused. */
export function integer(least: 'any' | 'natural' = 'any'): Read<number> {
  return (value, spot) => {
    if (Number.isSafeInteger(value) && (least === 'any' || Number(value) >= 0)) return Number(value)
    wrong(value, spot, least === 'any' ? spot.texts.expected.integer : spot.texts.expected.natural)
    return 0
  }
}

export function oneOf<const T extends string>(values: readonly [T, ...T[]]): Read<T> {
  return (value, spot) => {
    const found = values.find((known) => known === value)
    if (found !== undefined) return found
    const meant = typeof value === 'string' ? nearest(value, values) : undefined
    const guess = meant === undefined ? '' : `; ${spot.texts.didYouMean({ name: `"${meant}"` })}`
    wrong(value, spot, `${spot.texts.expected.oneOf({ values })}${guess}`)
    return values[0]
  }
}

/** Serde's `Option`: null or absent. */
export function option<T>(read: Read<T>): Read<T | null> {
  return (value, spot) => (value === undefined || value === null ? null : read(value, spot))
}

export function absent<T>(read: Read<T>, otherwise: T): Read<T> {
  return (value, spot) => (value === undefined ? otherwise : read(value, spot))
}
