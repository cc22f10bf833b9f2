/** The texts of messages and memories, each parsed once: which part is the speaker's own, which part is untrusted. */
import type { Message, Said, Told } from '../protocol/message.ts'
import type { RunState } from '../protocol/state.ts'
import { ReadText } from './read-text.ts'
import { hasHandedOnText, isUserMessage } from './speakers.ts'

type Source = Message | Told | Said

const ownTexts = new WeakMap<Source, ReadText>()
const untrustedTexts = new WeakMap<Source, ReadText>()

/** What the speaker of a message said. */
export function ownText(message: Message): ReadText {
  if (message.role === 'tool' && message.told !== undefined) return ownMemory(message.told)
  return readOnce(message, ownTexts, message.role === 'user' ? (message.own ?? message.content) : message.content)
}

/** The part of a message that may come from an untrusted source. */
export function untrustedText(message: Message): ReadText {
  if (message.role === 'tool' && message.told !== undefined) return retoldMemory(message.told)
  return hasHandedOnText(message) ? readOnce(message, untrustedTexts, message.content) : ownText(message)
}

/** What a memory says for itself. */
export function ownMemory(memory: Told): ReadText {
  return readOnce(memory, ownTexts, memory.own)
}

/** What a memory may repeat from an untrusted source. */
export function retoldMemory(memory: Told): ReadText {
  return readOnce(memory, untrustedTexts, memory.retold)
}

/** The texts of the user's messages, oldest first. */
export function userTexts({ messages }: Pick<RunState, 'messages'>): ReadText[] {
  return messages.filter(isUserMessage).map(ownText)
}

/** What a person typed in an answer, and the part of it that the model had named before. */
export function saidText(said: Said): ReadText {
  return readOnce(said, ownTexts, said.text)
}

export function saidBefore(said: Said): ReadText | undefined {
  return said.except === undefined ? undefined : readOnce(said, untrustedTexts, said.except)
}

/** Everything a person typed in answers, oldest first. */
export function allSaid({ messages, said = [] }: Pick<RunState, 'messages'> & Partial<Pick<RunState, 'said'>>): Said[] {
  return [...messages.flatMap((message) => (message.role === 'tool' ? (message.said ?? []) : [])), ...said]
}

function readOnce(key: Source, cache: WeakMap<Source, ReadText>, text: string): ReadText {
  let read = cache.get(key)
  if (read === undefined) {
    read = new ReadText(text)
    cache.set(key, read)
  }
  return read
}
