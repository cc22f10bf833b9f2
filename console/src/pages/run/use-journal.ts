/** All events of a run, page after page; while it runs, what has been added since. */
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../../lib/api.ts'
import type { StoredEvent } from '../../lib/wire.ts'

const PAGE = 2000
const WATCH_MS = 1500

export function useJournal(runId: string, running: boolean): { events: readonly StoredEvent[]; error: unknown } {
  const kept = useRef<StoredEvent[]>([])
  const query = useQuery({
    queryKey: ['journal', runId],
    queryFn: async ({ signal }) => {
      const events = [...kept.current]
      let next: number | undefined = events.at(-1)?.seq ?? 0
      while (next !== undefined) {
        const page: { events: StoredEvent[]; next?: number | undefined } = await api.call('GET /api/runs/:id/events', {
          params: { id: runId },
          query: { after: next, limit: PAGE },
          signal,
        })
        events.push(...page.events)
        next = page.next
      }
      kept.current = events
      return events
    },
    refetchInterval: running ? WATCH_MS : false,
  })
  return { events: query.data ?? kept.current, error: query.error }
}
