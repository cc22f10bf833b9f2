/** Queries for lists of runs. */
import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'
import { connectionNow } from './connection.ts'
import type { RunSummary } from './wire.ts'

/** Runs have no common stream, so lists of them are polled. */
export const LIST_MS = 3000

export function listInterval(): number | false {
  return connectionNow() === 'open' ? LIST_MS : false
}

/** Oldest first: the order in which they happened. */
export const childrenQuery = (parent: string, open: boolean) =>
  queryOptions({
    queryKey: ['runs', 'below', parent],
    queryFn: async ({ signal }): Promise<RunSummary[]> => {
      const { runs } = await api.call('GET /api/runs', { query: { parent, limit: 200 }, signal })
      return runs.toReversed()
    },
    refetchInterval: () => (open ? listInterval() : false),
  })
