/**
 * `{{external.x}}`, `{{env.X}}`, `{{nodes.id.output}}`, `{{nodes.id.outputs.path}}` in the texts of a document. Values go into parsed
 * structures, never into document text, and are not looked at again: what a value says is never a variable.
 */
import type { Json } from '../base/json.ts'
import { isObject } from '../base/json.ts'

export type Reference =
  | { kind: 'external'; name: string; path: string[] }
  | { kind: 'env'; name: string }
  | { kind: 'node'; node: string; field: 'output' | 'outputs' | 'error' | 'state'; path: string[] }

/** A value, or undefined where there is none. */
export type Lookup = (reference: Reference) => Json | undefined

/** A place in a document: `nodes[2].args.url`. */
export type DocumentPath = string

export const TOKEN = /\{\{([^{}]*)\}\}/g
const SEGMENT = /^[A-Za-z0-9_-]+$/

export function parseReference(inside: string): Reference | undefined {
  const [root, ...rest] = inside.trim().split('.')
  if (!rest.every((segment) => SEGMENT.test(segment))) return undefined
  const [name, field, ...path] = rest
  if (name === undefined) return undefined
  switch (root) {
    case 'external':
      return { kind: 'external', name, path: rest.slice(1) }
    case 'env':
      return field === undefined ? { kind: 'env', name } : undefined
    case 'nodes':
      if (field === 'output' || field === 'outputs') return { kind: 'node', node: name, field, path }
      return (field === 'error' || field === 'state') && path.length === 0
        ? { kind: 'node', node: name, field, path }
        : undefined
    default:
      return undefined
  }
}

export function spell(reference: Reference): string {
  switch (reference.kind) {
    case 'external':
      return ['external', reference.name, ...reference.path].join('.')
    case 'env':
      return `env.${reference.name}`
    case 'node':
      return ['nodes', reference.node, reference.field, ...reference.path].join('.')
  }
}

/** `reference` is absent where something in double braces is no variable. */
export interface Use {
  place: DocumentPath
  text: string
  reference?: Reference
}

/** Every variable in a value, each with its place. A key is a name, not a text: a variable in it is none. */
export function* usesIn(value: unknown, place: DocumentPath): Generator<Use> {
  if (typeof value === 'string') {
    yield* usesInText(value, place)
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* usesIn(item, `${place}[${i}]`)
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (key.includes('{{')) yield { place: `${place}.${key}`, text: key }
      yield* usesIn(item, `${place}.${key}`)
    }
  }
}

function* usesInText(text: string, place: DocumentPath): Generator<Use> {
  for (const [token, inside = ''] of text.matchAll(TOKEN)) {
    const reference = parseReference(inside)
    yield { place, text: token, ...(reference === undefined ? {} : { reference }) }
  }
  const rest = text.replace(TOKEN, '')
  const open = rest.indexOf('{{')
  if (open >= 0) yield { place, text: rest.slice(open, open + 40) }
}

/** A variable that cannot be filled in. */
export class VariableError extends Error {
  readonly place: DocumentPath
  readonly variable: string

  constructor(place: DocumentPath, variable: string) {
    super(`${place}: {{${variable}}}`)
    this.place = place
    this.variable = variable
  }
}

export class UnresolvedVariable extends VariableError {}

/** What to put where a variable has no value. `alone`: there is nothing beside it, so the value could be of any type. */
export type Missing = (variable: { place: DocumentPath; token: string; alone: boolean }) => Json

const refuse: Missing = ({ place, token }) => {
  throw new UnresolvedVariable(place, token.slice(2, -2).trim())
}

interface Filling {
  lookup: Lookup
  missing: Missing
}

/** The value with its variables filled in. Unless `missing` says otherwise, one without a value throws UnresolvedVariable. */
export function fill(value: unknown, lookup: Lookup, place: DocumentPath, missing = refuse): Json {
  return fillValue(value, { lookup, missing }, place)
}

function fillValue(value: unknown, filling: Filling, place: DocumentPath): Json {
  if (typeof value === 'string') return fillText(value, filling, place)
  return fillParts(value, place, (item, inner) => fillValue(item, filling, inner))
}

function fillParts(value: unknown, place: DocumentPath, fillPart: (item: unknown, place: DocumentPath) => Json): Json {
  if (Array.isArray(value)) return value.map((item, i) => fillPart(item, `${place}[${i}]`))
  if (!isObject(value)) return value as Json
  // `fromEntries` makes an own property even of `__proto__`.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillPart(item, `${place}.${key}`)]))
}

function fillText(text: string, filling: Filling, place: DocumentPath): Json {
  const [only] = text.matchAll(TOKEN)
  if (only === undefined) return text
  if (only[0] === text) return resolve({ place, token: text, alone: true }, filling)
  const json = jsonTemplate(text)
  return json === undefined ? fillInto(text, filling, place) : JSON.stringify(fillJson(json, filling, place))
}

function fillInto(text: string, filling: Filling, place: DocumentPath): string {
  return text.replace(TOKEN, (token) => asText(resolve({ place, token, alone: false }, filling)))
}

function resolve(variable: Parameters<Missing>[0], { lookup, missing }: Filling): Json {
  const reference = parseReference(variable.token.slice(2, -2))
  const value = reference === undefined ? undefined : lookup(reference)
  return value === undefined ? missing(variable) : value
}

export function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Marks a variable that stood bare in JSON text, where its value's own type belongs. */
const BARE = '\u0000'

/**
 * JSON written as text, as the body of a request often is: a quotation mark in a value would end the text it was put
 * into and start an untrusted key. Such a text is filled in as the structure it stands for.
 */
function jsonTemplate(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined
  let quoted = false
  let out = ''
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? ''
    const token = char === '{' && !quoted ? /^\{\{[^{}]*\}\}/.exec(text.slice(i))?.[0] : undefined
    if (token !== undefined && parseReference(token.slice(2, -2)) !== undefined) {
      out += JSON.stringify(BARE + token)
      i += token.length - 1
      continue
    }
    if (char === '"') quoted = !quoted
    if (char === '\\' && quoted) out += char + (text[++i] ?? '')
    else out += char
  }
  try {
    return JSON.parse(out)
  } catch {
    return undefined
  }
}

function fillJson(value: unknown, filling: Filling, place: DocumentPath): Json {
  if (typeof value !== 'string') return fillParts(value, place, (item, inner) => fillJson(item, filling, inner))
  if (!value.startsWith(BARE)) return fillInto(value, filling, place)
  return resolve({ place, token: value.slice(1), alone: true }, filling)
}

/** The value at a path: own keys only, never prototype keys. */
export function at(value: Json | undefined, path: readonly string[]): Json | undefined {
  let here = value
  for (const key of path) {
    if (Array.isArray(here)) here = /^\d{1,9}$/.test(key) ? here[Number(key)] : undefined
    else if (isObject(here) && Object.hasOwn(here, key)) here = here[key] as Json
    else return undefined
  }
  return here
}
