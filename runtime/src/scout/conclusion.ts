/** Turns the end of a scout's run into its result, and gives the states on the way there. */
import type { ScoutState, ScoutStatus } from '../protocol/scout.ts'
import type { Stop } from '../protocol/stop.ts'
import { type Findings, readFindings, type ScoutTaskInput, type ScoutTaskResult } from './contracts.ts'
import { type Clips, clipFindings, type Grounded, ground, type Reading, UNQUOTED_CONFIDENCE } from './evidence.ts'
import type { Notebook } from './notebook.ts'
import { scoutTexts } from './texts.ts'

export interface ScoutEnd {
  scout: { input: ScoutTaskInput; config: { clip: Clips }; engine: { lang: 'en' | 'zh' } }
  notebook: Notebook
  forced: boolean
}

export interface Conclusion {
  result: ScoutTaskResult
  /** The states after RUNNING. */
  path: ScoutState[]
}

export function conclude(ending: Stop, about: ScoutEnd): Conclusion {
  const { input, engine } = about.scout
  const { notebook } = about
  const texts = scoutTexts(engine.lang)
  const { misfit } = notebook
  switch (ending.reason) {
    case 'reported': {
      const findings = readFindings(notebook.report)
      if (findings === undefined) return failed(about, ['AGGREGATING', 'FAILED'], invalid(texts.invalid('')))
      const result = reported(findings, about)
      return {
        result: about.forced ? { ...result, reason: 'forced' } : result,
        path: ['AGGREGATING', 'COMPLETED'],
      }
    }
    case 'max_steps':
    case 'max_tool_calls':
    case 'token_budget':
    case 'money_budget':
    case 'final':
      if (misfit !== undefined) return failed(about, ['AGGREGATING', 'FAILED'], invalid(texts.invalid(misfit)))
      return {
        result: { ...resultOf(about, 'partial', unreported(about)), error: shortfall(ending, about) },
        path: ['AGGREGATING', 'COMPLETED'],
      }
    case 'timeout': {
      const error = { code: 'TIMEOUT', message: texts.timeout(input.constraints.timeoutMs) }
      return { result: { ...resultOf(about, 'timeout', unreported(about)), error }, path: ['TIMEOUT'] }
    }
    case 'aborted':
      return {
        result: { ...resultOf(about, 'aborted', NOTHING), error: { code: 'ABORTED', message: texts.aborted } },
        path: ['ABORTED'],
      }
    default:
      // The report was denied as invalid before the run failed: that is the first cause.
      if (misfit !== undefined) return failed(about, ['AGGREGATING', 'FAILED'], invalid(texts.invalid(misfit)))
      return failed(about, ['FAILED'], { code: ending.reason.toUpperCase(), message: ending.text })
  }
}

const NOTHING: Grounded = {
  summary: '',
  evidence: [],
  confidence: 0,
  grounding: { kept: 0, dropped: 0 },
  quoted: false,
}

/** Only a report with a verified quote is a success: without one its summary may be invented. */
function reported(findings: Findings, about: ScoutEnd): ScoutTaskResult {
  const texts = scoutTexts(about.scout.engine.lang)
  if (findings.found === false) {
    const error = { code: 'NOTHING_FOUND', message: texts.nothingFound }
    return { ...resultOf(about, 'partial', { ...NOTHING, summary: texts.nothingFound }), error }
  }
  const grounded = ground(findings, about.notebook.readings)
  if (grounded.quoted) return resultOf(about, 'success', grounded)
  const error = { code: 'UNGROUNDED', message: texts.ungrounded }
  const summary = texts.unverified(grounded.summary)
  return { ...resultOf(about, 'partial', { ...grounded, summary }), error }
}

function invalid(message: string) {
  return { code: 'INVALID_RESULT', message }
}

function failed(about: ScoutEnd, path: ScoutState[], error: { code: string; message: string }): Conclusion {
  return { result: { ...resultOf(about, 'failed', NOTHING), error }, path }
}

/** Without a report, what the scout read is given as evidence. */
function unreported({ scout, notebook }: ScoutEnd): Grounded {
  const texts = scoutTexts(scout.engine.lang)
  const { readings } = notebook
  if (readings.length === 0) return NOTHING
  const evidence = readings.map(({ source, text }: Reading) => ({
    source,
    quote: text.trim(),
    note: texts.readNotReported,
  }))
  const grounding = { kept: evidence.length, dropped: 0 }
  return { summary: texts.unreported, evidence, confidence: UNQUOTED_CONFIDENCE, grounding, quoted: true }
}

function shortfall({ reason }: Stop, { scout, notebook }: ScoutEnd): { code: string; message: string } {
  const texts = scoutTexts(scout.engine.lang)
  const spent = notebook.toolCalls >= scout.input.constraints.maxToolCalls
  const readNothing = notebook.readings.length === 0
  if (reason !== 'final' && spent && readNothing) return { code: 'NO_READ_BEFORE_LIMIT', message: texts.noRead }
  if (reason === 'final') return { code: 'NO_REPORT', message: texts.noReport }
  return { code: 'BUDGET_EXHAUSTED', message: texts.budget }
}

function resultOf({ scout, notebook }: ScoutEnd, status: ScoutStatus, found: Grounded): ScoutTaskResult {
  const { scoutId, task } = scout.input
  const { summary, evidence, confidence } = clipFindings(found, scout.config.clip)
  const { grounding } = found
  const withheld = [...new Set(notebook.withheld)]
  return {
    scoutId,
    task,
    status,
    summary,
    evidence,
    confidence,
    grounding,
    toolRuns: [...notebook.toolRuns],
    ...(withheld.length === 0 ? {} : { withheld }),
  }
}
