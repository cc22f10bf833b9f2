/** What the shadow policy would have decided differently, as the journal recorded it. */
import { present } from '../base/present.ts'
import { clip } from '../base/text.ts'
import type { Store } from '../journal/store.ts'
import type { Whose } from '../protocol/principal.ts'
import type { ChangedDecision, WhatIf } from './contract/runs.ts'

const MAX_LISTED = 500
/** Runs read at once. */
const PAGE = 100
const MAX_RUNS = 2000
const ARGS = 200

export async function shadowDifferences(store: Store, filter: { whose: Whose; since: number }): Promise<WhatIf> {
  const rows = await store.listRuns({ ...filter, limit: MAX_RUNS })
  const changed: ChangedDecision[] = []
  const counts = { decisions: 0, changed: 0 }
  for (let i = 0; i < rows.length; i += PAGE) {
    const ids = rows.slice(i, i + PAGE).map(({ runId }) => runId)
    for (const event of await store.readOf(ids, ['gate.decided'])) {
      if (event.type !== 'gate.decided') continue
      counts.decisions++
      const { callId, tool, args, decision, reason, code, shadow } = event.data
      if (shadow === undefined) continue
      counts.changed++
      if (changed.length === MAX_LISTED) continue
      changed.push({
        runId: event.runId,
        seq: event.seq,
        callId,
        tool,
        args: clip(JSON.stringify(args) ?? '', ARGS),
        was: { decision, ...present({ reason, code }) },
        now: { decision: shadow.decision, ...present({ reason: shadow.reason }) },
      })
    }
  }
  return { runs: rows.length, decisions: counts.decisions, changed, more: counts.changed - changed.length }
}
