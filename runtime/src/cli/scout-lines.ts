/** Shows scouts: a progress line while each runs, and a permanent line when it ends. */
import { styleText } from 'node:util'
import { isObject } from '../base/json.ts'
import { type ScoutView, viewAfter } from '../journal/scout-states.ts'
import type { Event } from '../protocol/event.ts'
import { SCOUT_STATUSES, type ScoutStatus } from '../protocol/scout.ts'
import { oneLine } from '../protocol/visible-text.ts'
import type { Io } from './io.ts'
import type { Progress } from './progress.ts'
import { scoutTexts } from './scout-texts.ts'
import { fit } from './visible.ts'

const TASK_WIDTH = 60
const ENDS = ['SCOUT_COMPLETED', 'SCOUT_FAILED', 'SCOUT_TIMEOUT', 'SCOUT_ABORTED']

interface Entry extends ScoutView {
  n: number
}

/** Shows events of scouts; ignores those of the main run. */
export function scoutBoard({ io, progress, now = Date.now }: { io: Io; progress: Progress; now?: () => number }) {
  const live = new Map<string, Entry>()
  return {
    see(event: Event): void {
      const { scoutId, runId } = event
      if (scoutId === null) return
      const known = live.get(scoutId)
      if (event.type === 'SCOUT_TRIGGERED') {
        const n = Number(event.data.n ?? live.size + 1)
        live.set(scoutId, { scoutId, runId, n, task: String(event.data.task ?? ''), state: 'QUEUED', elapsedMs: 0 })
      } else if (known !== undefined) Object.assign(known, viewAfter(known, event))
      if (known !== undefined && ENDS.includes(event.type)) {
        live.delete(scoutId)
        progress.clear()
        io.stderr(`${endLine(known, event, io)}\n`)
      }
      if (live.size > 0)
        progress.showLines(() => [...live.values()].map((scout) => liveLine(scout, { io, now: now() })))
    },
  }
}

/** `scout 2 · RUNNING · read_doc · 3 s · what it is about` */
export function liveLine(scout: Entry, { io, now }: { io: Io; now: number }): string {
  const texts = scoutTexts(io.lang)
  const time = scout.startedAt === undefined ? [] : [texts.seconds({ s: seconds(now - scout.startedAt) })]
  const doing = scout.tool === undefined || scout.state !== 'RUNNING' ? [] : [oneLine(scout.tool)]
  return [texts.scout(scout), scout.state, ...doing, ...time, taskOf(scout)].join(' · ')
}

function endLine(scout: Entry, { data }: Event, io: Io): string {
  const texts = scoutTexts(io.lang)
  const stream = { stream: process.stderr }
  const status: ScoutStatus = SCOUT_STATUSES.find((name) => name === scout.status) ?? 'failed'
  const result = 'result' in data && isObject(data.result) ? data.result : {}
  const mark = status === 'success' ? styleText('green', '✓', stream) : styleText('red', '✗', stream)
  const took = styleText('dim', texts.seconds({ s: seconds(scout.elapsedMs) }), stream)
  const why = isObject(result.error) ? [`${result.error.code}`] : []
  const count = Array.isArray(result.evidence) ? result.evidence.length : 0
  const dropped = isObject(result.grounding) ? Number(result.grounding.dropped) : 0
  const parts = [texts.status[status], ...why, texts.sources({ count, dropped }), taskOf(scout)]
  return `${mark} ${texts.scout(scout)} ${took} ${parts.join(' · ')}`
}

function taskOf({ task }: ScoutView): string {
  return fit(oneLine(task), TASK_WIDTH)
}

function seconds(ms: number): string {
  return (Math.max(0, ms) / 1000).toFixed(1)
}
