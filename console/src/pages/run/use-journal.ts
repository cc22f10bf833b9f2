/**
 * The newest events of a run, and earlier ones on request: a long run opens as fast as a short one. A live run is
 * followed from there.
 */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import { follow, type Link } from '../../lib/follow.ts'
import type { StoredEvent } from '../../lib/wire.ts'

const PAGE = 1000
/** Events are batched for display. */
const GATHER_MS = 100

/** `load` reads what came before; `earlier`: there is something. */
export interface Earlier {
  earlier: boolean
  busy: boolean
  error: unknown
  load(): void
}

interface Journal extends Earlier {
  events: readonly StoredEvent[]
  link: Link
}

export function useJournal(runId: string, running: boolean): Journal {
  const client = useQueryClient()
  // Some events follow the end of the run, so an open stream stays open until the turn is committed.
  const [listens] = useState(running)
  const [streamed, setStreamed] = useState<readonly StoredEvent[]>([])
  const [link, setLink] = useState<Link>('connecting')

  const query = useInfiniteQuery({
    queryKey: ['journal', runId],
    queryFn: ({ pageParam: before, signal }) =>
      api.call('GET /api/runs/:id/events', { params: { id: runId }, query: { before, limit: PAGE }, signal }),
    initialPageParam: Number.MAX_SAFE_INTEGER,
    getNextPageParam: ({ previous }) => previous,
    // What comes later is streamed.
    ...(listens && { staleTime: Number.POSITIVE_INFINITY }),
  })
  const stored = query.data?.pages.toReversed().flatMap(({ events }) => events) ?? []
  const from = query.data === undefined ? undefined : lastSeq(stored)
  // The last event may have come before the stream was opened: then nothing more follows.
  const isOver = !running && link === 'reconnecting'

  useEffect(() => {
    if (!listens || from === undefined || isOver) return
    const leaving = new AbortController()
    const events: StoredEvent[] = []
    let due: ReturnType<typeof setTimeout> | undefined
    const about = { queryKey: ['run', runId] }
    const show = () => {
      setStreamed([...events])
      // A pending request may have been answered too early, but cancelling it on every event would never show anything.
      const busy = client.isFetching(about) > 0
      due = busy ? setTimeout(show, GATHER_MS) : undefined
      if (!busy) void client.invalidateQueries(about)
    }
    void follow({
      path: `/api/runs/${encodeURIComponent(runId)}/events?after=${from}`,
      signal: leaving.signal,
      onLink(now) {
        setLink(now)
        if (now === 'reconnecting') void client.invalidateQueries(about)
      },
      onFrame({ id, data }) {
        const event = data as StoredEvent
        // Unfinished text has no id: it is not in the journal yet.
        if (id === undefined || event.seq <= (lastSeq(events) || from)) return
        events.push(event)
        due ??= setTimeout(show, GATHER_MS)
        if (isLast(event)) leaving.abort()
      },
    })
    return () => {
      leaving.abort()
      clearTimeout(due)
    }
  }, [runId, listens, from, isOver, client])

  const { hasNextPage, isFetchingNextPage: busy, fetchNextPage, error } = query
  return {
    events: [...stored, ...streamed],
    link,
    error,
    busy,
    earlier: hasNextPage,
    load: () => void fetchNextPage(),
  }
}

function lastSeq(events: readonly StoredEvent[]): number {
  return events.at(-1)?.seq ?? 0
}

/** The server ends the stream after this event. */
function isLast({ type, mode }: StoredEvent): boolean {
  return type === 'turn.committed' || (type === 'run.stopped' && mode !== 'chat' && mode !== 'routine')
}
