import type { Message } from '../protocol/message.ts'

/** Every text and number among the arguments of a call, at any depth. */
export function argumentValues(args: unknown): string[] {
  if (typeof args === 'string') return [args]
  if (typeof args === 'number') return [String(args)]
  if (typeof args !== 'object' || args === null) return []
  return Object.values(args).flatMap(argumentValues)
}

/** The arguments of each call in a conversation. */
export function argumentsByCall(messages: readonly Message[]): ReadonlyMap<string, unknown> {
  return new Map(
    messages.flatMap((message) =>
      message.role === 'assistant' ? (message.calls ?? []).map(({ id, args }) => [id, args] as const) : [],
    ),
  )
}
