/**
 * What the reviewer is shown of a call. Whatever a page, a server or the model wrote is left out: of such values only
 * kind, origin and length are shown, of names only those from closed sets.
 */

import { present } from '../base/present.ts'
import { clip } from '../base/text.ts'
import { OWN_TOOL_NAMES } from '../config/tool-names.ts'
import type { ToolInput } from '../gate/gate-input.ts'
import { allSaid, ownText, userTexts } from '../gate/message-texts.ts'
import { speakerOf } from '../gate/speakers.ts'
import { isNamedByUser } from '../gate/trusted-targets.ts'
import { untrustedMemories, untrustedTextsIn } from '../gate/untrusted-texts.ts'
import type { ReviewCase, ReviewedValue, ValueOrigin } from '../protocol/review.ts'
import type { Judgement } from '../protocol/verdict.ts'

const MESSAGES = 3
const MESSAGE_MAX = 4000
const VALUES_MAX = 40
const INSPECTIONS = ['pass', 'warn', 'review', 'block'] as const

export function reviewCase(input: ToolInput, { denial }: Judgement & { decision: 'ask' }): ReviewCase {
  const { proposal, facts, state, policy } = input
  const user = wordsOfUser(input)
  const untrusted = [...untrustedMemories(state), ...untrustedTextsIn(state, policy.security)]
  const seen = new Set<string>(untrusted.map(({ inspection }) => inspection))
  const targets = facts.targets ?? []
  const leaves = [...leavesOf(proposal.args)]
  const own = ownResults(input)
  const originOf = (text: string): ValueOrigin => {
    if (user.some((words) => words.includes(text))) return 'user'
    if (untrusted.some(({ read }) => read.holds(text))) return 'untrusted'
    return own.some((result) => result.holds(text)) ? 'own' : 'model'
  }
  const values = leaves.slice(0, VALUES_MAX).map((leaf): ReviewedValue => {
    const text = String(leaf)
    const origin = text.trim() === '' ? 'model' : originOf(text)
    const value = { kind: kindOf(leaf, input), origin, length: text.length }
    return origin === 'user' ? { ...value, text } : value
  })
  const commands = [...new Set((facts.command?.uses ?? []).map((use) => use.class))]
  return {
    user,
    call: {
      ...(OWN_TOOL_NAMES.includes(proposal.tool) ? { tool: proposal.tool } : {}),
      family: facts.family,
      ...present({ deed: facts.deed }),
      risk: 'Medium',
      ...(commands.length > 0 ? { commands } : {}),
      values,
      ...(leaves.length > VALUES_MAX ? { more: leaves.length - VALUES_MAX } : {}),
    },
    facts: {
      reasons: denial.all,
      untrustedTexts: untrusted.length,
      inspection: INSPECTIONS.findLast((verdict) => seen.has(verdict)) ?? 'pass',
      targetsNamedByUser: targets.filter((target) => isNamedByUser(target, state, policy.security)).length,
      targets: targets.length,
    },
  }
}

/** The last messages, and what the user typed about earlier calls; not their attachments. */
function wordsOfUser({ state }: ToolInput): string[] {
  const said = allSaid(state).flatMap(({ text, except }) => (except === undefined ? [text] : []))
  const messages = userTexts(state).map(({ text }) => text)
  return [...said.slice(-MESSAGES), ...messages.slice(-MESSAGES)].map((text) => clip(text, MESSAGE_MAX))
}

function ownResults({ state, policy }: ToolInput) {
  return state.messages.flatMap((message) =>
    message.role === 'tool' && speakerOf(message, state, policy.security) !== 'untrusted' ? [ownText(message)] : [],
  )
}

/** Keys are left out: in a free-form object the model writes them too. */
function* leavesOf(value: unknown): Generator<string | number | boolean | null> {
  if (Array.isArray(value)) for (const item of value) yield* leavesOf(item)
  else if (typeof value === 'object' && value !== null) yield* leavesOf(Object.values(value))
  else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null)
    yield value
}

function kindOf(value: string | number | boolean | null, { facts }: ToolInput): ReviewedValue['kind'] {
  if (value === null) return 'null'
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as 'number' | 'boolean'
  if (facts.paths?.some(({ path }) => path === value)) return 'path'
  if (facts.hosts?.some(({ url }) => url === value)) return 'url'
  return facts.targets?.find((target) => target.value === value)?.kind ?? 'text'
}
