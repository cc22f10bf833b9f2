/** A live session: its history from the server, then its events. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { api } from '../../lib/api.ts'
import { type Outgoing, sentFiles } from '../../lib/attachments.ts'
import { type Chat, chatAfter, NO_CHAT } from '../../lib/chat.ts'
import { isUnreachable, untilConnected } from '../../lib/connection.ts'
import { follow, type Link } from '../../lib/follow.ts'
import type { Event } from '../../lib/wire.ts'
import { takeFirstMessage } from './first-message.ts'

interface Live {
  chat: Chat
  link: Link
  loaded: boolean
  error: unknown
  /** The last message that could not be sent. */
  unsent: Outgoing | undefined
  send(message: Outgoing): void
  stop(): void
  revoke(key: string): void
  revokeRule(id: string): void
}

export function useChat(sessionId: string): Live {
  const client = useQueryClient()
  const [chat, dispatch] = useReducer(chatAfter, NO_CHAT)
  const [link, setLink] = useState<Link>('connecting')
  const [loaded, setLoaded] = useState(false)
  const [error, setError] = useState<unknown>()

  const [unsent, setUnsent] = useState<Outgoing>()
  const saidBefore = useRef(0)
  saidBefore.current = chat.turns.length

  const send = useCallback(
    (message: Outgoing) => {
      const { text, files } = message
      const known = saidBefore.current
      setError(undefined)
      setUnsent(undefined)
      dispatch({ kind: 'sent', text, at: Date.now() })
      const attachments = files.length === 0 ? {} : { attachments: sentFiles(files) }
      api
        .call('POST /api/sessions/:id/messages', { params: { id: sessionId }, body: { text, ...attachments } })
        .catch(async (problem: unknown) => {
          // A started run continues without this request; its events show the rest.
          if (isUnreachable(problem) && (await hasArrived(sessionId, { text, known }))) return
          dispatch({ kind: 'unsent' })
          setUnsent(message)
          if (!isUnreachable(problem)) setError(problem)
        })
        .finally(() => client.invalidateQueries({ queryKey: ['sessions'] }))
    },
    [sessionId, client],
  )

  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const queue = eventQueue((events) => dispatch({ kind: 'events', events }))
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
          queue.flush()
          dispatch({ kind: 'snapshot', runId, text })
        } else {
          queue.add(data as Event)
          if (CHANGES_LIST.includes(event)) void client.invalidateQueries({ queryKey: ['sessions'] })
          if (event.startsWith('confirm.')) {
            void client.invalidateQueries({ queryKey: ['approvals'] })
            void client.invalidateQueries({ queryKey: ['rules'] })
          }
        }
      },
    })
    return () => {
      leaving.abort()
      queue.stop()
    }
  }, [sessionId, send, client])

  return {
    chat,
    link,
    loaded,
    error,
    unsent,
    send,
    stop: () => void api.call('POST /api/sessions/:id/abort', { params: { id: sessionId } }).catch(setError),
    revokeRule(rule) {
      api
        .call('DELETE /api/sessions/:id/rules/:rule', { params: { id: sessionId, rule } })
        .then(() => client.invalidateQueries({ queryKey: ['rules'] }))
        .catch(setError)
    },
    revoke(key) {
      api
        .call('DELETE /api/sessions/:id/approvals/:key', { params: { id: sessionId, key } })
        .then(() => dispatch({ kind: 'revoked', key }))
        .catch(setError)
    },
  }
}

/** Long enough to gather the past of a conversation, short enough not to be seen while a reply is written. */
const GATHER_MS = 30

/** Showing thousands of past events one by one would take minutes. */
function eventQueue(show: (events: readonly Event[]) => void) {
  let waiting: Event[] = []
  let due: ReturnType<typeof setTimeout> | undefined
  function flush() {
    clearTimeout(due)
    due = undefined
    const events = waiting
    waiting = []
    if (events.length > 0) show(events)
  }
  return {
    flush,
    stop: () => clearTimeout(due),
    add(event: Event) {
      waiting.push(event)
      due ??= setTimeout(flush, GATHER_MS)
    },
  }
}

const CHANGES_LIST = ['turn.started', 'turn.committed', 'confirm.asked', 'confirm.answered']

/** The connection may have broken before or after the server received the message; ask it when it is back. */
async function hasArrived(id: string, { text, known }: { text: string; known: number }): Promise<boolean> {
  for (;;) {
    await untilConnected(new AbortController().signal)
    try {
      const { messages } = await api.call('GET /api/sessions/:id', { params: { id } })
      return messages.filter(({ role }) => role === 'user').at(known)?.text === text
    } catch (problem) {
      if (!isUnreachable(problem)) return false
    }
  }
}
