/** Groups runs into equal time intervals: succeeded, failed, open. */
import type { Lang, RunSummary } from '../../lib/wire.ts'
import type { Column } from '../../parts/chart.tsx'

export const GOOD_ENDS: readonly string[] = ['final', 'reported', 'clarification']

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export function columnsOf(runs: readonly RunSummary[], since: number, until: number, lang: Lang): Column[] {
  const step = until - since <= DAY_MS ? HOUR_MS : until - since <= 7 * DAY_MS ? 6 * HOUR_MS : DAY_MS
  const count = Math.max(1, Math.ceil((until - since) / step))
  const parts = Array.from({ length: count }, () => [0, 0, 0])
  for (const { startedAt, stopReason } of runs) {
    const at = Math.min(count - 1, Math.max(0, Math.floor((startedAt - since) / step)))
    const kind = stopReason === undefined ? 2 : GOOD_ENDS.includes(stopReason) ? 0 : 1
    const column = parts[at]
    if (column !== undefined) column[kind] = (column[kind] ?? 0) + 1
  }
  const words = new Intl.DateTimeFormat(lang === 'zh' ? 'zh-CN' : 'en', {
    month: 'short',
    day: 'numeric',
    ...(step < DAY_MS ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : {}),
  })
  return parts.map((each, i) => ({
    name: words.format(since + i * step),
    end: words.format(Math.min(until, since + (i + 1) * step)),
    parts: each,
  }))
}
