/** The only place where an action is carried out, and it takes a writ to do so. */
import { WritError } from '../errors/writ-error.ts'
import { Writ } from '../gate/writ.ts'
import type { ActionType } from '../protocol/action.ts'
import type { ActingOn, Executor } from './executors/executor.ts'
import { keepAlive } from './executors/keep-alive.ts'
import { preWarmProcess } from './executors/pre-warm-process.ts'
import { prefetchFile } from './executors/prefetch-file.ts'
import { releaseMemory } from './executors/release-memory.ts'

const EXECUTORS: Readonly<Record<ActionType, Executor>> = {
  PreWarmProcess: preWarmProcess,
  PrefetchFile: prefetchFile,
  KeepAlive: keepAlive,
  ReleaseMemory: releaseMemory,
  NoOp: async (_target, { texts }) => texts.nothing,
}

/** Says what was done. A look-alike, a used writ or a writ for a tool does nothing but throw. */
export async function executeAction(writ: Writ, on: ActingOn): Promise<string> {
  const { proposal } = Writ.spend(writ)
  if (proposal.kind !== 'action') throw new WritError('WRIT_FORGED.tool')
  // A writ is good for its window and no longer.
  if (on.signal.aborted) throw new WritError('WINDOW_EXPIRED.idle')
  const { action_type, target } = proposal.action
  return EXECUTORS[action_type](target, on)
}
