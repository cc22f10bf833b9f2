/** Loading, empty and error states. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../../runtime/src/server/client.ts'
import { useTexts } from '../i18n/texts.tsx'
import { isUnreachable } from '../lib/connection.ts'
import { Button } from './button.tsx'

export function Loading({ lines = 4 }: { lines?: number }) {
  const { common } = useTexts()
  const widths = ['92%', '76%', '84%', '60%', '88%', '70%']
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">{common.loading}</span>
      {Array.from({ length: lines }, (_, i) => widths[i % widths.length]).map((width, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: grey bars have no other name and never move
        <i key={i} style={{ width }} />
      ))}
    </div>
  )
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

export function ErrorNote({ error, retry }: { error: unknown; retry?: () => void }) {
  const { common } = useTexts()
  const known = error instanceof ApiError ? error : undefined
  const fact = error instanceof Error ? error.message : String(error)
  const unreachable = isUnreachable(error)
  return (
    <div className="problem" role="alert">
      <div>
        <code>{known?.code ?? (unreachable ? 'UNREACHABLE' : 'ERROR')}</code> {unreachable ? common.unreachable : fact}
      </div>
      {(known?.hint !== undefined || unreachable) && (
        <div className="small">{unreachable ? common.unreachableHint : known?.hint}</div>
      )}
      {known?.problems.map(({ path, message }) => (
        <div className="small" key={`${path} ${message}`}>
          <code>{path}</code> {message}
        </div>
      ))}
      {retry !== undefined && (
        <div className="row">
          <Button small icon="refresh" onClick={retry}>
            {common.retry}
          </Button>
        </div>
      )}
    </div>
  )
}

interface ListProps<T, Item> {
  query: UseQueryResult<T>
  list: (data: T) => readonly Item[]
  /** Title and hint when the list is empty. */
  none: string
  hint: string
  children: (items: readonly Item[]) => ReactNode
}

export function AwaitList<T, Item>({ query, list, none, hint, children }: ListProps<T, Item>) {
  const show = (items: readonly Item[]) =>
    items.length > 0 ? (
      children(items)
    ) : (
      <Empty title={none}>
        <p>{hint}</p>
      </Empty>
    )
  return <Await query={query}>{(data) => show(list(data))}</Await>
}

/** Shows a query: loading, error, then the data. */
export function Await<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <ErrorNote error={query.error} retry={() => void query.refetch()} />
  return <Loading />
}
