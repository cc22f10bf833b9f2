/** What a run has read that is private: everything except pages of the public web and receipts of our own tools. */
import type { ToolFamily } from '../protocol/intent.ts'
import type { RunState } from '../protocol/state.ts'
import { ReadText } from './read-text.ts'
import { originOf } from './speakers.ts'
import { hostOf } from './targets-in-text.ts'
import { readValues, type UntrustedText } from './untrusted-texts.ts'

export interface PrivateText extends UntrustedText {
  /** Its index among the messages. */
  at: number
}

/** Tools that only confirm what was done. */
const RECEIPTS = new Set(['file_write', 'memory_store', 'memory_forget'])
const CREDENTIALS = /^(?:authorization|proxy-authorization|cookie|x-[\w-]*(?:key|token|auth)[\w-]*)$/i
const SEARCHES_WEB =
  /(?:web|internet|google|bing|brave|duckduckgo|tavily|exa|wikipedia|arxiv)[\w-]*search|search[\w-]*(?:web|internet)/i
const NOT_PUBLIC = /(?:^|\.)(?:localhost|local|internal|intranet|corp|lan|home|test)$|^[^.]+$|^[\d.]+$|:/i

export function privateTextsIn({ messages, origins }: Readonly<RunState>): PrivateText[] {
  const found: PrivateText[] = []
  const argsOf = new Map<string, unknown>()
  let isOpenPagePublic = false
  for (const [at, message] of messages.entries()) {
    if (message.role === 'assistant') for (const { id, args } of message.calls ?? []) argsOf.set(id, args)
    if (message.role === 'user' && message.own !== undefined && message.own !== message.content) {
      const input = { callId: 'prompt', tool: 'input', inspection: 'pass' } as const
      found.push({ ...input, read: new ReadText(message.content), values: [], at })
    }
    if (message.role !== 'tool') continue
    const { callId, tool, content } = message
    const origin = originOf({ origins }, callId)
    const { family = 'unknown', inspection = 'pass' } = origin ?? {}
    if (origin?.refused === true || RECEIPTS.has(tool)) continue
    // Our own small tools return only what the model put in.
    if (family === 'task' && origin?.trust === 'internal') continue
    const args = argsOf.get(callId)
    const values = readValues(args)
    const urls = values.map(({ text }) => text).filter((value) => /^https?:\/\//i.test(value.trim()))
    const isPublicFetch = isFromWeb(family) && urls.length > 0 && urls.every(isPublic) && !hasCredentials(args)
    if (family === 'browser' && urls.length > 0) isOpenPagePublic = isPublicFetch
    const isPublicText =
      isPublicFetch || (family === 'browser' && urls.length === 0 && isOpenPagePublic) || SEARCHES_WEB.test(tool)
    if (!isPublicText) found.push({ callId, tool, inspection, read: new ReadText(content), values, at })
  }
  return found
}

export function isFromWeb(family: ToolFamily): boolean {
  return family === 'network' || family === 'browser'
}

function isPublic(url: string): boolean {
  const host = hostOf({ kind: 'url', value: url })
  return host !== undefined && !NOT_PUBLIC.test(host)
}

function hasCredentials(args: unknown): boolean {
  if (typeof args !== 'object' || args === null) return false
  return Object.entries(args).some(([key, value]) => CREDENTIALS.test(key) || hasCredentials(value))
}
