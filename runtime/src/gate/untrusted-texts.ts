/** The texts of a run that come from untrusted sources. */
import { onceFor } from '../base/once-for.ts'
import { addressesAndIds } from '../language/addresses.ts'
import { nameWords } from '../language/words.ts'
import type { Message, Told } from '../protocol/message.ts'
import type { Origin, RunState } from '../protocol/state.ts'
import { argumentValues } from './argument-values.ts'
import { ownMemory, ownText, retoldMemory, untrustedText, userTexts } from './message-texts.ts'
import { ReadText } from './read-text.ts'
import {
  type Conversation,
  hasHandedOnText,
  isAnswerFromElsewhere,
  originOf,
  speakerOf,
  type TrustSettings,
} from './speakers.ts'

export interface UntrustedText {
  callId: string
  tool: string
  inspection: Origin['inspection']
  read: ReadText
  /** The texts and numbers among the arguments of the call that returned it. */
  values: readonly ReadText[]
  /** The model was also shown pictures or scans, whose content cannot be inspected: it may say anything. */
  unseen?: true
  /** An answer or a memory of the model, made of texts that are no longer known. */
  retold?: true
}

/** Memories in the prompt that may repeat an untrusted source. */
export function untrustedMemories({ recalled }: Readonly<RunState>): UntrustedText[] {
  return recalled.flatMap((memory) => retoldPart(memory, { callId: 'prompt', tool: 'memory' }))
}

/** What was read in this run, or in a conversation it continues. */
export function untrustedTextsIn(state: Readonly<RunState>, settings: TrustSettings): UntrustedText[] {
  const found: UntrustedText[] = []
  const argsOf = new Map<string, unknown>()
  for (const [at, message] of state.messages.entries()) {
    if (isAnswerFromElsewhere(message, at, state)) {
      const answer = { callId: `message_${at}`, tool: 'answer', inspection: 'pass' } as const
      found.push({ ...answer, read: ownText(message), values: [], retold: true })
    }
    // In order: a later turn may use the id of a call again.
    if (message.role === 'assistant') for (const { id, args } of message.calls ?? []) argsOf.set(id, args)
    if (hasHandedOnText(message)) {
      const inspection = originOf(state, 'prompt')?.inspection ?? 'pass'
      const input = { callId: 'prompt', tool: 'input', inspection } as const
      found.push({ ...input, read: untrustedText(message), values: [], ...unseenPart(message) })
    }
    if (message.role !== 'tool') continue
    const { callId, tool } = message
    if (message.told !== undefined) found.push(...retoldPart(message.told, { callId, tool }))
    if (speakerOf(message, state, settings) !== 'untrusted') continue
    const inspection = originOf(state, callId)?.inspection ?? 'pass'
    const values = readValues(argsOf.get(callId))
    found.push({ callId, tool, inspection, read: ownText(message), values, ...unseenPart(message) })
  }
  return found
}

const readOnce = onceFor((args: object) => argumentValues(args).map((value) => new ReadText(value)))

/** Of a call in the journal, which does not change. */
export function readValues(args: unknown): readonly ReadText[] {
  return typeof args === 'object' && args !== null
    ? readOnce(args)
    : argumentValues(args).map((value) => new ReadText(value))
}

function unseenPart(message: Message): Pick<UntrustedText, 'unseen'> {
  const hasFiles = message.role !== 'assistant' && (message.media ?? []).length > 0
  return hasFiles ? { unseen: true } : {}
}

function retoldPart(memory: Told, from: Pick<UntrustedText, 'callId' | 'tool'>): UntrustedText[] {
  if (memory.retold === '') return []
  return [{ ...from, inspection: 'pass', read: retoldMemory(memory), values: [], retold: true }]
}

/**
 * True when a text that the run stores may repeat an untrusted source: any text, once an untrusted one was read; else a
 * text with an address or id that neither the user nor a memory of the user has named; else a text that shares a word
 * with a memory that may itself repeat an untrusted source.
 */
export function mayRepeatUntrusted(text: string, state: Readonly<RunState>, settings: TrustSettings): boolean {
  if (untrustedTextsIn(state, settings).length > 0) return true
  const stored = new ReadText(text)
  const known = [...userTexts(state), ...state.recalled.map(ownMemory), ...lookedUpMemories(state)]
  // The model may know it from training, or from a memory that spells it differently.
  if (addressesAndIds(text).some((value) => !known.some((one) => one.holds(value)))) return true
  return untrustedMemories(state).some(({ read }) =>
    nameWords(`${text}\n${read.text}`).some(
      (word) => read.holds(word) && stored.holds(word) && !known.some((one) => one.holds(word)),
    ),
  )
}

function lookedUpMemories({ messages }: Conversation): ReadText[] {
  return messages.flatMap((message) =>
    message.role === 'tool' && message.told !== undefined ? [ownMemory(message.told)] : [],
  )
}
