/** Reads a workflow from JSON or YAML. What it says is checked against the schema; whether it can run is `check.ts`. */
import { readFile } from 'node:fs/promises'
import { messageOf, WritError } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import { schemaProblems } from '../config/problems.ts'
import { type Lang, messages } from '../i18n/locale.ts'
import { tooDeep } from '../model/call-args.ts'
import { runBounded } from '../tool/guard/bounded.ts'
import { type Workflow, workflowJsonSchema, workflowSchema } from './document.ts'
import { workflowTexts } from './texts.ts'
import type { Place } from './variables.ts'

const MAX_BYTES = 1024 * 1024
const PARSE_MS = 2_000

export interface Problem {
  place: Place
  message: string
}

/** A document that was refused before anything of it ran. */
export class WorkflowInvalid extends WritError {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[], { origin, lang }: { origin: string; lang: Lang }) {
    const texts = workflowTexts(lang)
    const lines = problems.map(({ place, message }) => (place === '' ? message : `${place}: ${message}`))
    super('WORKFLOW_INVALID', texts.invalid({ origin, problems: lines }), { hint: texts.invalidHint })
    this.problems = problems
  }
}

export interface Origin {
  /** The file it comes from, or what to call it. */
  origin: string
  lang: Lang
}

export async function readWorkflowFile(file: string, { origin, lang }: Origin): Promise<Workflow> {
  const texts = messages(lang).config.file
  const refuse = (fact: string, cause?: unknown) => new WritError('WORKFLOW_UNREADABLE', fact, { cause })
  const bytes = await readFile(file).catch((error: unknown) => {
    throw refuse(texts.unreadable({ file: origin, why: messageOf(error) }), error)
  })
  if (bytes.length > MAX_BYTES) throw refuse(texts.tooLarge({ file: origin, max: MAX_BYTES }))
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw refuse(texts.notUtf8({ file: origin }), error)
  }
  return parseWorkflow(text, { origin, lang })
}

/** YAML, of which JSON is a part. A key given twice is refused in both. */
export async function parseWorkflow(text: string, { origin, lang }: Origin): Promise<Workflow> {
  const { parseDocument } = await import('yaml')
  const refuse = (message: string) => new WorkflowInvalid([{ place: '', message }], { origin, lang })
  // Thousands of keys or brackets keep the parser busy for minutes, and nothing else gets a turn meanwhile.
  const parsed = runBounded(() => parseDocument(text), PARSE_MS)?.value
  if (parsed === undefined) throw refuse(workflowTexts(lang).tooCostly)
  const [fault] = parsed.errors
  if (fault !== undefined) {
    const [start = { line: 1, col: 1 }] = fault.linePos ?? []
    const [why = ''] = fault.message.split('\n')
    const message = workflowTexts(lang).syntax({ line: start.line, column: start.col, why: plain(why) })
    throw refuse(message)
  }
  const made = runBounded(() => expanded(parsed), PARSE_MS)?.value
  if (made === undefined) throw refuse(workflowTexts(lang).tooCostly)
  return checkedWorkflow(made.raw, { origin, lang })
}

/** Undefined: its aliases make far more of it than was written. */
function expanded(parsed: { toJS(options: { maxAliasCount: number }): unknown }): { raw: unknown } | undefined {
  try {
    return { raw: parsed.toJS({ maxAliasCount: 100 }) }
  } catch (error) {
    if (error instanceof ReferenceError || error instanceof RangeError) return undefined
    throw error
  }
}

function plain(message: string): string {
  return message.replace(/ at line \d+, column \d+:?$/, '')
}

/** A document that is already a value: from a program, a request, or the journal. */
export function checkedWorkflow(raw: unknown, { origin, lang }: Origin): Workflow {
  const texts = workflowTexts(lang)
  if (tooDeep(raw) !== undefined) throw new WorkflowInvalid([{ place: '', message: texts.tooDeep }], { origin, lang })
  const odd = [...strangeValues(raw, '')].map((place) => ({ place, message: texts.notJson }))
  if (odd.length > 0) throw new WorkflowInvalid(odd, { origin, lang })
  const result = workflowSchema.safeParse(raw)
  if (result.success) return result.data
  const problems = schemaProblems({ origin, raw, schema: workflowJsonSchema() }, result.error.issues, lang)
  throw new WorkflowInvalid(
    problems.map(({ path, message }) => ({ place: bracketed(path), message: bracketed(message) })),
    { origin, lang },
  )
}

function bracketed(text: string): string {
  return text.replace(/\b(nodes|edges)\.(\d+)/g, '$1[$2]')
}

/** YAML can say things that JSON cannot, such as `.inf`. */
function* strangeValues(value: unknown, place: Place): Generator<Place> {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* strangeValues(item, `${place}[${i}]`)
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) yield* strangeValues(item, place === '' ? key : `${place}.${key}`)
  } else if (value !== null && !['string', 'boolean', 'undefined'].includes(typeof value) && !Number.isFinite(value)) {
    yield place
  }
}
