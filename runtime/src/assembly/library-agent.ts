/** The agent of a program: the whole agent, without what its interface does not name. */
import { WritError } from '../errors/writ-error.ts'
import type { Event } from '../protocol/event.ts'
import { sessionOwners } from '../storage/session-owners.ts'
import { createAgent } from './agent.ts'
import type { Agent, AgentOptions } from './library.ts'
import { runStream } from './run-stream.ts'

export async function createLibraryAgent(options: AgentOptions = {}): Promise<Agent> {
  const { policy: _, store, db, engine: __, memories: ___, routines: ____, ...agent } = await createAgent(options)
  const { workflows } = agent

  /** A mistyped id must not start a new session. */
  async function demandSession(id: string | undefined): Promise<void> {
    if (id === undefined || (await sessionOwners(db).isClaimed(id))) return
    if ((await store.listRuns({ sessionId: id, limit: 1 })).length === 0) throw new WritError('SESSION_UNKNOWN', { id })
  }
  async function* inKnownSession<R>(
    id: string | undefined,
    begin: () => AsyncGenerator<Event, R>,
  ): AsyncGenerator<Event, R> {
    await demandSession(id)
    return yield* begin()
  }

  return {
    ...agent,
    async run(task, own) {
      await demandSession(own?.sessionId)
      return agent.run(task, own)
    },
    stream: (task, own) => runStream(inKnownSession(own?.sessionId, () => agent.stream(task, own))),
    workflows: {
      ...workflows,
      async run(document, input, own) {
        await demandSession(own?.sessionId)
        return workflows.run(document, input, own)
      },
      stream: (document, input, own) =>
        runStream(inKnownSession(own?.sessionId, () => workflows.stream(document, input, own))),
    },
  }
}
