/** Runs as a table. A run with child runs can be opened: they are rows of the same table, below it. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLanguage } from '../../i18n/texts.tsx'
import { formatCount, formatMs, formatShort } from '../../lib/format.ts'
import { approvalsQuery } from '../../lib/queries.ts'
import { childrenQuery } from '../../lib/runs.ts'
import type { RunSummary } from '../../lib/wire.ts'
import { StopBadge, Worded } from '../../parts/badge.tsx'
import { CostText } from '../../parts/cost.tsx'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { OutsideAgent } from '../../parts/outside-agent.tsx'
import { RunName, useRunTitle } from '../../parts/run-name.tsx'
import { Table } from '../../parts/table.tsx'
import { Ago } from '../../parts/text.tsx'
import './runs.css'

const ICONS: Readonly<Record<string, IconName>> = {
  chat: 'chat',
  workflow: 'workflows',
  routine: 'routines',
  scout: 'scout',
  decision: 'decisions',
  guard: 'agent',
}
const COLUMNS = 7

export function RunTable({ runs }: { runs: readonly RunSummary[] }) {
  const { runs: words } = useLanguage().texts
  const right = (text: string) => <span className="th-right">{text}</span>
  return (
    <Table
      cards
      label={words.title}
      head={[
        words.task,
        words.stop,
        right(words.calls),
        right(words.tokens),
        right(words.cost),
        right(words.took),
        words.when,
      ]}
    >
      {runs.map((run) => (
        <RunRows key={run.runId} run={run} depth={0} />
      ))}
    </Table>
  )
}

/** Deeper nesting than workflow, node, agent and scout does not exist. */
const DEEPEST = 6

function RunRows({ run, depth }: { run: RunSummary; depth: number }) {
  const [open, setOpen] = useState(false)
  const isParent = run.total.children > 0 && depth < DEEPEST
  return (
    <>
      <RunRow run={run} depth={depth} open={open} {...(isParent && { onToggle: () => setOpen(!open) })} />
      {isParent && open && <Children run={run} depth={depth + 1} />}
    </>
  )
}

function Children({ run, depth }: { run: RunSummary; depth: number }) {
  const { common } = useLanguage().texts
  const { data } = useQuery(childrenQuery(run.runId, run.stopReason === undefined))
  if (data === undefined) {
    return (
      <tr>
        <td colSpan={COLUMNS} className="muted small">
          {common.loading}…
        </td>
      </tr>
    )
  }
  return data.map((child) => <RunRows key={child.runId} run={child} depth={depth} />)
}

interface RowProps {
  run: RunSummary
  depth: number
  open: boolean
  onToggle?: () => void
}

function RunRow({ run, depth, open, onToggle }: RowProps) {
  const { texts, lang } = useLanguage()
  const { runs: words } = texts
  const title = useRunTitle(run)
  const waiting = useQuery(approvalsQuery).data?.open.some(({ runId }) => runId === run.runId)
  const { total } = run
  const tokens = total.usage.inputTokens + total.usage.outputTokens
  return (
    <tr data-depth={depth}>
      <td className="run-task">
        <div className="run-cell">
          {Array.from({ length: depth }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps of an indent have no other name
            <i key={i} className="run-indent" />
          ))}
          {onToggle === undefined ? (
            <span className="run-fold" />
          ) : (
            <button
              type="button"
              className="run-fold"
              aria-expanded={open}
              aria-label={words.children({ task: title, count: total.children })}
              title={words.children({ task: title, count: total.children })}
              onClick={onToggle}
            >
              <Icon name="chevron" className={open ? 'turned' : ''} />
            </button>
          )}
          <span className="run-name">
            <Link to="/runs/$runId" params={{ runId: run.runId }}>
              <RunName run={run} />
            </Link>
            <span className="small muted run-kind">
              <Icon name={ICONS[run.mode] ?? 'runs'} />{' '}
              {run.outside === undefined ? <Worded code={run.mode} /> : <OutsideAgent outside={run.outside} />}
              {total.children > 0 && ` · ${words.below({ count: total.children })}`}
            </span>
          </span>
        </div>
      </td>
      <td data-label={words.stop}>
        {waiting ? (
          <span className="badge ask">{texts.chat.waiting}</span>
        ) : (
          <StopBadge reason={run.stopReason} denials={total.denials} />
        )}
      </td>
      <td className="right" data-label={words.calls}>
        {formatShort(run.toolCalls, lang)}
      </td>
      <td className="right" data-label={words.tokens} title={formatCount(tokens, lang)}>
        {formatShort(tokens, lang)}
      </td>
      <td className="right" data-label={words.cost}>
        <CostText usd={total.cost} />
      </td>
      <td className="right" data-label={words.took}>
        {run.stoppedAt === undefined ? '–' : formatMs(run.stoppedAt - run.startedAt)}
      </td>
      <td className="nowrap" data-label={words.when}>
        <Ago at={run.startedAt} />
      </td>
    </tr>
  )
}
