/** The calls of a run, each with the number of the event with its result: the newest, and earlier ones on request. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import type { RunView } from '../../lib/wire.ts'
import type { Earlier } from './use-journal.ts'

interface ShownCall {
  entry: RunView['trace']['trace'][number]
  /** Absent while it is running. */
  result: number | undefined
}

export function useCalls({ run, trace, results, before }: RunView): Earlier & { calls: ShownCall[] } {
  const [wanted, want] = useState(false)
  const query = useInfiniteQuery({
    queryKey: ['calls', run.runId, before],
    queryFn: ({ pageParam, signal }) =>
      api.call('GET /api/runs/:id/calls', { params: { id: run.runId }, query: { before: pageParam }, signal }),
    initialPageParam: before ?? '',
    getNextPageParam: (page) => page.before,
    enabled: wanted && before !== undefined,
  })
  const pages = [{ entries: trace.trace, results }, ...(query.data?.pages ?? [])].toReversed()
  const calls = pages.flatMap((page) => page.entries.map((entry, i): ShownCall => ({ entry, result: page.results[i] })))
  const isFirst = query.data === undefined
  return {
    calls,
    busy: query.isFetching,
    error: query.error,
    earlier: isFirst ? before !== undefined : query.hasNextPage,
    load: () => (isFirst ? want(true) : void query.fetchNextPage()),
  }
}
