/** When authorised actions run: Immediate ones now and in order, IdleTime ones when nothing else does. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import type { Store } from '../journal/store.ts'
import type { AuthorizedAction } from '../protocol/action.ts'
import type { DecisionRun, Outcome } from './engine.ts'

/** A run without a word for this long was cut off: it will not make anybody wait. */
const SILENT_MS = 10 * 60_000
const LOOK_AGAIN_MS = 250
const OPEN_RUNS = 50

export interface Done {
  authorized: AuthorizedAction
  outcome: Outcome
}

/** Each in its turn; what has not had one when the window ends has expired. */
export async function* carryOut(
  run: DecisionRun,
  { store, clock }: { store: Store; clock: Clock },
): AsyncGenerator<Done, void> {
  const now = run.granted.filter(({ authorized }) => authorized.action.urgency === 'Immediate')
  const later = run.granted.filter(({ authorized }) => authorized.action.urgency !== 'Immediate')
  for (const { authorized, writ } of now) yield { authorized, outcome: await run.execute(writ) }
  for (const granted of later) {
    const idle = await becameIdle(run, { store, clock })
    const outcome = idle ? await run.execute(granted.writ) : await run.expire(granted)
    yield { authorized: granted.authorized, outcome }
  }
}

async function becameIdle(run: DecisionRun, at: { store: Store; clock: Clock }): Promise<boolean> {
  while (!run.window.aborted) {
    if (await isIdle(at.store, run.runId, at.clock.now())) return true
    await delay(LOOK_AGAIN_MS, undefined, { signal: run.window }).catch(() => {})
  }
  return false
}

/** Idle: no other run is under way. One that waits for a person is not. */
export async function isIdle(store: Store, ownRunId: string, now: number): Promise<boolean> {
  for (const { runId } of await store.listRuns({ open: true, limit: OPEN_RUNS })) {
    if (runId === ownRunId) continue
    const last = (await store.readRun(runId)).at(-1)
    if (last !== undefined && last.type !== 'run.parked' && now - last.timestamp < SILENT_MS) return false
  }
  return true
}
