/** A question only a person may answer: exactly what would run, why it is asked, and three answers. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { oneLine } from '../../../runtime/src/protocol/visible-text.ts'
import { useTexts } from '../i18n/texts.tsx'
import { api } from '../lib/api.ts'
import { approvalsQuery } from '../lib/queries.ts'
import type { Question } from '../lib/wire.ts'
import { useAnnounce } from './announcer.tsx'
import { Code, Reason, RiskBadge } from './badge.tsx'
import { Button } from './button.tsx'
import { ErrorNote } from './states.tsx'
import { Preview, Shown } from './text.tsx'
import './approval.css'

type Answer = 'y' | 'n' | 'a'

interface Props {
  runId: string
  question: Question
  /** Takes the focus when it appears, unless somebody is writing. */
  grabFocus?: boolean
}

export function Approval({ runId, question, grabFocus = false }: Props) {
  const { approval } = useTexts()
  const tool = oneLine(question.tool)
  const keys = oneLine(question.keys.join(', '))
  const announce = useAnnounce()
  const client = useQueryClient()
  const box = useRef<HTMLFieldSetElement>(null)
  const why = useId()
  const answering = useMutation({
    mutationFn: (answer: Answer) =>
      api.call('POST /api/approvals/:runId', { params: { runId }, body: { callId: question.callId, answer } }),
    // The run takes a moment to go on, and until then the server would still list the question.
    onSuccess: () =>
      client.setQueryData(approvalsQuery.queryKey, (now) =>
        now === undefined ? now : { open: now.open.filter((other) => other.question.callId !== question.callId) },
      ),
  })
  const done = answering.isPending || answering.isSuccess
  useEffect(() => {
    announce(approval.announced({ tool }))
    const writing = document.activeElement
    const busy = writing instanceof HTMLTextAreaElement && writing.value !== ''
    if (grabFocus && !busy) box.current?.focus()
  }, [announce, approval, grabFocus, tool])

  function press(event: KeyboardEvent) {
    const key = event.key.toLowerCase()
    if (done || event.ctrlKey || event.metaKey || event.altKey || (key !== 'y' && key !== 'n' && key !== 'a')) return
    event.preventDefault()
    answering.mutate(key)
  }
  return (
    <fieldset className="approval" ref={box} tabIndex={-1} onKeyDown={press} aria-describedby={why}>
      <legend className="visually-hidden">{approval.title({ tool })}</legend>
      <div className="row">
        <strong>{approval.title({ tool })}</strong>
        <RiskBadge risk={question.risk} />
        {question.reasons.map((reason) => (
          <Reason key={reason} reason={reason} />
        ))}
      </div>
      <p id={why}>
        <Shown text={question.message} />
      </p>
      <Preview text={question.preview} label={approval.preview} />
      {question.targets.length > 0 && (
        <p className="row small">
          <span className="muted">{approval.targets}</span>
          {question.targets.map(({ kind, value }) => (
            <Code key={`${kind} ${value}`} title={kind}>
              {value}
            </Code>
          ))}
        </p>
      )}
      <div className="row">
        <Button look="primary" onClick={() => answering.mutate('y')} disabled={done} aria-keyshortcuts="y">
          {approval.yes} <kbd>y</kbd>
        </Button>
        <Button look="danger" onClick={() => answering.mutate('n')} disabled={done} aria-keyshortcuts="n">
          {approval.no} <kbd>n</kbd>
        </Button>
        {question.keys.length > 0 && (
          <Button
            onClick={() => answering.mutate('a')}
            disabled={done}
            aria-keyshortcuts="a"
            title={approval.alwaysHint({ keys })}
          >
            {approval.always({ keys })} <kbd>a</kbd>
          </Button>
        )}
      </div>
      {answering.isError && <ErrorNote error={answering.error} />}
    </fieldset>
  )
}
