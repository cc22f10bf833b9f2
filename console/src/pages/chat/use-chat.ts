/** One session, live: what the server knows of it, then every event of it as it happens. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useState } from 'react'
import { api, isUnreachable } from '../../lib/api.ts'
import { type Chat, chatAfter, NO_CHAT } from '../../lib/chat.ts'
import { follow, type Link } from '../../lib/follow.ts'
import type { Event } from '../../lib/wire.ts'
import { takeFirstMessage } from './first-message.ts'

interface Live {
  chat: Chat
  link: Link
  loaded: boolean
  error: unknown
  send(text: string): void
  stop(): void
  revoke(key: string): void
}

export function useChat(sessionId: string): Live {
  const client = useQueryClient()
  const [chat, dispatch] = useReducer(chatAfter, NO_CHAT)
  const [link, setLink] = useState<Link>('connecting')
  const [loaded, setLoaded] = useState(false)
  const [error, setError] = useState<unknown>()

  const send = useCallback(
    (text: string) => {
      setError(undefined)
      dispatch({ kind: 'sent', text, at: Date.now() })
      api
        .call('POST /api/sessions/:id/messages', { params: { id: sessionId }, body: { text } })
        .catch((problem: unknown) => {
          // The run goes on without this request, and its events tell the rest.
          if (isUnreachable(problem)) return
          dispatch({ kind: 'unsent' })
          setError(problem)
        })
        .finally(() => client.invalidateQueries({ queryKey: ['sessions'] }))
    },
    [sessionId, client],
  )

  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    api
      .call('GET /api/sessions/:id', { params: { id: sessionId }, signal })
      .then(({ messages, approvals }) => {
        dispatch({ kind: 'loaded', messages, approvals })
        setLoaded(true)
        const first = takeFirstMessage(sessionId)
        if (first !== undefined) send(first)
      })
      .catch((problem: unknown) => {
        if (!signal.aborted) setError(problem)
      })
    void follow({
      path: `/api/sessions/${encodeURIComponent(sessionId)}/events`,
      signal,
      onLink: (next) => setLink(next),
      onFrame({ event, data }) {
        if (event === 'result') return
        if (event === 'model.snapshot') {
          const { runId, text } = data as { runId: string; text: string }
          dispatch({ kind: 'snapshot', runId, text })
        } else {
          dispatch({ kind: 'event', event: data as Event })
          if (CHANGES_LIST.includes(event)) void client.invalidateQueries({ queryKey: ['sessions'] })
          if (event.startsWith('confirm.')) void client.invalidateQueries({ queryKey: ['approvals'] })
        }
      },
    })
    return () => leaving.abort()
  }, [sessionId, send, client])

  return {
    chat,
    link,
    loaded,
    error,
    send,
    stop: () => void api.call('POST /api/sessions/:id/abort', { params: { id: sessionId } }).catch(setError),
    revoke(key) {
      api
        .call('DELETE /api/sessions/:id/approvals/:key', { params: { id: sessionId, key } })
        .then(() => dispatch({ kind: 'revoked', key }))
        .catch(setError)
    },
  }
}

const CHANGES_LIST = ['turn.started', 'turn.committed', 'confirm.asked', 'confirm.answered']
