/** Who wrote each message of a run. */
import { growingIndex } from '../base/growing-index.ts'
import { type Message, RESULT_TOOL } from '../protocol/message.ts'
import type { Policy } from '../protocol/policy.ts'
import type { Origin, RunState } from '../protocol/state.ts'

export type Conversation = Readonly<
  Pick<RunState, 'messages' | 'origins'> & Partial<Pick<RunState, 'given' | 'recalled' | 'said'>>
>

export type TrustSettings = Pick<Policy['security'], 'allowedHosts' | 'trustedSources'>

/** `internal`: one of our own tools. `none`: a message that names nothing by itself. */
type Speaker = 'user' | 'internal' | 'untrusted' | 'none'

export function speakerOf(
  message: Message,
  conversation: Pick<Conversation, 'origins'>,
  { trustedSources }: Pick<TrustSettings, 'trustedSources'>,
): Speaker {
  if (message.role !== 'tool') return isUserMessage(message) ? 'user' : 'none'
  const origin = originOf(conversation, message.callId)
  // A refusal repeats the proposal: if it counted as a text that names the target, the second try would pass.
  if (origin?.refused === true) return 'none'
  // Its result contains only what the model put in.
  if (message.tool === 'json_transform' && origin?.trust === 'internal') return 'none'
  // It may repeat a result of any tool.
  if (message.tool !== RESULT_TOOL && isTrustedSource(message.tool, trustedSources)) return 'user'
  const isInternal = origin?.trust === 'internal' || (origin !== undefined && message.told !== undefined)
  return isInternal ? 'internal' : 'untrusted'
}

/** Hints of the runtime do not count: they repeat what the model wrote, so it could name its own targets. */
export function isUserMessage(message: Message): boolean {
  return message.role === 'user' && message.by === undefined
}

/** True of a user message into which a workflow put text from elsewhere. */
export function hasHandedOnText(message: Message): boolean {
  return message.role === 'user' && message.own !== undefined
}

/** Within a session the journal knows what the model had read when it answered; of answers from elsewhere nothing is known. */
export function isAnswerFromElsewhere({ role, content }: Message, at: number, { given }: Conversation): boolean {
  return role === 'assistant' && content !== '' && at < (given?.history?.length ?? 0)
}

/** True when a message contains untrusted text besides the text of its speaker. */
export function hasUntrustedPart(message: Message, at: number, conversation: Conversation): boolean {
  return (
    hasHandedOnText(message) ||
    isAnswerFromElsewhere(message, at, conversation) ||
    (message.role === 'tool' && message.told !== undefined)
  )
}

const latestOrigin = growingIndex((origin: Origin) => origin.callId)

export function originOf({ origins }: Pick<Conversation, 'origins'>, callId: string): Origin | undefined {
  return latestOrigin(origins, callId)
}

function isTrustedSource(tool: string, sources: readonly string[]): boolean {
  return sources.some((entry) => (entry.endsWith('*') ? tool.startsWith(entry.slice(0, -1)) : tool === entry))
}
