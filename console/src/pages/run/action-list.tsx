/** S2: the outcome of each action of a batch. */
import { useTexts } from '../../i18n/texts.tsx'
import type { StoredEvent } from '../../lib/wire.ts'
import { Named, RiskBadge, VerdictBadge, Worded } from '../../parts/badge.tsx'
import { Shown } from '../../parts/text.tsx'

export function isVerdictOnAction({ type }: StoredEvent): boolean {
  return type === 'action.authorized' || type === 'action.denied'
}

export function ActionList({ events }: { events: readonly StoredEvent[] }) {
  return (
    <ol className="stack">
      {events.map((event) => (
        <li key={event.seq} className="card stack decision">
          <ActionVerdict event={event} />
        </li>
      ))}
    </ol>
  )
}

function ActionVerdict({ event }: { event: StoredEvent }) {
  const { card } = useTexts()
  if (event.type !== 'action.authorized' && event.type !== 'action.denied') return null
  const { action, intent_id } = event.data
  const denial = event.type === 'action.denied' ? event.data.denial : undefined
  return (
    <>
      <div className="row">
        <VerdictBadge decision={denial === undefined ? 'allow' : 'deny'} />
        <code>
          <Shown text={action.action_type} />
        </code>
        {action.target !== null && (
          <code className="muted">
            <Shown text={action.target} />
          </code>
        )}
        <span className="small muted">
          {action.urgency} · {intent_id}
        </span>
        {event.type === 'action.denied' && <RiskBadge risk={event.data.risk} />}
      </div>
      {denial !== undefined && (
        <>
          <div className="row">
            {denial.all.map((reason) => (
              <Named key={reason} code={reason} tone="deny" />
            ))}
            <span className="small muted">
              {card.stage} <Worded code={denial.stage} />
            </span>
          </div>
          <p>
            <Shown text={denial.message} />
          </p>
        </>
      )}
    </>
  )
}
