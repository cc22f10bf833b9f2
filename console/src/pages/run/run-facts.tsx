import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLanguage } from '../../i18n/texts.tsx'
import { formatCount, formatMs } from '../../lib/format.ts'
import type { RunView } from '../../lib/wire.ts'
import { Named, StopBadge, Worded } from '../../parts/badge.tsx'
import { CostText } from '../../parts/cost.tsx'
import { Prose } from '../../parts/prose.tsx'
import { Moment } from '../../parts/text.tsx'

export function RunFacts({ view }: { view: RunView }) {
  const { texts, lang } = useLanguage()
  const { run, runs } = texts
  const { run: summary, intent, scouts, children, trace, undone } = view
  const { total } = summary
  const scoutRuns = scouts.map((scout) => scout.runId)
  const others = children.filter((child) => !scoutRuns.includes(child))
  return (
    <div className="card stack">
      <dl className="facts">
        <Fact name={runs.stop}>
          <StopBadge reason={summary.stopReason} denials={summary.denials} />
        </Fact>
        <Fact name={runs.mode}>
          <Worded code={summary.mode} />
        </Fact>
        <Fact name={run.model}>
          <code>{summary.model}</code>
        </Fact>
        {intent !== undefined && (
          <Fact name={run.intent}>
            <Named code={intent.label} />{' '}
            <span className="muted small">
              {intent.confidence} · <Worded code={intent.source} />
            </span>
          </Fact>
        )}
        <Fact name={run.started}>
          <Moment at={summary.startedAt} />
        </Fact>
        <Fact name={runs.took}>
          {summary.stoppedAt === undefined ? '–' : formatMs(summary.stoppedAt - summary.startedAt)}
        </Fact>
        <Fact name={run.steps}>{summary.steps}</Fact>
        <Fact name={runs.calls}>{summary.toolCalls}</Fact>
        <Fact name={runs.denials}>{summary.denials}</Fact>
        <Fact name={run.tokens}>
          {formatCount(total.usage.inputTokens, lang)} / {formatCount(total.usage.outputTokens, lang)}
          {total.usage.cachedInputTokens !== undefined && (
            <span className="muted small">
              {' '}
              {run.cachedTokens({ cached: formatCount(total.usage.cachedInputTokens, lang) })}
            </span>
          )}
          {total.children > 0 && (
            <span className="muted small">
              {' '}
              {run.ownTokens({
                input: formatCount(summary.usage.inputTokens, lang),
                output: formatCount(summary.usage.outputTokens, lang),
                children: total.children,
              })}
            </span>
          )}
        </Fact>
        <Fact name={runs.cost}>
          <CostText usd={total.cost} />
        </Fact>
      </dl>
      <p className="row small">
        <span className="muted mono">{summary.runId}</span>
        {summary.mode === 'chat' && (
          <Link to="/chat/$sessionId" params={{ sessionId: summary.sessionId }}>
            {run.session}
          </Link>
        )}
        {summary.parentRunId !== undefined && (
          <Link to="/runs/$runId" params={{ runId: summary.parentRunId }}>
            {run.parent}
          </Link>
        )}
      </p>
      {(scouts.length > 0 || others.length > 0) && (
        <ul className="row">
          {scouts.map((scout) => (
            <li key={scout.scoutId}>
              <Link className="badge accent" to="/runs/$runId" params={{ runId: scout.runId }} title={scout.task}>
                {run.scout} · {scout.state}
              </Link>
            </li>
          ))}
          {others.map((child) => (
            <li key={child}>
              <Link className="badge accent" to="/runs/$runId" params={{ runId: child }}>
                {run.child} <span className="mono">{child}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Undone undone={undone} />
      {trace.final_answer !== '' && (
        <details open>
          <summary className="small muted">{run.answer}</summary>
          <Prose text={trace.final_answer} />
        </details>
      )}
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Undone({ undone }: Pick<RunView, 'undone'>) {
  const { run } = useLanguage().texts
  return undone.map(({ by, at, files }) => (
    <p key={at} className="small muted">
      {run.undone({ by, files })}
    </p>
  ))
}
