/** Conversations: search, pages, names, deletion. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { useInfo } from '../../lib/queries.ts'
import { listInterval } from '../../lib/runs.ts'
import type { SessionSummary } from '../../lib/wire.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ErrorNote, Loading } from '../../parts/states.tsx'
import { Ago, Shown } from '../../parts/text.tsx'
import { RenameDialog } from './rename-dialog.tsx'

const PAGE = 50

export function SessionList({ current }: { current: string | undefined }) {
  const { chat } = useTexts()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const pages = useInfiniteQuery({
    queryKey: ['sessions', q],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: before, signal }) =>
      api.call('GET /api/sessions', { query: { limit: PAGE, before, ...(q === '' ? {} : { q }) }, signal }),
    getNextPageParam: (page) => page.next,
    refetchInterval: listInterval,
    placeholderData: keepPreviousData,
  })
  // Between two pages a conversation may have moved up.
  const rows = [
    ...new Map((pages.data?.pages ?? []).flatMap((page) => page.sessions).map((row) => [row.sessionId, row])).values(),
  ]
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages
  return (
    <aside className="sessions" aria-label={chat.sessions} data-open={open}>
      <div className="row between">
        <button
          type="button"
          className="button plain small sessions-toggle"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <Icon name="chevron" /> {chat.sessions}
        </button>
        <h2 className="sessions-title">{chat.sessions}</h2>
        <Link to="/" className="button small">
          <Icon name="plus" /> {chat.fresh}
        </Link>
      </div>
      <div className="session-rows stack">
        <label className="session-search">
          <Icon name="search" />
          <span className="visually-hidden">{chat.search}</span>
          <input
            type="search"
            className="input"
            placeholder={chat.search}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        {pages.isPending && <Loading />}
        {pages.isError && <ErrorNote error={pages.error} retry={() => void pages.refetch()} />}
        {pages.isSuccess && rows.length === 0 && (
          <p className="small muted">{q === '' ? chat.noSessions : chat.noneFound}</p>
        )}
        <ul>
          {rows.map((row) => (
            <SessionItem
              key={row.sessionId}
              row={row}
              current={row.sessionId === current}
              onOpen={() => setOpen(false)}
            />
          ))}
        </ul>
        {hasNextPage && <MoreRows busy={isFetchingNextPage} onMore={() => void fetchNextPage()} />}
      </div>
    </aside>
  )
}

/** Loads the next page when it comes into view; also a button, for keyboards. */
function MoreRows({ busy, onMore }: { busy: boolean; onMore: () => void }) {
  const { common } = useTexts()
  const ref = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  more.current = onMore
  useEffect(() => {
    const watch = new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && more.current())
    if (ref.current !== null) watch.observe(ref.current)
    return () => watch.disconnect()
  }, [])
  return (
    <div ref={ref}>
      <Button small busy={busy} onClick={onMore}>
        {common.more}
      </Button>
    </div>
  )
}

interface ItemProps {
  row: SessionSummary
  current: boolean
  onOpen: () => void
}

function SessionItem({ row, current, onOpen }: ItemProps) {
  const { chat } = useTexts()
  const client = useQueryClient()
  const navigate = useNavigate()
  const isAdmin = useInfo()?.scopes.includes('admin') === true
  const [dialog, show] = useState<'rename' | 'delete'>()
  const { sessionId, state, lastAt } = row
  const title = row.title || chat.untitled
  const erasing = useMutation({
    mutationFn: () => api.call('DELETE /api/sessions/:id', { params: { id: sessionId } }),
    onSuccess: async () => {
      if (current) await navigate({ to: '/' })
      await client.invalidateQueries()
    },
  })
  return (
    <li className="session-item" aria-current={current ? 'true' : undefined}>
      <Link
        to="/chat/$sessionId"
        params={{ sessionId }}
        className="session"
        aria-current={current ? 'page' : undefined}
        onClick={onOpen}
      >
        <span className="clip" title={title}>
          <Shown text={title} />
        </span>
        <span className="row small muted">
          {state !== 'idle' && (
            <>
              <i className={`dot ${state}`} />
              {state === 'running' ? chat.running : chat.waiting}
            </>
          )}
          <Ago at={lastAt} />
        </span>
      </Link>
      <span className="session-tools">
        <Button look="plain" small icon="pencil" aria-label={chat.rename({ title })} onClick={() => show('rename')} />
        {isAdmin && (
          <Button
            look="plain"
            small
            icon="trash"
            aria-label={chat.erase({ title })}
            busy={erasing.isPending}
            onClick={() => show('delete')}
          />
        )}
      </span>
      {erasing.isError && <ErrorNote error={erasing.error} />}
      {dialog === 'rename' && <RenameDialog sessionId={sessionId} title={row.title} onClose={() => show(undefined)} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={chat.erase({ title })}
          fact={chat.eraseFact}
          action={chat.eraseAction}
          onConfirm={() => erasing.mutate()}
          onClose={() => show(undefined)}
        />
      )}
    </li>
  )
}
