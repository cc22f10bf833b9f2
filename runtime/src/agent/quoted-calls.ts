/**
 * Calls written as text that may only repeat what the model has read: a page with a call in it must not run it by being
 * quoted. In doubt it is a quotation: a real tool call stays possible, and the user is told.
 */
import { untrustedMemories, untrustedTextsIn } from '../gate/untrusted-texts.ts'
import { mentionsCall, type TextCall } from '../model/text-call-forms.ts'
import type { Message } from '../protocol/message.ts'
import type { RunContext } from './context.ts'

/**
 * True when a result or an untrusted text contains a call in any form, because a model may quote it changed, shortened
 * or translated; for a block that stands in an earlier message, however it is spaced; and for calls whose tool and
 * values all stand in one untrusted text.
 */
export function quotesIn({ state, policy }: Pick<RunContext, 'state' | 'policy'>) {
  return (block: string, calls: readonly TextCall[]): boolean => {
    const untrusted = [...untrustedTextsIn(state, policy.security), ...untrustedMemories(state)].map(({ read }) =>
      unescaped(read.text),
    )
    const results = state.messages.flatMap(({ role, content }) => (role === 'tool' ? [unescaped(content)] : []))
    const tools = calls.map(({ tool }) => tool)
    if ([...untrusted, ...results].some((text) => mentionsCall(text, tools))) return true
    const quoted = bare(block)
    const earlier = [...untrusted, ...textsBefore(state.messages)]
    if (quoted !== '' && earlier.some((text) => bare(text).includes(quoted))) return true
    const sources = untrusted.map(bare)
    return calls.some(({ tool, args }) => {
      const parts = [tool, ...valuesIn(args)].map(bare).filter(Boolean)
      return sources.some((text) => parts.every((part) => text.includes(part)))
    })
  }
}

/**
 * What was said to the model, and its answers of earlier turns: these may quote a page that is no longer in the
 * conversation. In this turn, a reply without a call may be the one that is being repaired.
 */
function textsBefore(messages: readonly Message[]): string[] {
  const task = messages.findLastIndex((message) => message.role === 'user' && message.by === undefined)
  return messages.flatMap(({ role, content }, at) => (role === 'assistant' && at > task ? [] : [content]))
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', nbsp: ' ' }

const ESCAPE =
  /\\U0{3}([\da-fA-F]{5})|\\u([\da-fA-F]{4})|(?:\\x|%)([\da-fA-F]{2})|\\[ux]\{0*([\da-fA-F]{1,5})\}|\\([0-3]?[0-7]{2})/g

/** As a model would quote it: without the escapes of JSON, JavaScript, C and HTML. */
function unescaped(text: string): string {
  return text
    .replace(ESCAPE, (_, ...[long, four, two, braced, octal]: (string | undefined)[]) => {
      const hex = long ?? four ?? two ?? braced
      return String.fromCodePoint(hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16))
    })
    .replace(/\\(?=["'/])/g, '')
    .replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(lt|gt|quot|apos|amp|nbsp));/gi, (_, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? ''
      return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
    })
    .normalize('NFKC')
}

/** Only letters and digits: quoting changes spaces, quotation marks and escapes. */
function bare(text: string): string {
  return unescaped(text)
    .replace(/\\[nrtbf]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
}

function valuesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.values(value).flatMap(valuesIn)
}
