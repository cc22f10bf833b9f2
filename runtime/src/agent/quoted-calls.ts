/**
 * Calls written as text that only repeat what the model has read: a page with a call in it must not run it by being
 * quoted.
 */
import { untrustedMemories, untrustedTextsIn } from '../gate/untrusted-texts.ts'
import type { TextCall } from '../model/text-call-forms.ts'
import type { RunContext } from './context.ts'

/**
 * True for a block that stands in a message of this run, however it is spaced, and for calls whose tool and values all
 * stand in one untrusted text.
 */
export function quotesIn({ state, policy }: Pick<RunContext, 'state' | 'policy'>) {
  return (block: string, calls: readonly TextCall[]): boolean => {
    const untrusted = [...untrustedTextsIn(state, policy.security), ...untrustedMemories(state)].map(({ read }) =>
      bare(read.text),
    )
    const others = state.messages.flatMap((message) => (message.role === 'assistant' ? [] : [bare(message.content)]))
    const quoted = bare(block)
    if (quoted !== '' && [...untrusted, ...others].some((text) => text.includes(quoted))) return true
    return calls.some(({ tool, args }) => {
      const parts = [tool, ...valuesIn(args)].map(bare).filter(Boolean)
      return untrusted.some((text) => parts.every((part) => text.includes(part)))
    })
  }
}

/** Only letters and digits: quoting changes spaces, quotation marks and escapes. */
function bare(text: string): string {
  return text
    .replace(/\\u([\da-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[nrtbf]/g, '')
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
}

function valuesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.values(value).flatMap(valuesIn)
}
