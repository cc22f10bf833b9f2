/** S3 §10: each step with tool, shortened arguments, observation and elapsed time, between the model calls around it. */
import { useEffect, useRef, useState } from 'react'
import { useLanguage, useTexts } from '../../i18n/texts.tsx'
import { formatMs } from '../../lib/format.ts'
import { type Group, grouped, type Scale, scaleOf, sharesOf, type Timeline, timelineOf } from '../../lib/timeline.ts'
import { useNow } from '../../lib/use-now.ts'
import type { RunView, StoredEvent } from '../../lib/wire.ts'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { Shown } from '../../parts/text.tsx'
import { EarlierButton } from './earlier-button.tsx'
import { CallCells, ModelCells, WaitCells } from './timeline-rows.tsx'
import type { Earlier } from './use-journal.ts'
import './timeline.css'

interface Props {
  view: RunView
  journal: Earlier & { events: readonly StoredEvent[] }
  running: boolean
  /** The call named in the address. */
  step: number | undefined
}

/** More rows are shown on request: a browser cannot lay out thousands of table cells quickly. */
const PAGE = 300

export function TimelineView({ view, journal, running, step }: Props) {
  const { run: texts } = useTexts()
  const now = useNow(running)
  const [shown, setShown] = useState(PAGE)
  const timeline = timelineOf(journal.events, { running, now, known: numberIn(view) })
  const scale = scaleOf(timeline)
  const groups = grouped(timeline.rows)
  const named = groups.findIndex((group) => holds(group, step))
  const { earlier, busy, error, load } = journal
  useEffect(() => {
    if (step !== undefined && named < 0 && earlier && !busy && error === null) load()
  }, [step, named, earlier, busy, error, load])
  if (groups.length === 0 && !earlier) return <Empty title={texts.noCalls}>{<p>{texts.noCallsHint}</p>}</Empty>
  const visible = groups.slice(named < 0 ? -shown : Math.min(named, groups.length - shown))
  const hidden = groups.length - visible.length
  return (
    <>
      <SharesLine timeline={timeline} />
      {hidden > 0 ? (
        <EarlierButton earlier busy={false} error={error} load={() => setShown(shown + PAGE)} />
      ) : (
        <EarlierButton {...journal} />
      )}
      <Table
        cards
        label={texts.timeline}
        head={[
          texts.step,
          texts.tool,
          texts.args,
          texts.observation,
          <span key="tokens" className="th-right">
            {texts.tokenColumn}
          </span>,
          texts.elapsed,
        ]}
      >
        {visible.map((group) => (
          <RowView key={group.row.key} group={group} scale={scale} end={timeline.end} named={holds(group, step)} />
        ))}
      </Table>
      {(view.trace.context ?? []).map((cut, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a trace only grows at its end
        <ContextNote key={i} cut={cut} />
      ))}
    </>
  )
}

/** The number of one call, by the event of its result: earlier events may not be loaded. */
function numberIn({ trace, results }: RunView): { seq: number; step: number } | undefined {
  const [seq] = results
  const [first] = trace.trace
  return seq === undefined || first === undefined ? undefined : { seq, step: first.step }
}

function holds({ rows }: Group, step: number | undefined): boolean {
  return step !== undefined && rows.some((row) => row.kind === 'call' && row.step === step)
}

interface RowProps {
  group: Group
  scale: Scale
  end: number
  named: boolean
}

function RowView({ group, scale, end, named }: RowProps) {
  const ref = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (named) ref.current?.scrollIntoView({ block: 'center' })
  }, [named])
  const { row, rows } = group
  const bar = <Bar group={group} scale={scale} end={end} />
  return (
    <tr ref={ref} className={`trace-row ${row.kind}`} aria-current={named ? 'step' : undefined}>
      {row.kind === 'model' && <ModelCells row={row} bar={bar} />}
      {row.kind === 'wait' && <WaitCells row={row} end={end} bar={bar} />}
      {row.kind === 'call' && <CallCells row={row} rows={rows} bar={bar} />}
    </tr>
  )
}

/** Its place in the time of the run. */
function Bar({ group: { row, rows }, scale, end }: Omit<RowProps, 'named'>) {
  const from = scale.at(row.at)
  const to = scale.at(rows.at(-1)?.end ?? end)
  return (
    <span className="waterfall" aria-hidden="true">
      <i className={row.kind} style={{ left: `${from * 100}%`, width: `max(2px, ${(to - from) * 100}%)` }} />
    </span>
  )
}

const KINDS = ['model', 'tools', 'waiting', 'rest'] as const

/** Where the time of the run went. */
function SharesLine({ timeline }: { timeline: Timeline }) {
  const { run: texts } = useTexts()
  const shares = sharesOf(timeline)
  return (
    <ul className="shares row small muted" aria-label={texts.sharesLabel}>
      {KINDS.filter((kind) => shares[kind] > 0).map((kind) => (
        <li key={kind} className="row">
          <i className={`swatch ${kind}`} />
          {texts.shares[kind]} <span className="num">{formatMs(shares[kind])}</span>
        </li>
      ))}
    </ul>
  )
}

/** How the prompt was made to fit; a summary can be opened. */
function ContextNote({ cut }: { cut: NonNullable<RunView['trace']['context']>[number] }) {
  const { run: texts } = useLanguage().texts
  const line = texts.context[cut.kind]({ after: cut.after, from: cut.tokens.from ?? 0, to: cut.tokens.to })
  if (cut.text === undefined || cut.text === '') return <p className="muted small">{line}</p>
  return (
    <details className="small">
      <summary>{line}</summary>
      <div className="observed long">
        <Shown text={cut.text} />
      </div>
    </details>
  )
}
