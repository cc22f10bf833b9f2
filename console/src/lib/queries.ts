/** Queries shared by several pages. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { connectionNow } from './connection.ts'
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
  // The server would count a rejected token as guessing and delay valid tokens from this address.
  refetchInterval: () => (connectionNow() === 'signed-out' ? false : 5000),
})

export const rulesQuery = queryOptions({
  queryKey: ['rules'],
  queryFn: ({ signal }) => api.call('GET /api/rules', { signal }),
})

export const sessionRulesQuery = (id: string) =>
  queryOptions({
    queryKey: ['rules', id],
    queryFn: async ({ signal }) => (await api.call('GET /api/sessions/:id', { params: { id }, signal })).rules,
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
