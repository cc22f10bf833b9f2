/** The journal of one decision run. It begins before a backend is asked, so that what a model was asked is in it. */

import { type Budget, meterFor } from '../agent/budget.ts'
import { PROFILES } from '../agent/profile.ts'
import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/id.ts'
import type { Lang } from '../i18n/locale.ts'
import { apply, begin } from '../journal/fold.ts'
import { RunLog } from '../journal/journal.ts'
import type { Redact } from '../journal/redact.ts'
import { beginRun } from '../journal/run-lifecycle.ts'
import type { Store } from '../journal/store.ts'
import type { Meter } from '../model/meter.ts'
import type { Model } from '../model/model.ts'
import type { EventData, EventType } from '../protocol/event.ts'
import type { Usage } from '../protocol/message.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import type { DecisionRoute } from '../protocol/risk.ts'
import type { RunState } from '../protocol/state.ts'
import type { StopReason } from '../protocol/stop.ts'

export interface Journaling {
  store: Store
  redact: Redact
  clock: Clock
  newId: IdSource
  lang: Lang
  budget?: Budget | undefined
  maxOutputTokens?: number | undefined
  /** Who pays; the local user when absent. */
  owner?: Principal | undefined
}

export interface DecisionStart {
  windowId: string
  /** Who is asked first; who answered is in `batch.received`. */
  route: DecisionRoute
  model: string
  /** Of a session that was claimed for the caller; a new one of the local user's when absent. */
  sessionId?: string | undefined
}

export interface DecisionLog {
  readonly runId: string
  readonly state: RunState
  note<T extends EventType>(type: T, data: EventData[T], reason?: string): void
  flush(): Promise<void>
  /** No person can be asked: what needs approval is refused. */
  meter(model: Model): Meter
  stop(reason: Extract<StopReason, 'final' | 'aborted'>, usage?: Usage): Promise<void>
}

export function beginDecision(at: Journaling, { windowId, route, model, sessionId }: DecisionStart): DecisionLog {
  const { newId, lang } = at
  const place = {
    sessionId: sessionId ?? newId('ses'),
    turnId: newId('turn'),
    runId: newId('run'),
    scoutId: null,
  } as const
  const log = new RunLog(at, { ...place, mode: 'decision' })
  const started = beginRun(log, { task: `window ${windowId}`, profile: PROFILES.decision, model, lang, route })
  const state = begin(started, { history: [] })
  const note: DecisionLog['note'] = (type, data, reason) => apply(state, log.note(type, data, reason))
  return {
    runId: place.runId,
    state,
    note,
    flush: () => log.flush(),
    meter: (answering) =>
      meterFor({
        budget: at.budget,
        owner: at.owner ?? LOCAL,
        model: answering,
        maxOutputTokens: at.maxOutputTokens ?? 0,
        lang,
        now: () => at.clock.now(),
        run: { runId: place.runId, usage: state.usage, metered: true, approved: [], warned: warnedIn(state) },
        warn: (warning) => note('budget.warned', warning, warning.scope),
      }),
    async stop(reason, told) {
      // What models answered is in the journal; only a backend that says nothing there has to be believed.
      const { inputTokens, outputTokens } = state.usage
      const usage = inputTokens + outputTokens > 0 || told === undefined ? state.usage : told
      note('run.stopped', { stop: { reason, text: '' }, steps: 1, toolCalls: 0, usage }, reason)
      await log.flush()
    },
  }
}

function warnedIn({ budget }: RunState): string[] {
  return (budget?.warned ?? []).map(({ scope }) => scope)
}
