/** Recorded runs under another policy: which decisions would have been others. Nothing is run. */
import { differs, type OtherPolicy, redecide } from '../agent/what-if.ts'
import { clip } from '../base/text.ts'
import { merge, type Raw } from '../config/keys.ts'
import { toPolicy } from '../config/policy.ts'
import { schemaProblems } from '../config/problems.ts'
import { configFile } from '../config/schema.ts'
import type { Lang } from '../i18n/locale.ts'
import { foldSession } from '../journal/session.ts'
import type { RunRow, Store } from '../journal/store.ts'
import type { Whose } from '../protocol/principal.ts'
import type { ChangedDecision, WhatIf } from './contract/runs.ts'
import { Refusal } from './failure.ts'
import type { Setup } from './setup.ts'

const WEEK_MS = 7 * 86_400_000
const MAX_LISTED = 500
const ARGS = 200

export async function whatIf(
  setup: Setup,
  { config, runId, since }: { config: Raw; runId?: string | undefined; since?: number | undefined },
  { lang, ...filter }: { whose: Whose; lang: Lang },
): Promise<WhatIf> {
  const { store, desk } = setup
  const other = otherPolicy(setup, config, lang)
  const from = since ?? desk.agent.engine.clock.now() - WEEK_MS
  const rows = runId === undefined ? await store.listRuns({ ...filter, since: from }) : await rowOf(store, runId)
  const changed: ChangedDecision[] = []
  const counts = { runs: 0, decisions: 0, changed: 0 }
  // Session by session, so that no more than one is held at a time.
  for (const [sessionId, runs] of Map.groupBy(rows.toReversed(), (row) => row.sessionId)) {
    const session = await store.readSession(sessionId)
    for (const run of runs) {
      const events = session.filter((event) => event.runId === run.runId)
      const started = events.find((event) => event.type === 'run.started')
      if (started?.type !== 'run.started') continue
      counts.runs++
      const inheritance = started.data.history > 0 ? foldSession(session, run.runId) : { history: [] }
      for (const each of redecide(events, other, inheritance)) {
        counts.decisions++
        if (!differs(each)) continue
        counts.changed++
        if (changed.length === MAX_LISTED) continue
        const { seq, callId, tool, before, after } = each
        const args = clip(JSON.stringify(each.args) ?? '', ARGS)
        changed.push({ runId: run.runId, seq, callId, tool, args, was: before, now: after })
      }
    }
  }
  return { runs: counts.runs, decisions: counts.decisions, changed, more: counts.changed - changed.length }
}

async function rowOf(store: Store, runId: string): Promise<RunRow[]> {
  const [first] = await store.readRun(runId, 0, 1)
  if (first === undefined) return []
  return (await store.listRuns({ sessionId: first.sessionId })).filter((row) => row.runId === runId)
}

/** The policy in force with what differs put over it. */
function otherPolicy({ desk }: Setup, config: Raw, lang: Lang): OtherPolicy {
  const given = { agent: config }
  const wrong = configFile.safeParse(given)
  const raw = merge({ agent: desk.agent.config.config as unknown as Raw }, given)
  const parsed = wrong.success ? configFile.safeParse(raw) : wrong
  if (!parsed.success) {
    const found = schemaProblems({ origin: '', raw: given }, parsed.error.issues, lang)
    const problems = found.map(({ path, message }) => ({ path, message }))
    throw new Refusal(422, 'CONFIG_REFUSED', { message: (t) => t.configRefused, hint: (t) => t.configHint, problems })
  }
  return { policy: toPolicy(parsed.data.agent), disabledTools: parsed.data.agent.tools.disabled }
}
