/** The cells of a row of the timeline. */
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { whyText } from '../../../../runtime/src/i18n/why.ts'
import { useLanguage, useTexts } from '../../i18n/texts.tsx'
import { formatCount, formatMs, formatShort, pretty, summarise } from '../../lib/format.ts'
import { findingsOf } from '../../lib/lanes.ts'
import { useInfo } from '../../lib/queries.ts'
import { type CallRow, isStep, type ModelRow, ranMs, type WaitRow } from '../../lib/timeline.ts'
import { Named, type Tone, VerdictBadge, Worded } from '../../parts/badge.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { FindingView } from '../../parts/finding.tsx'
import { Icon } from '../../parts/icon.tsx'
import { findingsIn, Highlighted, Shown } from '../../parts/text.tsx'

export function ModelCells({ row, bar }: { row: ModelRow; bar: ReactNode }) {
  const { texts, lang } = useLanguage()
  const { run } = texts
  const { model, purpose, attempt, ms, usage, text, calls, malformed, failed } = row
  return (
    <>
      <td className="num muted">
        <Icon name="agent" />
      </td>
      <td colSpan={2} className="trace-model">
        <span className="mono small">
          <Shown text={model} />
        </span>
        {!isStep(row) && <span className="badge">{run.purposes[purpose as keyof typeof run.purposes] ?? purpose}</span>}
        {attempt > 1 && <span className="badge ask">{run.attempt({ attempt })}</span>}
      </td>
      <td className="trace-seen small">
        {failed !== undefined && <span className="wrong">{whyText(failed, lang)}</span>}
        {malformed !== undefined && <span className="wrong">{run.malformed({ why: malformed })}</span>}
        {text !== '' && <Observed text={text} flag={undefined} />}
        {calls > 0 && <span className="muted trace-proposes">{run.proposes({ calls })}</span>}
      </td>
      <td className="right" data-label={run.tokenColumn}>
        {usage === undefined ? (
          '–'
        ) : (
          <span title={`${formatCount(usage.inputTokens, lang)} / ${formatCount(usage.outputTokens, lang)}`}>
            {formatShort(usage.inputTokens, lang)} / {formatShort(usage.outputTokens, lang)}
            {usage.cachedInputTokens !== undefined && usage.cachedInputTokens > 0 && (
              <span className="muted small trace-cached">
                {run.cachedTokens({ cached: formatShort(usage.cachedInputTokens, lang) })}
              </span>
            )}
          </span>
        )}
      </td>
      <Elapsed ms={ms} bar={bar} />
    </>
  )
}

export function WaitCells({ row, end, bar }: { row: WaitRow; end: number; bar: ReactNode }) {
  const { run, card } = useTexts()
  const { tool, answer, by } = row
  return (
    <>
      <td className="num muted">
        <Icon name="approvals" />
      </td>
      <td colSpan={3} className="small">
        {run.asked({ tool })}{' '}
        {answer === 'edit' ? (
          <>
            {card.edited} <span className="muted">{by}</span>
          </>
        ) : (
          answer !== undefined && (
            <>
              {card.answer}: <Worded code={answer} /> <span className="muted">{by}</span>
            </>
          )
        )}
      </td>
      <td />
      <Elapsed ms={(row.end ?? end) - row.at} bar={bar} />
    </>
  )
}

const TONES: Readonly<Partial<Record<CallRow['state'], Tone>>> = { denied: 'deny', failed: 'deny', unknown: 'ask' }

export function CallCells({ row, rows, bar }: { row: CallRow; rows: readonly unknown[]; bar: ReactNode }) {
  const { run: texts } = useTexts()
  const { tool, args, step, decision, state, flag, observation } = row
  const found = useInfo()?.dispatchTool === tool ? findingsOf(observation?.text) : []
  const code = observation?.code
  const last = step + rows.length - 1
  return (
    <>
      <td className="num" data-label={texts.step}>
        {step > 0 && (
          <Link to="." search={(now) => ({ ...now, step })} className="trace-step" title={texts.linkStep}>
            {rows.length > 1 ? `${step}–${last}` : step}
          </Link>
        )}
      </td>
      <td data-label={texts.tool}>
        <span className="row trace-tool">
          <code>
            <Shown text={tool} />
          </code>
          {rows.length > 1 && <span className="badge num">×{rows.length}</span>}
          {row.subAgent !== undefined && (
            <span className="badge" title={row.subAgent.id}>
              {texts.subAgent} <Shown text={row.subAgent.type ?? ''} />
            </span>
          )}
          {decision !== undefined && decision !== 'allow' && <VerdictBadge decision={decision} />}
        </span>
      </td>
      <td className="trace-args" data-label={texts.args}>
        <details>
          <summary className="mono small">{summarise(args, 90)}</summary>
          <pre className="mono small">
            <Shown text={pretty(args)} />
          </pre>
          <CopyButton text={pretty(args)} what={texts.args} />
        </details>
      </td>
      <td className="trace-seen">
        <div className="stack tight">
          {code !== undefined ? (
            <Named code={code} tone={TONES[state] ?? 'deny'} />
          ) : (
            (state === 'running' || state === 'unknown') && (
              <span className={`badge ${state === 'running' ? 'accent' : 'ask'}`}>{texts.states[state]}</span>
            )
          )}
          {flag !== undefined && <FlagNote flag={flag} />}
          {row.shadow !== undefined && (
            <p className="row small">
              {texts.shadow} <VerdictBadge decision={row.shadow.decision} />
            </p>
          )}
          {found.length > 0
            ? found.map((finding) => <FindingView key={finding.summary} finding={finding} />)
            : observation !== undefined && <Observed text={observation.text} flag={flag} />}
        </div>
      </td>
      <td className="right muted">–</td>
      <Elapsed ms={observation === undefined ? undefined : ranMs(row) * rows.length} bar={bar} />
    </>
  )
}

function Elapsed({ ms, bar }: { ms: number | undefined; bar: ReactNode }) {
  const { run: texts } = useTexts()
  return (
    <td className="num nowrap trace-time" data-label={texts.elapsed}>
      {ms === undefined ? '–' : formatMs(ms)}
      {bar}
    </td>
  )
}

type Flag = NonNullable<CallRow['flag']>

function FlagNote({ flag }: { flag: Flag }) {
  const { card } = useTexts()
  return (
    <p className="row small">
      <Named code={flag.verdict} tone={flag.verdict === 'Block' ? 'deny' : 'ask'} />
      {card.flagged} {flag.findings.map(({ rule, at }) => `${rule} @${at}`).join(', ')}
    </p>
  )
}

const SHORT = 240

function Observed({ text, flag }: { text: string; flag: Flag | undefined }) {
  const { common, card } = useTexts()
  const findings = findingsIn(flag)
  const [open, setOpen] = useState(findings.length > 0)
  if (text.length <= SHORT) {
    return (
      <span className="observed">
        <Highlighted text={text} findings={findings} />
      </span>
    )
  }
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="observed">
        <Shown text={text.slice(0, SHORT)} />…{' '}
        <span className="muted small">{common.characters({ count: text.length })}</span>
      </summary>
      {open && (
        <>
          <div className="observed long">
            <Highlighted text={text} findings={findings} />
          </div>
          <CopyButton text={text} what={card.result} />
        </>
      )}
    </details>
  )
}
