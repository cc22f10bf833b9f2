/** What the transcript of an agent knows and its hooks do not say. */
import { open } from 'node:fs/promises'
import { isObject } from '../base/json.ts'
import { textsIn } from './result-texts.ts'

const TAIL_BYTES = 1024 * 1024

/** The arguments of a call as the model gave them. Codex names neither folder nor terminal of a line to its hooks. */
export async function argsInTranscript(file: string, callId: string): Promise<Record<string, unknown> | undefined> {
  for (const entry of (await tailOf(file)).toReversed()) {
    if (!isObject(entry.payload) || entry.payload.call_id !== callId) continue
    const { arguments: text } = entry.payload
    const args = typeof text === 'string' ? parsed(text) : undefined
    if (args !== undefined) return args
  }
  return undefined
}

/** What a call of Codex gave its model: no hook reports a failed call of an MCP server. */
export async function outputInTranscript(file: string, callId: string): Promise<string | undefined> {
  const outputs = (await tailOf(file)).flatMap(({ payload }) =>
    isObject(payload) && payload.type === 'function_call_output' && payload.call_id === callId ? [payload.output] : [],
  )
  return outputs.length === 0 ? undefined : textsIn(outputs).join('\n')
}

/** The user's last message: hooks that were installed in the middle of a session have not seen it. */
export async function lastWords(file: string): Promise<string> {
  return (
    (await tailOf(file))
      .toReversed()
      .map(wordsIn)
      .find((text) => text !== undefined) ?? ''
  )
}

/** What Claude Code says in the user's place, such as the end of a background task. */
const NOT_TYPED = /^\s*<(?:task-notification|local-command-\w+|bash-std(?:out|err)|system-reminder|teammate-message)\b/

/** Empty where a prompt was not written by the user: it may repeat what a task or a sub-agent has read. */
export function typedWords(prompt: string): string {
  return NOT_TYPED.test(prompt) ? '' : prompt
}

function wordsIn(entry: Record<string, unknown>): string | undefined {
  const { type, message, payload, isMeta, isSidechain, isCompactSummary } = entry
  // Codex
  if (isObject(payload) && payload.type === 'user_message' && typeof payload.message === 'string')
    return payload.message
  // Claude Code
  if (type !== 'user' || !isObject(message)) return undefined
  // Written by the agent or its model: notes, the task of a sub-agent, the summary of what came before.
  if (isMeta === true || isSidechain === true || isCompactSummary === true) return undefined
  const { content } = message
  if (typeof content === 'string') return typedWords(content) || undefined
  if (!Array.isArray(content)) return undefined
  const texts = content.flatMap((block) => (isObject(block) && block.type === 'text' ? [String(block.text)] : []))
  return typedWords(texts.join('\n')) || undefined
}

/** The last entries; none where the file cannot be read. */
async function tailOf(path: string): Promise<Record<string, unknown>[]> {
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return []
  try {
    const { size } = await file.stat()
    const length = Math.min(size, TAIL_BYTES)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
    const lines = buffer.toString('utf8').split('\n')
    return lines.map(parsed).filter((entry) => entry !== undefined)
  } catch {
    return []
  } finally {
    await file.close()
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
