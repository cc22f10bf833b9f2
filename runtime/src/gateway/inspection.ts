/** What servers say to clients: untrusted text that a client may give to its model. */
import { haveInjection, textsIn } from '../tool/mcp/server-text.ts'

export function isClean(value: unknown): boolean {
  return !haveInjection(textsIn(value))
}

/** As a model would read it, then every text that is not a block of that. */
export function readable(shown: string, value: { content?: unknown }): string {
  const blocks = Array.isArray(value.content) ? value.content.map((block: { text?: unknown }) => block.text) : []
  // Inside a JSON text an order looks like data, so only whole blocks count as shown.
  return [shown, ...textsIn(value).filter((text) => !blocks.includes(text))].join('\n')
}
