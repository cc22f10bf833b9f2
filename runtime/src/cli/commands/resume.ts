import { WritError } from '../../errors/writ-error.ts'
import { firstEvent } from '../../journal/read.ts'
import { LOCAL } from '../../protocol/principal.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { watch } from '../watch.ts'
import { withAgent } from './run.ts'

export async function resume(given: Given, io: Io): Promise<number> {
  const [named] = given.words
  if (named === undefined && !given.switches.has('last')) throw new WritError('USAGE.runMissing')
  return withAgent(given, io, async (agent, viewer) => {
    const { store } = agent
    // Open runs of nodes and scouts resume with the run that started them.
    const runId =
      named ?? (await store.listRuns({ whose: LOCAL, open: true })).find((run) => run.parentRunId === undefined)?.runId
    if (runId === undefined) throw new WritError('RUN_UNKNOWN.noneOpen')
    const { signal } = given
    const first = await firstEvent(store, runId)
    if (first?.mode !== 'workflow') {
      const [started] = await store.readOf([runId], ['run.started'])
      const onlyOutput = started?.type === 'run.started' && started.data.given?.outputSchema !== undefined
      return watch(agent.resume(runId, { signal }), { ...viewer, onlyOutput })
    }
    const { watchWorkflow } = await import('./workflow.ts')
    return watchWorkflow(agent.workflows.resume(runId, { signal }), viewer)
  })
}
