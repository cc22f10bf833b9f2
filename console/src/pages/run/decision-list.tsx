/** Every judged call with its verdicts: stage, rule and objections. */
import { offerWords } from '../../../../runtime/src/i18n/offer-words.ts'
import { reviewWords } from '../../../../runtime/src/i18n/review-words.ts'
import { oneLine } from '../../../../runtime/src/protocol/visible-text.ts'
import { useLanguage, useTexts } from '../../i18n/texts.tsx'
import { pretty, summarise } from '../../lib/format.ts'
import type { EventOf, StoredEvent } from '../../lib/wire.ts'
import { Named, RiskBadge, VerdictBadge, Worded } from '../../parts/badge.tsx'
import { Empty } from '../../parts/states.tsx'
import { Moment, Preview } from '../../parts/text.tsx'
import { ActionList, isVerdictOnAction } from './action-list.tsx'

export function DecisionList({ events }: { events: readonly StoredEvent[] }) {
  const { run: texts } = useTexts()
  const calls = [...Map.groupBy(events.filter(isDecision), (event) => event.data.callId).values()]
  const answers = new Map(
    events.flatMap((event) => (event.type === 'confirm.answered' ? [[event.data.callId, event.data] as const] : [])),
  )
  const edits = new Map(
    events.flatMap((event) => (event.type === 'confirm.edited' ? [[event.data.callId, event.data] as const] : [])),
  )
  const reviews = new Map(
    events.flatMap((event) => (event.type === 'call.reviewed' ? [[event.data.callId, event.data] as const] : [])),
  )
  const actions = events.filter(isVerdictOnAction)
  if (actions.length > 0) return <ActionList events={actions} />
  if (calls.length === 0) return <Empty title={texts.noDecisions} />
  return (
    <ol className="stack">
      {calls.map((decided) => {
        const last = decided.at(-1)
        // For a call that was approved, the first verdict has the reasons.
        const event = last?.data.decision === 'allow' ? firstOf(decided) : last
        return (
          event !== undefined && (
            <li key={event.seq} className="card stack decision">
              <Verdict
                event={event}
                first={decided[0]?.data}
                decisions={[...new Set(decided.map(({ data }) => data.decision))]}
                answer={answers.get(event.data.callId)}
                review={reviews.get(event.data.callId)}
                edit={edits.get(event.data.callId)}
              />
            </li>
          )
        )
      })}
    </ol>
  )
}

type Decided = Extract<StoredEvent, { type: 'gate.decided' }>

/** The first verdict on the call as it ran: an edit makes another call of it. */
function firstOf(decided: readonly Decided[]): Decided | undefined {
  const hash = decided.at(-1)?.data.argsHash
  return decided.find(({ data }) => data.argsHash === hash)
}

/** Groups verdicts by call: a call is judged again after an answer and after a resume. */
export function isDecision(event: StoredEvent): event is Extract<StoredEvent, { type: 'gate.decided' }> {
  return event.type === 'gate.decided'
}

interface Props {
  event: EventOf<'gate.decided'>
  /** Only the first verdict names the rule and the shadow policy's decision. */
  first: EventOf<'gate.decided'>['data'] | undefined
  /** In order, without duplicates. */
  decisions: readonly EventOf<'gate.decided'>['data']['decision'][]
  answer: EventOf<'confirm.answered'>['data'] | undefined
  review: EventOf<'call.reviewed'>['data'] | undefined
  edit: EventOf<'confirm.edited'>['data'] | undefined
}

function Verdict({ event, first, decisions, answer, review, edit }: Props) {
  const { run: texts, card } = useTexts()
  const { lang } = useLanguage()
  const { tool, args, decision, all, stage, effect, message, hint, code, facts, route } = event.data
  return (
    <>
      <div className="row">
        {decisions.map((each) => (
          <VerdictBadge key={each} decision={each} />
        ))}
        <code>{tool}</code>
        <span className="mono small muted clip grow">{summarise(args)}</span>
        <span className="small muted">
          <Moment at={event.timestamp} />
        </span>
      </div>
      {all.length > 0 && (
        <div className="row">
          {all.map((reason) => (
            <Named key={reason} code={reason} tone={decision} />
          ))}
          {code !== undefined && <Named code={code} tone={decision} />}
          {stage !== undefined && (
            <span className="small muted">
              {card.stage} <Worded code={stage} />
            </span>
          )}
          {effect !== undefined && decision === 'deny' && (
            <span className="small muted">
              {card.effect} <Worded code={effect} />
            </span>
          )}
        </div>
      )}
      {message !== undefined && message !== '' && <p>{message}</p>}
      {hint !== undefined && <p className="muted small">{hint}</p>}
      {first?.rule !== undefined && (
        <p className="small muted">
          {texts.rule} <Named code={first.rule.decide} tone={first.rule.decide} /> <Worded code={first.rule.layer} /> ·{' '}
          {first.rule.from}
        </p>
      )}
      {first?.shadow !== undefined && (
        <p className="row small">
          {texts.shadow} <VerdictBadge decision={first.shadow.decision} />
          <span className="muted">{first.shadow.rule?.from ?? first.shadow.reason}</span>
        </p>
      )}
      {review !== undefined && <p className="small muted">{reviewWords(review, lang)}</p>}
      <div className="row small">
        <RiskBadge risk={facts.risk} />
        <span className="muted">
          <Worded code={facts.family} /> · <Worded code={route} />
        </span>
        {answer !== undefined && (
          <span>
            {card.answer} <Worded code={answer.answer} /> <span className="muted">{answer.by}</span>
            {answer.reason !== undefined && <> · {oneLine(answer.reason)}</>}
            {answer.remembered !== undefined && <> · {oneLine(offerWords(answer.remembered, lang))}</>}
          </span>
        )}
        {edit !== undefined && (
          <span>
            {card.edited} <span className="muted">{edit.by}</span>
          </span>
        )}
      </div>
      <details>
        <summary className="small muted">{texts.facts}</summary>
        <Preview text={pretty({ args, ...(edit && { before: edit.before }), facts })} label={texts.facts} />
      </details>
    </>
  )
}
