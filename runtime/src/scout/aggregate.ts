/** Combines the results of several scouts into one answer for the main session. */
import type { Lang } from '../i18n/locale.ts'
import type { ExploreResult, ScoutTaskResult } from './contracts.ts'
import { scoutTexts } from './texts.ts'

export function aggregate(
  results: readonly ScoutTaskResult[],
  { lang, aborted }: { lang: Lang; aborted: boolean },
): ExploreResult {
  const usable = results.filter(isUsable)
  const mean = usable.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, usable.length)
  const failures = results
    .filter(({ status }) => status !== 'success')
    .map(({ scoutId, task, status, error }) => ({
      scoutId,
      task,
      status,
      error: error ?? { code: status, message: '' },
    }))
  const texts = scoutTexts(lang)
  const withheld = [...new Set(results.flatMap((one) => one.withheld ?? []))]
  const lines = [
    ...usable.map(({ summary }) => summary),
    ...(usable.length === 0 ? [texts.nothing] : []),
    ...failures.map(({ task, error }) => texts.missing(task, error.message)),
    ...(withheld.length === 0 ? [] : [texts.withheld(withheld)]),
  ]
  return {
    status: statusOf(results, aborted ? 'aborted' : 'awaited'),
    summary: lines.join('\n'),
    confidence: round(mean * (usable.length / Math.max(1, results.length))),
    scoutIds: results.map(({ scoutId }) => scoutId).filter((id) => id !== ''),
    results: [...results],
    failures,
  }
}

function isUsable({ status, evidence }: ScoutTaskResult): boolean {
  return status === 'success' || ((status === 'partial' || status === 'timeout') && evidence.length > 0)
}

function statusOf(results: readonly ScoutTaskResult[], call: 'aborted' | 'awaited'): ExploreResult['status'] {
  if (results.every(({ status }) => status === 'success')) return 'success'
  if (call === 'aborted' || results.every(({ status }) => status === 'aborted')) return 'aborted'
  // A scout that reached its limits without a result has not failed.
  return results.every(({ status }) => status === 'failed' || status === 'aborted') ? 'failed' : 'partial'
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

/** As JSON within `max` characters: evidence is cut before summaries, the longest list first. */
export function explorationText(result: ExploreResult, max: number): string {
  const shown: ExploreResult = { ...result, results: result.results.map((one) => ({ ...one })) }
  for (let text = JSON.stringify(shown); ; text = JSON.stringify(shown)) {
    const [longest] = [...shown.results].sort((a, b) => b.evidence.length - a.evidence.length)
    if (text.length <= max || longest === undefined || longest.evidence.length === 0) return text
    longest.evidence = longest.evidence.slice(0, -1)
  }
}
