/** S1's dialect: tools are offered and called through the provider's own mechanism. */
import type { IdSource } from '../base/id.ts'
import { clip } from '../base/text.ts'
import type { ModelReply, ToolCall } from '../protocol/message.ts'
import { faultOfArgs } from './call-args.ts'
import type { Completion } from './model.ts'

const TAIL_SHOWN = 80

export function decodeNative(completion: Completion, newId: IdSource): ModelReply {
  const { text, reasoning_content } = completion
  const reasoning = reasoning_content === undefined ? {} : { reasoning_content }
  if (completion.calls.length === 0) {
    if (text.trim() !== '')
      return { kind: 'final', text, ...reasoning, ...(completion.truncated && { truncated: true }) }
    const why = completion.truncated
      ? 'The reply was cut at the output token limit before a word was said'
      : 'It was an empty reply'
    return { kind: 'malformed', text, error: `${why}. Call a tool or answer in plain text.` }
  }
  const calls: ToolCall[] = []
  const faults: string[] = []
  for (const call of completion.calls) {
    const fault = faultOf(call, completion.truncated)
    if (fault !== undefined) faults.push(fault)
    // Always a fresh id: some providers count call_0, call_1 anew in every reply, and results are told apart by it.
    else if ('args' in call) calls.push({ id: newId('call'), tool: call.tool, args: call.args })
  }
  if (faults.length > 0) return { kind: 'malformed', text, error: `${faults.join(' ')} Nothing was run; call again.` }
  return { kind: 'calls', calls, text, ...reasoning }
}

function faultOf(call: Completion['calls'][number], truncated: boolean): string | undefined {
  if (call.tool.trim() === '') return 'A call names no tool.'
  if ('rawArgs' in call) {
    const cut = truncated ? ' (the reply was cut at the output token limit)' : ''
    return `The arguments of ${call.tool} are not JSON${cut}; they end with: ${JSON.stringify(tailOf(call.rawArgs))}.`
  }
  const fault = faultOfArgs(call.args)
  return fault === undefined ? undefined : `The arguments of ${clip(call.tool, TAIL_SHOWN)} ${fault}.`
}

function tailOf(text: string): string {
  return text.slice(-TAIL_SHOWN).toWellFormed()
}
