import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import type { Outgoing } from '../../lib/attachments.ts'
import { infoQuery } from '../../lib/queries.ts'
import { Await, ErrorNote } from '../../parts/states.tsx'
import { Composer } from './composer.tsx'
import { leaveFirstMessage } from './first-message.ts'

export function Welcome() {
  const { chat } = useTexts()
  const info = useQuery(infoQuery)
  const client = useQueryClient()
  const navigate = useNavigate()
  const [unsent, setUnsent] = useState<Outgoing>()
  const begin = useMutation({
    onError: (_, message) => setUnsent(message),
    mutationFn: async (message: Outgoing) => {
      const { sessionId } = await api.call('POST /api/sessions', {})
      leaveFirstMessage(sessionId, message)
      await client.invalidateQueries({ queryKey: ['sessions'] })
      await navigate({ to: '/chat/$sessionId', params: { sessionId } })
    },
  })
  return (
    <section className="conversation welcome" aria-label={chat.conversation}>
      <div className="stack wide">
        <div>
          <h1>{chat.welcome}</h1>
          <p className="muted">{chat.welcomeLede}</p>
        </div>
        <Await query={info}>
          {({ samples, model, workspace }) => (
            <>
              <div className="samples">
                {samples.map(({ title, task }) => (
                  <button
                    key={task}
                    type="button"
                    className="sample"
                    disabled={begin.isPending}
                    onClick={() => begin.mutate({ text: task, files: [] })}
                  >
                    <strong>{title}</strong>
                    <span className="muted">{task}</span>
                  </button>
                ))}
              </div>
              <p className="small muted">
                {chat.workspace} <code>{workspace}</code>
              </p>
              {model.embedded && <p className="note">{chat.rulesHere}</p>}
            </>
          )}
        </Await>
        {begin.isError && <ErrorNote error={begin.error} />}
      </div>
      <div className="composer-dock">
        <Composer place="new" unsent={unsent} running={begin.isPending} onSend={(message) => begin.mutate(message)} />
      </div>
    </section>
  )
}
