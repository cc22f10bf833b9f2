import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { Icon } from '../../parts/icon.tsx'
import { Await } from '../../parts/states.tsx'
import { Ago } from '../../parts/text.tsx'

export function SessionList({ current }: { current: string | undefined }) {
  const { chat } = useTexts()
  const [open, setOpen] = useState(false)
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => api.call('GET /api/sessions', { query: { limit: 100 }, signal }),
    refetchInterval: 15_000,
  })
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
      <div className="session-rows">
        <Await query={sessions}>
          {({ sessions: rows }) =>
            rows.length === 0 ? (
              <p className="small muted">{chat.noSessions}</p>
            ) : (
              <ul>
                {rows.map((row) => (
                  <li key={row.sessionId}>
                    <Link
                      to="/chat/$sessionId"
                      params={{ sessionId: row.sessionId }}
                      className="session"
                      aria-current={row.sessionId === current ? 'page' : undefined}
                      onClick={() => setOpen(false)}
                    >
                      <span className="clip">{row.title || chat.untitled}</span>
                      <span className="row small muted">
                        {row.state !== 'idle' && (
                          <>
                            <i className={`dot ${row.state}`} />
                            {row.state === 'running' ? chat.running : chat.waiting}
                          </>
                        )}
                        <Ago at={row.lastAt} />
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
            )
          }
        </Await>
      </div>
    </aside>
  )
}
