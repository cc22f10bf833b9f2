/** S3's ContextManager: what a workflow's conversation is told of its past, and what it adds to it. */
import type { Clock } from '../base/clock.ts'
import { WritError } from '../base/errors.ts'
import { clip } from '../base/text.ts'
import type { Redact } from '../journal/redact.ts'
import type { Principal } from '../protocol/principal.ts'
import type { TranscriptArchive, TranscriptMessage } from '../storage/transcript-port.ts'
import { ownedKey } from '../storage/transcript-text.ts'
import type { Inspect } from './memory.ts'
import { newest } from './window.ts'

/** `own` is absent where a user's message is all their own. */
export type Said = Omit<TranscriptMessage, 'at'>

export interface Transcripts {
  of(owner: Principal): OwnTranscripts
}

/** Of one principal. */
interface OwnTranscripts {
  /** What was said lately, with `next` at its end. */
  prepare(session: string, next: Said): Promise<Said[]>
  /** Adds to the history and says how long it is now. Throws TRANSCRIPT_POISONED when a message reads like an attack. */
  persist(session: string, said: readonly Said[]): Promise<number>
}

export interface TranscriptLimits {
  /** Messages. */
  window: number
  ttlMs: number
}

export interface TranscriptDeps {
  archive: TranscriptArchive
  limits: TranscriptLimits
  redact: Redact
  /** Absent where planted instructions are not looked for. */
  inspect: Inspect | undefined
  clock: Clock
}

const MAX_CONTENT = 32_000

export function openTranscripts(deps: TranscriptDeps): Transcripts {
  return { of: (owner) => transcriptsOf(owner, deps) }
}

function transcriptsOf(owner: Principal, { archive, limits, redact, inspect, clock }: TranscriptDeps): OwnTranscripts {
  return {
    async prepare(session, next) {
      const now = clock.now()
      const held = await archive.read(ownedKey(session, owner))
      const before = held.map((message) => ({ ...toldAgain(message), at: message.at }))
      return recent([...before, { ...next, at: now }], limits, now).map(({ at: _, ...said }) => said)
    },
    async persist(session, said) {
      for (const { content } of said) refusePoison(content, inspect)
      const now = clock.now()
      const kept = (text: string) => clip(redact(text), MAX_CONTENT)
      const added = said.map(({ content, own, ...rest }) => ({
        ...rest,
        content: kept(content),
        ...(rest.role === 'user' ? { own: kept(own ?? content) } : {}),
        at: now,
      }))
      const messages = await archive.change(ownedKey(session, owner), {
        rewrite: (held) => recent([...held, ...added], limits, now),
        now,
        keepMs: limits.ttlMs,
      })
      return messages.length
    },
  }
}

/** A message that was kept without a word about whose it is may be a stranger's as a whole. */
function toldAgain({ at: _, ...said }: TranscriptMessage): Said {
  const { own = '', ...rest } = said
  return said.role !== 'user' || own === said.content ? rest : { ...rest, own }
}

/** The newest messages that are still fresh. */
export function recent(
  messages: readonly TranscriptMessage[],
  { window: max, ttlMs }: TranscriptLimits,
  now: number,
): TranscriptMessage[] {
  const fresh = messages.filter(({ at }) => at > now - ttlMs)
  return [...newest(fresh, max)]
}

/** A message may hold a stranger's words; once kept, they would be told as the user's or the model's own in every later turn. */
function refusePoison(content: string, inspect: Inspect | undefined): void {
  const result = inspect?.(content)
  if (result?.verdict !== 'block') return
  const rules = [...new Set(result.findings.map(({ rule }) => rule))].join(', ')
  throw new WritError('TRANSCRIPT_POISONED', `not kept: the text reads like an attack (${rules})`, {
    hint: 'Look at where it came from; the history is as it was before.',
  })
}
