/** Whether a target was named by the user, the configuration, a trusted source or one of our own tools. */
import type { TargetFact } from '../protocol/facts.ts'
import type { Message } from '../protocol/message.ts'
import { argumentsByCall } from './argument-values.ts'
import { allSaid, ownMemory, ownText, retoldMemory, saidBefore, saidText, untrustedText } from './message-texts.ts'
import { ReadText } from './read-text.ts'
import { type Conversation, hasUntrustedPart, speakerOf, type TrustSettings } from './speakers.ts'
import { hostOf, mentions } from './targets-in-text.ts'

/** Our own tools count only where they named the target before any untrusted text did. */
export function isTrustedTarget(target: TargetFact, conversation: Conversation, settings: TrustSettings): boolean {
  if (isAllowedHost(target, settings) || isTypedInAnswer(target, conversation)) return true
  const { recalled = [] } = conversation
  const isRemembered = recalled.some((memory) => mentions(ownMemory(memory), target))
  let namedByUntrusted = !isRemembered && recalled.some((memory) => mentions(retoldMemory(memory), target))
  let readUntrusted = false
  const argsOf = argumentsByCall(conversation.messages)
  for (const [at, message] of conversation.messages.entries()) {
    const speaker = speakerOf(message, conversation, settings)
    // A memory or a transformation that repeats an untrusted text does not make it trusted.
    const isTrusted = speaker === 'user' || (speaker === 'internal' && !namedByUntrusted)
    if (isTrusted && mentions(ownText(message), target) && !repeatsItsCall(message, argsOf, target)) return true
    if (!hasUntrustedPart(message, at, conversation) && speaker !== 'untrusted') continue
    readUntrusted = true
    namedByUntrusted ||= mentions(untrustedText(message), target)
  }
  // A memory in the prompt is enough only while no untrusted text could have pointed at it.
  return isRemembered && !readUntrusted
}

/** Stricter: a file or another result does not count, whatever wrote it. */
export function isNamedByUser(target: TargetFact, conversation: Conversation, settings: TrustSettings): boolean {
  if (isAllowedHost(target, settings) || isTypedInAnswer(target, conversation)) return true
  if (conversation.recalled?.some((memory) => mentions(ownMemory(memory), target))) return true
  const argsOf = argumentsByCall(conversation.messages)
  return conversation.messages.some(
    (message) =>
      speakerOf(message, conversation, settings) === 'user' &&
      mentions(ownText(message), target) &&
      !repeatsItsCall(message, argsOf, target),
  )
}

/** What a person left as it was in an edited call is still only the model's. */
function isTypedInAnswer(target: TargetFact, conversation: Conversation): boolean {
  return allSaid(conversation).some((said) => {
    const before = saidBefore(said)
    return mentions(saidText(said), target) && !(before !== undefined && mentions(before, target))
  })
}

/** True of a result whose own call named the target: then only the model has named it. */
function repeatsItsCall(message: Message, argsOf: ReadonlyMap<string, unknown>, target: TargetFact): boolean {
  return message.role === 'tool' && mentions(new ReadText(JSON.stringify(argsOf.get(message.callId) ?? '')), target)
}

function isAllowedHost(target: TargetFact, { allowedHosts }: TrustSettings): boolean {
  const host = hostOf(target)
  return host !== undefined && allowedHosts.some((entry) => coversHost(entry, host))
}

function coversHost(entry: string, host: string): boolean {
  const name = entry.replace(/:\d+$/, '').toLowerCase()
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name
}
