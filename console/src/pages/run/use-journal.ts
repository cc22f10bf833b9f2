/** All events of a run: of one that is over page after page, of one under way as they are stored. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import { follow, type Link } from '../../lib/follow.ts'
import type { StoredEvent } from '../../lib/wire.ts'

const PAGE = 2000
/** Events that come together are shown together. */
const GATHER_MS = 100

interface Journal {
  events: readonly StoredEvent[]
  link: Link
  error: unknown
}

export function useJournal(runId: string, running: boolean): Journal {
  const client = useQueryClient()
  // A turn says a few things more after its run has stopped; whoever began to listen hears them too.
  const [listens] = useState(running)
  const [heard, setHeard] = useState<readonly StoredEvent[]>([])
  const [link, setLink] = useState<Link>('connecting')

  useEffect(() => {
    if (!listens) return
    const leaving = new AbortController()
    const events: StoredEvent[] = []
    let due: ReturnType<typeof setTimeout> | undefined
    const about = { queryKey: ['run', runId] }
    const show = () => {
      setHeard([...events])
      // One that is on its way may have been answered too early, and to cancel it again and again would show nothing.
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
        // Text that is being written has no id: it is not in the journal yet.
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
  return { events: query.data ?? heard, link, error: query.error }
}

function lastSeq(events: readonly StoredEvent[]): number {
  return events.at(-1)?.seq ?? 0
}

/** The server ends the stream after it, and to ask for more would only be answered with nothing. */
function isLast({ type, mode }: StoredEvent): boolean {
  return type === 'turn.committed' || (type === 'run.stopped' && mode !== 'chat' && mode !== 'routine')
}
