/** The answer of a run that must be JSON: checked against the caller's schema before it counts. */
import { messageOf } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { clip } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import { type Lang, messages as texts } from '../i18n/locale.ts'
import type { Model } from '../model/model.ts'
import type { Event } from '../protocol/event.ts'
import { isEndless, schemaFaults } from '../tool/schema-check.ts'
import { note, type RunContext } from './context.ts'

const MAX_SCHEMA = 64 * 1024
const ERRORS_MAX = 2_000

/** Throws when no answer could ever be checked against it, or the model cannot write one. */
export function assertOutputSchema(schema: JsonObject, { route }: Pick<Model, 'route'>): void {
  if (route === 'RuleBased') throw new WritError('OUTPUT_SCHEMA.rules')
  const size = JSON.stringify(schema).length
  if (size > MAX_SCHEMA) throw new WritError('OUTPUT_SCHEMA.tooLong', { size, most: MAX_SCHEMA })
  let endless: boolean
  try {
    endless = isEndless(schema)
  } catch (error) {
    throw new WritError('OUTPUT_SCHEMA', { why: messageOf(error) }, { cause: error })
  }
  if (endless) throw new WritError('OUTPUT_SCHEMA.endless')
}

/** The first answer that does not fit is sent back once; the second ends the run. */
export function* checkOutput(ctx: RunContext): Generator<Event> {
  const { state } = ctx
  const { outcome, given, lang, checked } = state
  const { text, errors } = readOutput(outcome?.text ?? '', (given.outputSchema ?? {}) as JsonObject, lang)
  const ok = errors.length === 0
  const isSecond = checked.output === 'retried'
  yield note(ctx, 'output.checked', { ok, text, errors }, ok ? '' : 'invalid_result')
  if (!ok && !isSecond) {
    const hint = texts(lang).prompt.outputRepair({ error: clip(errors.join('; '), ERRORS_MAX) })
    yield note(ctx, 'protocol.repair', { hint }, 'invalid_result')
  }
}

/** Models often put JSON in a code block. */
const FENCED = /^```[a-z]*\n([\s\S]*?)\n?```$/i

function readOutput(reply: string, schema: JsonObject, lang: Lang): { text: string; errors: string[] } {
  const trimmed = reply.trim()
  const text = FENCED.exec(trimmed)?.[1]?.trim() ?? trimmed
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { text, errors: [messageOf(error)] }
  }
  const whole = texts(lang).prompt.wholeOutput
  const faults = schemaFaults(schema, value, { lang, whole })
  return { text, errors: faults.map((fault) => (fault.path === '' ? fault.text : `${fault.path} ${fault.text}`)) }
}
