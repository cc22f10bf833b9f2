/** When authorised actions run: Immediate ones now and in order, IdleTime ones when nothing else does. */
import { setTimeout as delay } from 'node:timers/promises'
import type { AuthorizedAction } from '../protocol/action.ts'
import type { ActionOutcome, DecisionRun } from './engine.ts'

const LOOK_AGAIN_MS = 250

export interface Done {
  authorized: AuthorizedAction
  outcome: ActionOutcome
}

/** True when no other run is under way. */
export type IsIdle = () => Promise<boolean>

/** Each in its turn; what has not had one when the window ends has expired. */
export async function* carryOut(run: DecisionRun, isIdle: IsIdle): AsyncGenerator<Done, void> {
  const now = run.granted.filter(({ authorized }) => authorized.action.urgency === 'Immediate')
  const later = run.granted.filter(({ authorized }) => authorized.action.urgency !== 'Immediate')
  for (const { authorized, writ } of now) yield { authorized, outcome: await run.execute(writ) }
  for (const granted of later) {
    const idle = await becameIdle(run, isIdle)
    const outcome = idle ? await run.execute(granted.writ) : await run.expire(granted)
    yield { authorized: granted.authorized, outcome }
  }
}

async function becameIdle(run: DecisionRun, isIdle: IsIdle): Promise<boolean> {
  while (!run.window.aborted) {
    if (await isIdle()) return true
    await delay(LOOK_AGAIN_MS, undefined, { signal: run.window }).catch(() => {})
  }
  return false
}
