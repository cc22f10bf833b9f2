import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import type { Draft } from '../../lib/workflow.ts'

export interface PlacedProblem {
  place: string
  message: string
}

export interface Checked {
  ok: boolean | undefined
  problems: readonly PlacedProblem[]
  error: unknown
}

const WRITING_PAUSE_MS = 350

/** What the server says is wrong with the draft, a moment after each change. */
export function useWorkflowCheck(draft: Draft): Checked {
  const [settled, setSettled] = useState(draft)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), WRITING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [draft])
  const query = useQuery({
    queryKey: ['workflow-check', settled],
    queryFn: ({ signal }) => api.call('POST /api/workflows/check', { body: { document: settled }, signal }),
    placeholderData: keepPreviousData,
  })
  return { ok: query.data?.ok, problems: query.data?.problems ?? [], error: query.error }
}
