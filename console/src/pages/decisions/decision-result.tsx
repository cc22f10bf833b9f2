import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import type { DecisionView } from '../../lib/wire.ts'
import { Named, RiskBadge, VerdictBadge } from '../../parts/badge.tsx'

export function DecisionResult({ decision }: { decision: DecisionView }) {
  const { decisions: texts } = useTexts()
  const { authorized, denied, suggestions, denial_counts } = decision
  return (
    <>
      <p className="row">
        <Named code={decision.route} />
        <span className="small muted">
          {texts.window} <code>{decision.window_id}</code> · {texts.model} <code>{decision.model}</code>
          {decision.latency_us > 0 && <> · {(decision.latency_us / 1000).toFixed(1)} ms</>}
          {decision.rationale_tags.length > 0 && <> · {decision.rationale_tags.join(', ')}</>}
        </span>
        <Link to="/runs/$runId" params={{ runId: decision.run_id }}>
          {texts.openRun}
        </Link>
        {Object.entries(denial_counts).map(([reason, count]) => (
          <span key={reason} className="row small">
            <Named code={reason} tone="deny" /> ×{count}
          </span>
        ))}
      </p>
      {decision.error !== null && <p role="alert">{decision.error}</p>}
      <Group title={texts.authorized} none={texts.noneAuthorized}>
        {authorized.map(({ intent_id, action }) => (
          <li key={`${intent_id} ${action.action_type} ${action.target}`} className="row">
            <VerdictBadge decision="allow" />
            <Action id={intent_id} action={action} />
          </li>
        ))}
      </Group>
      <Group title={texts.denied} none={texts.noneDenied}>
        {denied.map(({ intent_id, action_index, action, all }) => (
          <li key={`${intent_id} ${action_index}`} className="row">
            <VerdictBadge decision="deny" />
            <Action id={intent_id} action={action} />
            {all.map((reason) => (
              <Named key={reason} code={reason} tone="deny" />
            ))}
          </li>
        ))}
      </Group>
      <Group title={texts.suggestions} none={texts.noneSuggested}>
        {suggestions.map(({ intent_id, action_index, action, risk_level, confidence }) => (
          <li key={`${intent_id} ${action_index}`} className="row">
            <RiskBadge risk={risk_level} />
            <Action id={intent_id} action={action} />
            <span className="small muted num">{confidence}</span>
          </li>
        ))}
      </Group>
    </>
  )
}

function Group({ title, none, children }: { title: string; none: string; children: ReactNode[] }) {
  return (
    <section className="card">
      <header>
        <h3>{title}</h3>
        <span className="badge num">{children.length}</span>
      </header>
      {children.length === 0 ? <p className="muted small">{none}</p> : <ul className="stack">{children}</ul>}
    </section>
  )
}

function Action({ id, action }: { id: string; action: DecisionView['authorized'][number]['action'] }) {
  return (
    <span>
      <code>{action.action_type}</code> {action.target !== null && <code className="muted">{action.target}</code>}{' '}
      <span className="small muted">
        {action.urgency} · {id}
      </span>
    </span>
  )
}
