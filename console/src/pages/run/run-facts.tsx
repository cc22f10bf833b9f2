import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLanguage } from '../../i18n/texts.tsx'
import { formatCount, formatMs, formatShort } from '../../lib/format.ts'
import type { RunView } from '../../lib/wire.ts'
import { Named, StopBadge, Worded } from '../../parts/badge.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { CostText } from '../../parts/cost.tsx'
import { agentName } from '../../parts/outside-agent.tsx'
import { Prose } from '../../parts/prose.tsx'
import { Moment, Shown } from '../../parts/text.tsx'

export function RunFacts({ view }: { view: RunView }) {
  const { texts, lang } = useLanguage()
  const { run, runs } = texts
  const { run: summary, intent, trace, undone } = view
  const { total } = summary
  return (
    <div className="card stack">
      <dl className="facts">
        <Fact name={runs.stop}>
          <StopBadge reason={summary.stopReason} denials={total.denials} />
        </Fact>
        <Fact name={runs.mode}>
          <Worded code={summary.mode} />
        </Fact>
        <Proposer run={summary} />
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
        <Fact name={runs.denials}>{total.denials}</Fact>
        <Fact name={run.tokens}>
          <span
            title={`${formatCount(total.usage.inputTokens, lang)} / ${formatCount(total.usage.outputTokens, lang)}`}
          >
            {formatShort(total.usage.inputTokens, lang)} / {formatShort(total.usage.outputTokens, lang)}
          </span>
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
        <CopyButton text={summary.runId} what={run.id} />
        {summary.outside !== undefined && (
          <Link to="/runs" search={{ session: summary.sessionId }}>
            {run.outsideSession}
          </Link>
        )}
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
      <Undone undone={undone} />
      {trace.final_answer !== '' && (
        <details open>
          <summary className="small muted">{run.answer}</summary>
          <Prose text={trace.final_answer} />
          <CopyButton text={trace.final_answer} what={run.answer} />
        </details>
      )}
    </div>
  )
}

/** The model, or the outside agent and its folder. */
function Proposer({ run: { model, outside } }: { run: RunView['run'] }) {
  const { run, runs } = useLanguage().texts
  if (outside === undefined) {
    return (
      <Fact name={run.model}>
        <code>{model}</code>
      </Fact>
    )
  }
  return (
    <>
      <Fact name={runs.agent}>
        <Shown text={agentName(outside.agent)} />
      </Fact>
      <Fact name={run.folder}>
        <code>
          <Shown text={outside.cwd} />
        </code>
      </Fact>
    </>
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
