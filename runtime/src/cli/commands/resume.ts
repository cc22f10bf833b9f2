import { WritError } from '../../base/errors.ts'
import { LOCAL } from '../../protocol/principal.ts'
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
    const { store } = agent
    // What a node or a scout left open goes on, or does not, with the run that began it.
    const runId =
      named ?? (await store.listRuns({ whose: LOCAL, open: true })).find((run) => run.parentRunId === undefined)?.runId
    if (runId === undefined) throw new WritError('RUN_UNKNOWN', texts.nothingOpen, { hint: texts.unknownHint })
    const { signal } = given
    const [first] = await store.readRun(runId, 0, 1)
    if (first?.mode !== 'workflow') return watch(agent.resume(runId, { signal }), viewer)
    const { watchWorkflow } = await import('./workflow.ts')
    return watchWorkflow(agent.workflows.resume(runId, { signal }), viewer)
  })
}
