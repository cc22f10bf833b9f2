/** All events of a run: page by page for an ended run, as a stream for a live one. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import { follow, type Link } from '../../lib/follow.ts'
import type { StoredEvent } from '../../lib/wire.ts'

const PAGE = 2000
/** Events are batched for display. */
const GATHER_MS = 100

interface Journal {
  events: readonly StoredEvent[]
  link: Link
  error: unknown
}

export function useJournal(runId: string, running: boolean): Journal {
  const client = useQueryClient()
  // Some events follow the end of the run, so an open stream stays open until the turn is committed.
  const [listens] = useState(running)
  const [streamed, setStreamed] = useState<readonly StoredEvent[]>([])
  const [link, setLink] = useState<Link>('connecting')

  useEffect(() => {
    if (!listens) return
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
      path: `/api/runs/${encodeURIComponent(runId)}/events`,
      signal: leaving.signal,
      onLink: setLink,
      onFrame({ id, data }) {
        const event = data as StoredEvent
        // Unfinished text has no id: it is not in the journal yet.
        if (id === undefined || event.seq <= lastSeq(events)) return
        events.push(event)
        due ??= setTimeout(show, GATHER_MS)
        if (isLast(event)) leaving.abort()
      },
    })
    return () => {
      leaving.abort()
      clearTimeout(due)
    }
  }, [runId, listens, client])

  const query = useQuery({
    queryKey: ['journal', runId],
    enabled: !listens,
    queryFn: async ({ signal }) => {
      const events: StoredEvent[] = []
      let next: number | undefined = 0
      while (next !== undefined) {
        const page: { events: StoredEvent[]; next?: number | undefined } = await api.call('GET /api/runs/:id/events', {
          params: { id: runId },
          query: { after: next, limit: PAGE },
          signal,
        })
        events.push(...page.events)
        next = page.next
      }
      return events
    },
  })
  return { events: query.data ?? streamed, link, error: query.error }
}

function lastSeq(events: readonly StoredEvent[]): number {
  return events.at(-1)?.seq ?? 0
}

/** The server ends the stream after this event. */
function isLast({ type, mode }: StoredEvent): boolean {
  return type === 'turn.committed' || (type === 'run.stopped' && mode !== 'chat' && mode !== 'routine')
}
