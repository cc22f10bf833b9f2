import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLanguage } from '../../i18n/texts.tsx'
import { formatCount, formatMs } from '../../lib/format.ts'
import { approvalsQuery } from '../../lib/queries.ts'
import type { RunSummary } from '../../lib/wire.ts'
import { StopBadge, Worded } from '../../parts/badge.tsx'
import { CostText } from '../../parts/cost.tsx'
import { Table } from '../../parts/table.tsx'
import { Ago } from '../../parts/text.tsx'

export function RunTable({ runs }: { runs: readonly RunSummary[] }) {
  const { texts, lang } = useLanguage()
  const { runs: words } = texts
  const waiting = useQuery(approvalsQuery).data?.open.map(({ runId }) => runId) ?? []
  const right = (text: string) => <span className="th-right">{text}</span>
  return (
    <Table
      cards
      label={words.title}
      head={[
        words.task,
        words.mode,
        words.stop,
        right(words.calls),
        right(words.denials),
        right(words.tokens),
        right(words.cost),
        right(words.took),
        words.when,
      ]}
    >
      {runs.map((run) => (
        <tr key={run.runId}>
          <td className="run-task">
            <Link to="/runs/$runId" params={{ runId: run.runId }}>
              {run.task || run.runId}
            </Link>
          </td>
          <td data-label={words.mode}>
            <Worded code={run.mode} />
          </td>
          <td data-label={words.stop}>
            {waiting.includes(run.runId) ? (
              <span className="badge ask">{texts.chat.waiting}</span>
            ) : (
              <StopBadge reason={run.stopReason} denials={run.denials} />
            )}
          </td>
          <td className="right" data-label={words.calls}>
            {run.toolCalls}
          </td>
          <td className="right" data-label={words.denials}>
            {run.denials > 0 ? <span className="badge deny">{run.denials}</span> : 0}
          </td>
          <td className="right" data-label={words.tokens}>
            {formatCount(run.total.usage.inputTokens + run.total.usage.outputTokens, lang)}
          </td>
          <td className="right" data-label={words.cost}>
            <CostText usd={run.total.cost} />
          </td>
          <td className="right" data-label={words.took}>
            {run.stoppedAt === undefined ? '–' : formatMs(run.stoppedAt - run.startedAt)}
          </td>
          <td className="nowrap" data-label={words.when}>
            <Ago at={run.startedAt} />
          </td>
        </tr>
      ))}
    </Table>
  )
}
