/** How a scout's end looks to the main session, and along which states it got there (decisions §2.6). */
import type { ScoutState, ScoutStatus } from '../protocol/scout.ts'
import type { Stop } from '../protocol/stop.ts'
import { type Findings, readFindings, type ScoutTaskInput, type ScoutTaskResult } from './contracts.ts'
import { type Clips, clipFindings, type Grounded, ground, type Reading, UNQUOTED_CONFIDENCE } from './evidence.ts'
import type { Notebook } from './notebook.ts'
import { scoutTexts } from './texts.ts'

export interface Circumstances {
  scout: { input: ScoutTaskInput; config: { clip: Clips }; engine: { lang: 'en' | 'zh' } }
  notebook: Notebook
  forced: boolean
}

export interface Conclusion {
  result: ScoutTaskResult
  /** From where the scout stands when its run has ended. */
  path: ScoutState[]
}

export function conclude(ending: Stop, about: Circumstances): Conclusion {
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
      // It was about to report, and what it reported was no good: that is what went wrong first.
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

/** Only a report with a quote that stands is a success: without one its summary may be anything. */
function reported(findings: Findings, about: Circumstances): ScoutTaskResult {
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

function failed(about: Circumstances, path: ScoutState[], error: { code: string; message: string }): Conclusion {
  return { result: { ...resultOf(about, 'failed', NOTHING), error }, path }
}

/** C23: what was read and not reported is still worth something. */
function unreported({ scout, notebook }: Circumstances): Grounded {
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

function shortfall({ reason }: Stop, { scout, notebook }: Circumstances): { code: string; message: string } {
  const texts = scoutTexts(scout.engine.lang)
  const spent = notebook.toolCalls >= scout.input.constraints.maxToolCalls
  const readNothing = notebook.readings.length === 0
  if (reason !== 'final' && spent && readNothing) return { code: 'NO_READ_BEFORE_LIMIT', message: texts.noRead }
  if (reason === 'final') return { code: 'NO_REPORT', message: texts.noReport }
  return { code: 'BUDGET_EXHAUSTED', message: texts.budget }
}

function resultOf({ scout, notebook }: Circumstances, status: ScoutStatus, found: Grounded): ScoutTaskResult {
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
