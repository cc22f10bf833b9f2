/** The only way to send scouts: an ordinary call, judged like any other, that waits for their results. */
import { defineTool, type Tool } from '../tool/tool.ts'
import { explorationText } from './aggregate.ts'
import { EXPLORE_SCHEMA, readRequest } from './contracts.ts'
import type { ScoutOrchestrator } from './orchestrator.ts'

export function exploreTool(
  scouts: Pick<ScoutOrchestrator, 'busy' | 'runMany'>,
  { name, maxLen }: { name: string; maxLen: number },
): Tool {
  return defineTool<unknown>({
    name,
    description:
      'Send one to five scouts that read the documents of the workspace, each on one question: to look up, compare or verify what they say. Returns JSON with checked quotes.',
    schema: EXPLORE_SCHEMA,
    family: 'task',
    risk: 'Low',
    trust: 'external',
    readOnly: true,
    // Scouts cost money: after a crash, finished ones are used (recovery.ts) and no new ones are sent.
    idempotent: false,
    preValidate: async (args, _world, { sessionId }) => ({
      scouts: await scouts.busy(sessionId, readRequest(args).tasks.length),
    }),
    execute: async (_args, call) => explorationText(await scouts.runMany(call), maxLen),
  })
}
