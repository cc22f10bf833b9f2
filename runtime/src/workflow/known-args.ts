/** Arguments as far as they are known before anything runs, and what is wrong with them. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Bilingual } from '../base/lang.ts'
import type { Lang } from '../i18n/locale.ts'
import type { Registry } from '../tool/registry.ts'
import type { Fault } from '../tool/schema-check.ts'
import { problemsWith } from '../tool/sealed.ts'
import type { ToolDescription } from '../tool/tool.ts'
import { type DocumentPath, fill, type Lookup } from './variables.ts'

/** The way to a value: `headers.Accept`, `messages_json.0.role`. Empty: the arguments as a whole. */
type Path = string

/** Values that are not known: anything at all, or some text. */
type Open = ReadonlyMap<Path, 'any' | 'text'>

/** These are about an object or a list as a whole, so an unknown value inside it does not change them. */
const WHOLE = new Set(['required', 'additionalProperties', 'minItems', 'maxItems', 'minProperties', 'maxProperties'])

/** Problems of a node's arguments, each with its place among them: `.max_steps`, `.allowed_tools[1]`. */
export function argProblems(
  args: JsonObject,
  tool: ToolDescription,
  { registry, lookup }: { registry: Pick<Registry, 'faults'>; lookup: Lookup },
): { place: DocumentPath; message: Bilingual }[] {
  const known = knownArgs(args, lookup)
  const zh = problemsIn('zh', { known, tool, registry })
  return problemsIn('en', { known, tool, registry }).map(({ place, message: en }, i) => ({
    place,
    message: { en, zh: zh[i]?.message ?? en },
  }))
}

interface Checked {
  known: { args: JsonObject; open: Open }
  tool: ToolDescription
  registry: Pick<Registry, 'faults'>
}

/** Validators and tools word their problems in one language at a time, in the same order. */
function problemsIn(lang: Lang, { known, tool, registry }: Checked): { place: DocumentPath; message: string }[] {
  const faults = registry.faults(tool, known.args, lang).filter((fault) => counts(fault, known.open))
  const misfits = faults.map((fault) => ({ place: placeOf(fault), message: fault.text }))
  // The check was given up, so nothing says that the arguments have the types the tool expects.
  if (faults.some(({ keyword }) => keyword === 'bounded')) return misfits
  return [...misfits, ...meaningProblems(known, { tool, misfits, lang })]
}

/** What the tool itself says of every value that is known and fits its schema. */
function meaningProblems(
  { args, open }: { args: JsonObject; open: Open },
  { tool, misfits, lang }: { tool: ToolDescription; misfits: readonly { place: DocumentPath }[]; lang: Lang },
): { place: DocumentPath; message: string }[] {
  const unfit = misfits.map(({ place }) => pathOf(place)).filter((path) => path !== '')
  const unjudged = [...open.keys(), ...unfit]
  const told = Object.entries(args).filter(([key]) => !unjudged.includes(key))
  const judged = Object.fromEntries(told.map(([key, value]) => [key, withoutAt(value as Json, unfit, key)]))
  return problemsWith(tool, judged, { open: unjudged, lang })
    .map(({ key, message }) => ({ place: `.${key}`, message }))
    .filter(({ place }) => !unjudged.some((path) => isWithin(pathOf(place), path)))
}

/** A text stands where a value of the wrong type would break the tool's own check. */
function withoutAt(value: Json, unfit: readonly Path[], path: Path): Json {
  if (unfit.includes(path)) return ''
  if (Array.isArray(value)) return value.map((item, i) => withoutAt(item, unfit, `${path}.${i}`))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutAt(item as Json, unfit, `${path}.${key}`)]),
  )
}

function isWithin(path: Path, outer: Path): boolean {
  return path === outer || path.startsWith(`${outer}.`)
}

function placeOf({ path, key }: Fault): DocumentPath {
  const steps = [...(path === '' ? [] : path.split('.')), ...(key === undefined ? [] : [key])]
  return steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('')
}

function pathOf(place: DocumentPath): Path {
  return place.replace(/\[(\d+)\]/g, '.$1').replace(/^\./, '')
}

function counts({ path, keyword, schemaPath }: Fault, open: Open): boolean {
  if (open.size === 0) return true
  // Which of several forms is meant may be decided by what is not known yet.
  if (/\/(?:anyOf|oneOf|not|if|then|else)(?:\/|$)/.test(schemaPath)) return false
  const here = open.get(path)
  if (here !== undefined) return here === 'text' && keyword === 'type'
  const holdsOpen = [...open.keys()].some((place) => path === '' || isWithin(place, path))
  return !holdsOpen || WHOLE.has(keyword) || keyword === 'type'
}

/** A variable that is not known yet stays as it is written. */
function knownArgs(args: JsonObject, lookup: Lookup): { args: JsonObject; open: Open } {
  const open = new Map<Path, 'any' | 'text'>()
  const filled = fill(args, lookup, '', ({ place, token, alone }) => {
    open.set(pathOf(place), alone ? 'any' : 'text')
    return token
  })
  return { args: filled as JsonObject, open }
}
