/** S3's ContextManager: reads and extends the stored conversation of a workflow. */
import type { Clock } from '../base/clock.ts'
import { clip } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Redact } from '../journal/redact.ts'
import type { TranscriptArchive, TranscriptMessage } from '../ports/transcripts.ts'
import type { Principal } from '../protocol/principal.ts'
import { ownedKey } from '../storage/transcript-text.ts'
import type { Inspect } from './memory.ts'
import { newest } from './window.ts'

/** `own` is absent when the whole message is the user's. */
export type NewMessage = Omit<TranscriptMessage, 'at'>

export interface Transcripts {
  of(owner: Principal): OwnTranscripts
}

/** The transcripts of one principal. */
interface OwnTranscripts {
  /** The recent messages, with `next` appended. */
  prepare(session: string, next: NewMessage): Promise<NewMessage[]>
  /**
   * Appends to the history and returns its length. Throws TRANSCRIPT_POISONED when a message looks like prompt
   * injection.
   */
  persist(session: string, added: readonly NewMessage[]): Promise<number>
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
  /** Absent when inspection is off. */
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
      const history = await archive.read(ownedKey(session, owner))
      const before = history.map((message) => ({ ...withOwn(message), at: message.at }))
      return recent([...before, { ...next, at: now }], limits, now).map(({ at: _, ...message }) => message)
    },
    async persist(session, added) {
      for (const { content } of added) refusePoison(content, inspect)
      const now = clock.now()
      const storable = (text: string) => clip(redact(text), MAX_CONTENT)
      const stored = added.map(({ content, own, ...rest }) => ({
        ...rest,
        content: storable(content),
        ...(rest.role === 'user' ? { own: storable(own ?? content) } : {}),
        at: now,
      }))
      const messages = await archive.change(ownedKey(session, owner), {
        rewrite: (history) => recent([...history, ...stored], limits, now),
        now,
        keepMs: limits.ttlMs,
      })
      return messages.length
    },
  }
}

/** A message stored without `own` may come from an untrusted source as a whole. */
function withOwn({ at: _, ...message }: TranscriptMessage): NewMessage {
  const { own = '', ...rest } = message
  return message.role !== 'user' || own === message.content ? rest : { ...rest, own }
}

/** The newest messages that have not expired. */
export function recent(
  messages: readonly TranscriptMessage[],
  { window: max, ttlMs }: TranscriptLimits,
  now: number,
): TranscriptMessage[] {
  const fresh = messages.filter(({ at }) => at > now - ttlMs)
  return [...newest(fresh, max)]
}

/**
 * A message may contain untrusted text; once stored, it would appear as the user's or the model's own in every later
 * turn.
 */
function refusePoison(content: string, inspect: Inspect | undefined): void {
  const result = inspect?.(content)
  if (result?.verdict !== 'block') return
  throw new WritError('TRANSCRIPT_POISONED', { rules: [...new Set(result.findings.map(({ rule }) => rule))] })
}
