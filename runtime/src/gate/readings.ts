/** What a run has read that others may not see: anything but pages of the public web and our own receipts. */
import type { ToolFamily } from '../protocol/intent.ts'
import type { RunState } from '../protocol/state.ts'
import { valuesOf } from './provenance/reading.ts'
import { readText } from './read-text.ts'
import { hostOf, type Stranger } from './sightings.ts'

export interface PrivateReading extends Stranger {
  /** Its place among the messages. */
  at: number
}

/** Tools that only tell what was done. */
const RECEIPTS = new Set(['file_write', 'memory_store', 'memory_forget'])
const CREDENTIALS = /^(?:authorization|proxy-authorization|cookie|x-[\w-]*(?:key|token|auth)[\w-]*)$/i
const SEARCHES_WEB =
  /(?:web|internet|google|bing|brave|duckduckgo|tavily|exa|wikipedia|arxiv)[\w-]*search|search[\w-]*(?:web|internet)/i
const NOT_PUBLIC = /(?:^|\.)(?:localhost|local|internal|intranet|corp|lan|home|test)$|^[^.]+$|^[\d.]+$|:/i

export function privateReadings({ messages, origins }: Readonly<RunState>): PrivateReading[] {
  const found: PrivateReading[] = []
  const asked = new Map<string, unknown>()
  let isOpenPagePublic = false
  for (const [at, message] of messages.entries()) {
    if (message.role === 'assistant') for (const { id, args } of message.calls ?? []) asked.set(id, args)
    if (message.role === 'user' && message.own !== undefined && message.own !== message.content)
      found.push({
        callId: 'prompt',
        tool: 'input',
        inspection: 'pass',
        read: readText(message.content),
        args: undefined,
        at,
      })
    if (message.role !== 'tool') continue
    const { callId, tool, content } = message
    const origin = origins.findLast((one) => one.callId === callId)
    const { family = 'unknown', inspection = 'pass' } = origin ?? {}
    if (origin?.refused === true || RECEIPTS.has(tool)) continue
    // Our own small tools say nothing that the model did not put in.
    if (family === 'task' && origin?.trust === 'internal') continue
    const args = asked.get(callId)
    const urls = valuesOf(args).filter((value) => /^https?:\/\//i.test(value.trim()))
    const isFetch = isFromWeb(family) && urls.length > 0 && urls.every(isPublic) && !hasCredentials(args)
    if (family === 'browser' && urls.length > 0) isOpenPagePublic = isFetch
    const isPublicText =
      isFetch || (family === 'browser' && urls.length === 0 && isOpenPagePublic) || SEARCHES_WEB.test(tool)
    if (!isPublicText) found.push({ callId, tool, inspection, read: readText(content), args, at })
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
