import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import type { Json } from '../../lib/paths.ts'

export interface PlacedProblem {
  place: string
  message: string
}

export interface Checked {
  /** Undefined until the current document is validated; earlier problems stay visible meanwhile. */
  ok: boolean | undefined
  problems: readonly PlacedProblem[]
  error: unknown
}

const WRITING_PAUSE_MS = 350

/** Validates the document on the server, shortly after each change. */
export function useWorkflowCheck(document: Json): Checked {
  const [settled, setSettled] = useState(document)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(document), WRITING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [document])
  const query = useQuery({
    queryKey: ['workflow-check', settled],
    queryFn: ({ signal }) => api.call('POST /api/workflows/check', { body: { document: settled }, signal }),
    placeholderData: keepPreviousData,
  })
  const current = settled === document && !query.isPlaceholderData
  const ok = query.data?.ok === false || current ? query.data?.ok : undefined
  return { ok, problems: query.data?.problems ?? [], error: query.error }
}
