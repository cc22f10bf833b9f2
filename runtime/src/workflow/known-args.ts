/** Arguments as far as they are known before anything runs, and what is wrong with them. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Fault, Registry } from '../tool/registry.ts'
import { problemsWith } from '../tool/sealed.ts'
import type { ToolDescription } from '../tool/tool.ts'
import { fill, type Lookup, UnresolvedVariable } from './variables.ts'

/** A place whose value is not known: anything at all, or some text. */
type Open = Map<string, 'any' | 'text'>

interface Known {
  args: JsonObject
  open: Open
}

/** About these, a place that is not known says nothing. */
const WHOLE = new Set(['required', 'additionalProperties', 'minItems', 'maxItems', 'minProperties', 'maxProperties'])

/** Problems of a node's arguments, each with its place among them: `.max_steps`, `.allowed_tools[1]`. */
export function argProblems(
  args: JsonObject,
  tool: ToolDescription,
  { registry, lookup, lang }: { registry: Pick<Registry, 'faults'>; lookup: Lookup; lang: Lang },
): { place: string; message: string }[] {
  const known = knownArgs(args, lookup)
  const faults = registry.faults(tool, known.args, lang).filter((fault) => counts(fault, known.open))
  if (faults.length > 0) return faults.map((fault) => ({ place: placeOf(fault), message: fault.text }))
  const open = [...new Set([...known.open.keys()].map((path) => path.split('.')[0] ?? ''))]
  const told = Object.fromEntries(Object.entries(known.args).filter(([key]) => !open.includes(key)))
  return problemsWith(tool, told, { open, lang }).map(({ key, message }) => ({ place: `.${key}`, message }))
}

function placeOf({ path, key }: Fault): string {
  const steps = [...(path === '' ? [] : path.split('.')), ...(key === undefined ? [] : [key])]
  return steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('')
}

function counts({ path, keyword, schemaPath }: Fault, open: Open): boolean {
  if (open.size === 0) return true
  // Which of several forms is meant may be decided by what is not known yet.
  if (/\/(?:anyOf|oneOf|not|if|then|else)(?:\/|$)/.test(schemaPath)) return false
  const here = open.get(path)
  if (here !== undefined) return here === 'text' && keyword === 'type'
  const holdsOpen = [...open.keys()].some((place) => path === '' || place.startsWith(`${path}.`))
  return !holdsOpen || WHOLE.has(keyword) || keyword === 'type'
}

function knownArgs(args: JsonObject, lookup: Lookup): Known {
  const open: Open = new Map()
  const look = (value: unknown, path: string): Json => {
    const inner = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`)
    if (Array.isArray(value)) return value.map((item, i) => look(item, inner(i)))
    if (isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, look(item, inner(key))]))
    }
    try {
      return fill(value, lookup, path)
    } catch (error) {
      if (!(error instanceof UnresolvedVariable)) throw error
      open.set(path, /^\{\{[^{}]*\}\}$/.test(String(value)) ? 'any' : 'text')
      return value as Json
    }
  }
  return { args: look(args, '') as JsonObject, open }
}
