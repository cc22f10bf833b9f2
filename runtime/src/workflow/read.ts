/** Reads a workflow from JSON or YAML and checks it against the schema. `check.ts` decides whether it can run. */
import { readFile } from 'node:fs/promises'
import { messageOf } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import { type Bilingual, inBothLanguages } from '../base/lang.ts'
import { schemaProblems } from '../config/problems.ts'
import { WritError } from '../errors/writ-error.ts'
import { tooDeep } from '../model/call-args.ts'
import { runBounded } from '../tool/guard/bounded.ts'
import { type Workflow, workflowJsonSchema, workflowSchema } from './document.ts'
import { type Problem, WorkflowInvalid } from './invalid.ts'
import { problemText } from './texts.ts'
import type { DocumentPath } from './variables.ts'

const MAX_BYTES = 1024 * 1024
const PARSE_MS = 2_000
const MAX_VALUES = 200_000

/** A document: its value, and the place of each part in the source text. */
export interface Source {
  raw: unknown
  located(problems: readonly Problem[]): Problem[]
}

export interface Origin {
  /** The file it comes from, or what to call it. */
  origin: string
}

export async function readWorkflowFile(file: string, at: Origin): Promise<Workflow> {
  return shaped(await readSource(file, at), at)
}

export async function readSource(file: string, { origin }: Origin): Promise<Source> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new WritError('WORKFLOW_UNREADABLE', { file: origin, why: messageOf(cause) }, { cause })
  })
  if (bytes.length > MAX_BYTES) throw new WritError('WORKFLOW_UNREADABLE.tooLarge', { file: origin, max: MAX_BYTES })
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new WritError('WORKFLOW_UNREADABLE.notText', { file: origin }, { cause })
  }
  return parseSource(text, { origin })
}

/** YAML, which includes JSON. A repeated key is rejected in both. */
export async function parseWorkflow(text: string, at: Origin): Promise<Workflow> {
  return shaped(await parseSource(text, at), at)
}

function shaped({ raw, located }: Source, { origin }: Origin): Workflow {
  const { workflow, problems } = shapeOf(raw)
  if (workflow === undefined) throw new WorkflowInvalid(located(problems), { origin })
  return workflow
}

async function parseSource(text: string, { origin }: Origin): Promise<Source> {
  const yaml = await import('yaml')
  const { parseDocument, LineCounter, isMap, isSeq, isAlias, isScalar } = yaml
  const refuse = (message: Bilingual, at: Pick<Problem, 'line' | 'column'> = {}) =>
    new WorkflowInvalid([{ place: '', message, ...at }], { origin })
  const lineCounter = new LineCounter()
  // Thousands of keys or brackets would block the process for minutes.
  const parsed = runBounded(() => parseDocument(text, { lineCounter }), PARSE_MS)?.value
  if (parsed === undefined) throw refuse(problemText((texts) => texts.tooCostly))
  const [fault] = parsed.errors
  if (fault !== undefined) {
    const [start = { line: 1, col: 1 }] = fault.linePos ?? []
    const [first = ''] = fault.message.split('\n')
    // The parser's own message is about its call stack.
    const { code } = fault
    const isTooDeep = code === 'RESOURCE_EXHAUSTION'
    const { line, col: column } = start
    const why = (tooDeep: string) => (isTooDeep ? tooDeep : plain(first))
    throw refuse(problemText((texts) => texts.syntax({ line, column, code, why: why(texts.tooDeep) })))
  }
  const positionOf = (offset: number) => {
    const { line, col: column } = lineCounter.linePos(offset)
    return { line, column }
  }
  const made = runBounded(() => expanded(parsed), PARSE_MS)?.value
  if (made === undefined) {
    const offset = largestAlias(parsed.contents, yaml)
    throw refuse(
      problemText((texts) => texts.tooCostly),
      offset === undefined ? {} : positionOf(offset),
    )
  }
  /** The nearest part with a known place: a missing key has the place of its object. */
  const offsetOf = (place: DocumentPath): number => {
    let node: unknown = parsed.contents
    let offset = parsed.contents?.range?.[0] ?? 0
    for (const step of stepsIn(place)) {
      if (isAlias(node)) node = node.resolve(parsed)
      const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === step) : undefined
      const next = isSeq(node) ? node.items[Number(step)] : pair?.key
      if (next === undefined) break
      offset = (next as { range?: [number, number, number] | null }).range?.[0] ?? offset
      node = pair === undefined ? next : pair.value
    }
    return offset
  }
  const located = (problems: readonly Problem[]) =>
    problems.map((problem) => {
      if (problem.place.startsWith('external.')) return problem
      return { ...problem, ...positionOf(offsetOf(problem.place)) }
    })
  return { raw: made.raw, located }
}

function stepsIn(place: DocumentPath): string[] {
  return place.split(/[.[\]]+/).filter((step) => step !== '')
}

/** Undefined: its aliases expand to far more than was written. */
function expanded(parsed: { toJS(options: { maxAliasCount: number }): unknown }): { raw: unknown } | undefined {
  try {
    const raw = parsed.toJS({ maxAliasCount: 100 })
    return countTo(raw, MAX_VALUES) < MAX_VALUES ? { raw } : undefined
  } catch (error) {
    if (error instanceof ReferenceError || error instanceof RangeError) return undefined
    throw error
  }
}

/** The place of the alias that expands to the most values. */
function largestAlias(
  contents: unknown,
  { isAlias, isMap, isSeq, isScalar, isPair }: typeof import('yaml'),
): number | undefined {
  const sizes = new Map<string, number>()
  let values = 0
  let largest: { size: number; offset: number } | undefined
  const walk = (node: unknown): void => {
    if (isAlias(node)) {
      const size = sizes.get(node.source) ?? 1
      values += size
      if (size > (largest?.size ?? 0)) largest = { size, offset: node.range?.[0] ?? 0 }
      return
    }
    const before = values++
    const anchor = isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined
    // An alias inside its own anchor would expand forever.
    if (anchor !== undefined) sizes.set(anchor, Number.POSITIVE_INFINITY)
    if (isMap(node) || isSeq(node)) {
      for (const item of node.items) for (const part of isPair(item) ? [item.key, item.value] : [item]) walk(part)
    }
    if (anchor !== undefined) sizes.set(anchor, values - before)
  }
  walk(contents)
  return largest?.offset
}

/** An object behind several aliases is one in memory, but many when it is serialised. */
function countTo(value: unknown, max: number): number {
  const open = [value]
  let count = 0
  for (let next = open.pop(); count < max; next = open.pop()) {
    count++
    if (typeof next === 'object' && next !== null) for (const item of Object.values(next)) open.push(item)
    if (open.length === 0) break
  }
  return count
}

function plain(message: string): string {
  return message.replace(/ at line \d+, column \d+:?$/, '')
}

/** A document that is already a value: from a program, a request, or the journal. */
export function checkedWorkflow(raw: unknown, { origin }: Origin): Workflow {
  const { workflow, problems } = shapeOf(raw)
  if (workflow === undefined) throw new WorkflowInvalid(problems, { origin })
  return workflow
}

type Shape = { workflow: Workflow; problems: [] } | { workflow?: never; problems: Problem[]; legible: boolean }

/** `legible`: wrong in places, but the rest can be checked. */
export function shapeOf(raw: unknown): Shape {
  const illegible = (problems: Problem[]) => ({ problems, legible: false })
  if (tooDeep(raw) !== undefined) return illegible([{ place: '', message: problemText((texts) => texts.tooDeep) }])
  const odd = [...valuesNotJson(raw, '')].map((place) => ({ place, message: problemText((texts) => texts.notJson) }))
  if (odd.length > 0) return illegible(odd)
  const result = workflowSchema.safeParse(raw)
  if (result.success) return { workflow: result.data, problems: [] }
  const problems = schemaProblems({ origin: '', raw, schema: workflowJsonSchema() }, result.error.issues)
  const placed = problems.map(({ path, message }) => ({
    place: bracketed(path),
    message: inBothLanguages((lang) => bracketed(message[lang])),
  }))
  return { problems: placed, legible: isObject(raw) }
}

function bracketed(text: string): string {
  return text.replace(/\b(nodes|edges)\.(\d+)/g, '$1[$2]')
}

/** YAML has values that JSON has not, such as `.inf`. */
function* valuesNotJson(value: unknown, place: DocumentPath): Generator<DocumentPath> {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* valuesNotJson(item, `${place}[${i}]`)
  } else if (isObject(value)) {
    // A set, a map or bytes, as YAML's tags make them.
    if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) yield place
    for (const [key, item] of Object.entries(value)) yield* valuesNotJson(item, place === '' ? key : `${place}.${key}`)
  } else if (value !== null && !['string', 'boolean', 'undefined'].includes(typeof value) && !Number.isFinite(value)) {
    yield place
  }
}
