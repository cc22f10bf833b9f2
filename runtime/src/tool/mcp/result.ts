/** A server's result as text: text unchanged, anything else as a one-line description. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import { canonical } from '../../base/json.ts'
import { clip } from '../../base/text.ts'
import type { ToolOutput } from '../tool.ts'

const MAX_CHARS = 256_000

export function outputOf({ content, structuredContent, isError }: CallToolResult): ToolOutput {
  const text = clip(shownOf({ content, structuredContent }), MAX_CHARS)
  if (isError === true) return { ok: false, error: text === '' ? 'the tool failed and did not say why' : text }
  return { ok: true, text: text === '' ? '[no content]' : text }
}

/** As a model reads it, whatever its length. */
export function shownOf({ content, structuredContent }: Pick<CallToolResult, 'content' | 'structuredContent'>): string {
  const parts = content.map(describe)
  if (structuredContent !== undefined && !content.some((block) => repeats(block, structuredContent))) {
    parts.push(JSON.stringify(structuredContent, null, 2))
  }
  return parts.join('\n')
}

/** Servers repeat structured content as text for older clients: as JSON, or as the one text it contains. */
function repeats(block: ContentBlock, structured: unknown): boolean {
  if (block.type !== 'text') return false
  const [only, ...others] = Object.values(Object(structured))
  if (only === block.text && others.length === 0) return true
  try {
    return canonical(JSON.parse(block.text)) === canonical(structured)
  } catch {
    return false
  }
}

function describe(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type}: ${block.mimeType}, ${bytesOf(block.data)} bytes]`
    case 'resource_link':
      return `[resource: ${block.name} <${block.uri}>${block.mimeType === undefined ? '' : `, ${block.mimeType}`}]`
    case 'resource': {
      const { resource } = block
      if ('text' in resource) return `[resource: <${resource.uri}>]\n${resource.text}`
      return `[resource: <${resource.uri}>, ${bytesOf(resource.blob)} bytes]`
    }
    default:
      return block satisfies never
  }
}

/** Of base64 data. */
function bytesOf(data: string): number {
  return Math.floor((data.replace(/=+$/, '').length * 3) / 4)
}
