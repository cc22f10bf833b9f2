/** The agent of a program: the whole agent, without what its interface does not name. */
import { createAgent } from './agent.ts'
import type { Agent, AgentOptions } from './library.ts'

export async function createLibraryAgent(options: AgentOptions = {}): Promise<Agent> {
  const {
    policy: _,
    store: __,
    db: ___,
    engine: ____,
    memories: _____,
    routines: ______,
    ...agent
  } = await createAgent(options)
  return agent
}
