/** An approval: exactly what would run, why it needs approval, and the answers. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { approvalWords } from '../../../runtime/src/i18n/approval-words.ts'
import { reviewWords } from '../../../runtime/src/i18n/review-words.ts'
import { hostOf } from '../../../runtime/src/protocol/preview.ts'
import { oneLine } from '../../../runtime/src/protocol/visible-text.ts'
import { useLanguage, useTexts } from '../i18n/texts.tsx'
import { api } from '../lib/api.ts'
import { approvalsQuery, useInfo } from '../lib/queries.ts'
import type { Question, Reply } from '../lib/wire.ts'
import { useAnnounce } from './announcer.tsx'
import { ApprovalMore } from './approval-more.tsx'
import { Code, Named, RiskBadge } from './badge.tsx'
import { Button } from './button.tsx'
import { ErrorNote } from './states.tsx'
import { Preview, Shown } from './text.tsx'
import './approval.css'

type Answer = Reply['answer']

interface Props {
  runId: string
  question: Question
  /** The number of the question in its run. */
  asked?: number | undefined
  /** Takes the focus when it appears, unless the user is typing. */
  grabFocus?: boolean
}

/** A changed question is another one: nothing of the answer to the one before may stay. */
export function Approval(props: Props) {
  const { question, asked } = props
  return <OneApproval key={`${asked} ${question.callId} ${question.preview}`} {...props} />
}

function OneApproval({ runId, question, asked, grabFocus = false }: Props) {
  const { texts, lang } = useLanguage()
  const { approval } = texts
  const tool = oneLine(question.tool)
  const keys = question.keys.map((key) => approvalWords(oneLine(key), lang)).join(', ')
  // While it is not known, the server decides.
  const mayAnswer = useInfo()?.scopes.includes('approve') ?? true
  const announce = useAnnounce()
  const client = useQueryClient()
  const box = useRef<HTMLFieldSetElement>(null)
  const why = useId()
  const answering = useMutation({
    mutationFn: (reply: Reply) =>
      api.call('POST /api/approvals/:runId', { params: { runId }, body: { callId: question.callId, asked, ...reply } }),
    // Until the run has resumed, the server would still list the question.
    onSuccess: () =>
      client.setQueryData(approvalsQuery.queryKey, (now) =>
        now === undefined ? now : { open: now.open.filter((other) => other.question.callId !== question.callId) },
      ),
  })
  const done = !mayAnswer || answering.isPending || answering.isSuccess
  const [isWhole, setWhole] = useState(false)
  const [isCut, setCut] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const lines = question.preview.split('\n').length
  useEffect(() => {
    const section = body.current?.querySelector('section')
    if (section === null || section === undefined) return
    const watch = new ResizeObserver(() => setCut(section.scrollHeight > section.clientHeight + 1))
    watch.observe(section)
    return () => watch.disconnect()
  }, [])

  /** A yes only counts when everything was visible: the first one expands the text. */
  function reply(given: Reply) {
    const approves = given.answer !== 'n' && given.edit === undefined
    if (approves && isCut && !isWhole) setWhole(true)
    else answering.mutate(given)
  }
  const answer = (given: Answer) => reply({ answer: given })

  useEffect(() => {
    announce(approval.announced({ tool }))
    const writing = document.activeElement
    const busy = writing instanceof HTMLTextAreaElement && writing.value !== ''
    if (grabFocus && !busy) box.current?.focus()
  }, [announce, approval, grabFocus, tool])

  function press(event: KeyboardEvent) {
    const key = event.key.toLowerCase()
    // Letters typed in a field are not answers.
    if (event.target instanceof Element && event.target.matches('input, textarea, select')) return
    if (done || event.ctrlKey || event.metaKey || event.altKey || (key !== 'y' && key !== 'n' && key !== 'a')) return
    event.preventDefault()
    answer(key)
  }
  return (
    <fieldset className="approval" ref={box} tabIndex={-1} onKeyDown={press} aria-describedby={why}>
      <legend className="visually-hidden">{approval.title({ tool })}</legend>
      <div className="row">
        <strong>{approval.title({ tool })}</strong>
        {question.edited === true && <span className="badge">{approval.edited}</span>}
        <RiskBadge risk={question.risk} />
        {question.reasons.map((reason) => (
          <Named key={reason} code={reason} />
        ))}
      </div>
      <Why id={why} question={question} />
      <div ref={body} className={isWhole ? 'whole' : undefined}>
        <Preview text={question.preview} label={approval.preview} />
      </div>
      {isCut && !isWhole && (
        <p className="row small">
          <strong>{approval.cut({ lines })}</strong>
          <Button onClick={() => setWhole(true)}>{approval.showAll}</Button>
        </p>
      )}
      {question.targets.length > 0 && <Targets targets={question.targets} />}
      <div className="row">
        <Button look="primary" onClick={() => answer('y')} disabled={done} aria-keyshortcuts="y">
          {approval.yes} <kbd>y</kbd>
        </Button>
        <Button look="danger" onClick={() => answer('n')} disabled={done} aria-keyshortcuts="n">
          {approval.no} <kbd>n</kbd>
        </Button>
        {question.keys.length > 0 && (
          <Button onClick={() => answer('a')} disabled={done} aria-keyshortcuts="a" title={approval.alwaysHint}>
            {approval.always({ keys })} <kbd>a</kbd>
          </Button>
        )}
      </div>
      <ApprovalMore question={question} done={done} onReply={reply} />
      {!mayAnswer && <p className="small">{approval.noScope}</p>}
      {answering.isError && <ErrorNote error={answering.error} />}
    </fieldset>
  )
}

function Why({ id, question: { message, review } }: { id: string; question: Question }) {
  const { lang } = useLanguage()
  return (
    <>
      <p id={id}>
        <Shown text={message} />
      </p>
      {review !== undefined && <p className="small">{reviewWords(review, lang)}</p>}
    </>
  )
}

function Targets({ targets }: { targets: Question['targets'] }) {
  const { approval } = useTexts()
  const hosts = [...new Set(targets.flatMap(({ value }) => hostOf(value) ?? []))]
  return (
    <p className="row small">
      <span className="muted">{approval.targets}</span>
      {targets.map(({ kind, value }) => (
        <Code key={`${kind} ${value}`} title={kind}>
          {value}
        </Code>
      ))}
      {hosts.length > 0 && <span className="muted">{approval.hosts}</span>}
      {hosts.map((host) => (
        <Code key={host}>{host}</Code>
      ))}
    </p>
  )
}
