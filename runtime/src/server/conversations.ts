/** Conversations as a list with pages, search and titles; deletion of a whole conversation. */
import { forgetDeletedRuns } from '../assembly/undo.ts'
import { present } from '../base/present.ts'
import { clip } from '../base/text.ts'
import { withSessionLease } from '../dispatch/lease.ts'
import { WritError } from '../errors/writ-error.ts'
import type { SessionRow } from '../journal/store.ts'
import type { StoredEvent } from '../protocol/event.ts'
import type { Database } from '../storage/database.ts'
import { eraseSession } from '../storage/prune.ts'
import { resultFiles } from '../storage/result-files.ts'
import type { CheckedRequest } from './endpoint.ts'
import type { ServerDeps } from './server-deps.ts'

const TITLE = 80
const MAX_WORDS = 8
/** A conversation in use is not deleted; the lease of one that has just ended is free at once. */
const WAIT_MS = 1000

interface Page {
  rows: (Omit<SessionRow, 'firstRunId'> & { title: string })[]
  next?: string
}

export async function conversationsOf(
  { store, titles, access }: Pick<ServerDeps, 'store' | 'titles' | 'access'>,
  { query, who }: Pick<CheckedRequest<'GET /api/sessions'>, 'query' | 'who'>,
): Promise<Page> {
  const { limit, before, q = '' } = query
  const words = q.split(/\s+/).filter((word) => word !== '')
  const rows = await store.listSessions({
    mode: 'chat',
    limit,
    words: words.slice(0, MAX_WORDS),
    ...access.scopeOf(who, 'read'),
    ...present({ before: before === undefined ? undefined : parseCursor(before) }),
  })
  const first = await store.readOf(
    rows.map(({ firstRunId }) => firstRunId),
    ['turn.started'],
  )
  const said = new Map(first.map((event) => [event.sessionId, firstWords([event])]))
  const given = await titles.of(rows.map(({ sessionId }) => sessionId))
  const last = rows.length === limit ? rows.at(-1) : undefined
  return {
    rows: rows.map(({ firstRunId: _, ...row }) => ({
      ...row,
      title: given.get(row.sessionId) ?? said.get(row.sessionId) ?? '',
    })),
    ...present({ next: last && `${last.lastAt}.${encodeURIComponent(last.sessionId)}` }),
  }
}

/** A conversation without a title is named by its first message. */
export function firstWords(events: readonly StoredEvent[]): string {
  const first = events.find((event) => event.type === 'turn.started')
  return first?.type === 'turn.started' ? clip(first.data.input.replace(/\s+/g, ' ').trim(), TITLE) : ''
}

function parseCursor(text: string): Pick<SessionRow, 'lastAt' | 'sessionId'> {
  const [, lastAt, session] = /^(\d{1,15})\.([\w.!~*'()%-]{1,900})$/.exec(text) ?? []
  try {
    if (lastAt !== undefined && session !== undefined) {
      return { lastAt: Number(lastAt), sessionId: decodeURIComponent(session) }
    }
  } catch {}
  throw new WritError('BAD_CURSOR.page', { before: text })
}

type Erasing = Pick<ServerDeps, 'current' | 'store' | 'leases'> & { db: Database; data: string | undefined }

/** Throws SESSION_BUSY while a run of it is at work: it would write on. */
export function eraser({ current, store, leases, db, data }: Erasing): ServerDeps['erase'] {
  return async (sessionId) => {
    const { engine } = current.agent
    const held = { sessionId, signal: AbortSignal.timeout(WAIT_MS * 2), waitMs: WAIT_MS }
    const erased = await withSessionLease(leases, held, () => eraseSession(db, sessionId, engine.clock.now()))
    if (data !== undefined) await resultFiles(data).erase(sessionId)
    await forgetDeletedRuns(engine.world, store)
    return erased
  }
}
