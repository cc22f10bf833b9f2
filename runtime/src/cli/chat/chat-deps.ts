import type { AttachedFile } from '../../agent/attachments.ts'
import type { Agent } from '../../assembly/agent.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'

/** What the chat loop and its commands use. */
export interface ChatDeps {
  agent: Agent
  given: Given
  io: Io
  /** Undefined until a new conversation has its first turn. */
  sessionId: string | undefined
  /** Reads one line typed after the prompt. */
  ask(prompt: string): Promise<string>
  /** For the next message. */
  attachments: AttachedFile[]
}

export const STAY = 'stay'
export const LEAVE = 'leave'
export type Next = typeof STAY | typeof LEAVE
