/** Judges recorded runs under another policy and lists the decisions that would differ. Nothing is executed. */
import { homedir } from 'node:os'
import type { OtherPolicy } from '../agent/other-policy.ts'
import { clip } from '../base/text.ts'
import { merge, type Raw } from '../config/keys.ts'
import { toPolicy } from '../config/policy.ts'
import { schemaProblems } from '../config/problems.ts'
import { placedRules } from '../config/rules.ts'
import { configFile } from '../config/schema.ts'
import type { Lang } from '../i18n/locale.ts'
import { firstEvent } from '../journal/read.ts'
import { foldSession } from '../journal/session.ts'
import type { RunRow, Store } from '../journal/store.ts'
import type { Whose } from '../protocol/principal.ts'
import { differs, redecide } from '../replay/what-if.ts'
import type { ChangedDecision, WhatIf } from './contract/runs.ts'
import { Refusal } from './failure.ts'
import type { ServerDeps } from './server-deps.ts'

const WEEK_MS = 7 * 86_400_000
const MAX_LISTED = 500
const ARGS = 200

export async function whatIf(
  deps: ServerDeps,
  { config, runId, since }: { config: Raw; runId?: string | undefined; since?: number | undefined },
  { lang, ...filter }: { whose: Whose; lang: Lang },
): Promise<WhatIf> {
  const { store, current } = deps
  const other = otherPolicy(deps, config, lang)
  const from = since ?? current.agent.engine.clock.now() - WEEK_MS
  const rows = runId === undefined ? await store.listRuns({ ...filter, since: from }) : await rowOf(store, runId)
  const changed: ChangedDecision[] = []
  const counts = { runs: 0, decisions: 0, changed: 0 }
  // Session by session, to hold only one in memory.
  for (const [sessionId, runs] of Map.groupBy(rows.toReversed(), (row) => row.sessionId)) {
    const session = await store.readSession(sessionId)
    for (const run of runs) {
      const events = session.filter((event) => event.runId === run.runId)
      const started = events.find((event) => event.type === 'run.started')
      if (started?.type !== 'run.started') continue
      counts.runs++
      const inheritance = started.data.history > 0 ? foldSession(session, run.runId) : { history: [] }
      for (const each of redecide(events, other, inheritance, lang)) {
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
  const first = await firstEvent(store, runId)
  if (first === undefined) return []
  return (await store.listRuns({ sessionId: first.sessionId })).filter((row) => row.runId === runId)
}

/** The current policy with the given settings applied. */
function otherPolicy({ current }: ServerDeps, config: Raw, lang: Lang): OtherPolicy {
  const given = { agent: config }
  const parsedAlone = configFile.safeParse(given)
  const raw = merge({ agent: current.agent.config.config as unknown as Raw }, given)
  const parsed = parsedAlone.success ? configFile.safeParse(raw) : parsedAlone
  if (!parsed.success) {
    const found = schemaProblems({ origin: '', raw: given }, parsed.error.issues)
    const problems = found.map(({ path, message }) => ({ path, message: message[lang] }))
    throw new Refusal('CONFIG_REFUSED', undefined, { problems })
  }
  const added = placedRules({ origin: 'what-if', raw: given }, { as: 'user', home: homedir() }).map(({ rule }) => rule)
  const rules = [...current.agent.config.policy.security.rules, ...added]
  return { policy: toPolicy(parsed.data.agent, rules), disabledTools: parsed.data.agent.tools.disabled }
}
