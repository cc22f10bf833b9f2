/** Resources several pages read, under one key each. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { doorNow } from './door.ts'
import type { Info } from './wire.ts'

export const infoQuery = queryOptions({
  queryKey: ['info'],
  queryFn: ({ signal }) => api.call('GET /api/info', { signal }),
  staleTime: 60_000,
})

export const toolsQuery = queryOptions({
  queryKey: ['tools'],
  queryFn: ({ signal }) => api.call('GET /api/tools', { signal }),
  staleTime: 60_000,
})

export const approvalsQuery = queryOptions({
  queryKey: ['approvals'],
  queryFn: ({ signal }) => api.call('GET /api/approvals', { signal }),
  // A token that is not taken any more would be counted as guessing, and a good one be made to wait for it.
  refetchInterval: () => (doorNow() === 'signed-out' ? false : 5000),
})

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => api.call('GET /api/config', { signal }),
})

export const workflowsQuery = queryOptions({
  queryKey: ['workflows'],
  queryFn: ({ signal }) => api.call('GET /api/workflows', { signal }),
})

export function useInfo(): Info | undefined {
  return useQuery(infoQuery).data
}
