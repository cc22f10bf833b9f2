import type { Message } from '../protocol/message.ts'

/** Every text and number among the arguments of a call, at any depth. */
export function argumentValues(args: unknown): string[] {
  const found: string[] = []
  addValues(args, found)
  return found
}

function addValues(args: unknown, found: string[]): void {
  if (typeof args === 'string') found.push(args)
  else if (typeof args === 'number') found.push(String(args))
  else if (typeof args === 'object' && args !== null) for (const one of Object.values(args)) addValues(one, found)
}

/** The arguments of each call in a conversation. */
export function argumentsByCall(messages: readonly Message[]): ReadonlyMap<string, unknown> {
  return new Map(
    messages.flatMap((message) =>
      message.role === 'assistant' ? (message.calls ?? []).map(({ id, args }) => [id, args] as const) : [],
    ),
  )
}
