import { WritError } from '../../base/errors.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { cliTexts } from '../texts.ts'
import { watch } from '../watch.ts'
import { withAgent } from './run.ts'

export async function resume(given: Given, io: Io): Promise<number> {
  const [named] = given.words
  const { trace: texts } = cliTexts(io.lang)
  if (named === undefined && !given.switches.has('last')) {
    throw new WritError('USAGE', texts.whichRun, { hint: texts.whichRunHint })
  }
  return withAgent(given, io, async (agent, viewer) => {
    const runId = named ?? (await agent.store.listRuns({ open: true, limit: 1 }))[0]?.runId
    if (runId === undefined) throw new WritError('RUN_UNKNOWN', texts.nothingOpen, { hint: texts.unknownHint })
    return watch(agent.resume(runId, { signal: given.signal }), viewer)
  })
}
