import { useLanguage } from '../../i18n/texts.tsx'
import { formatCount, formatMs, formatShare, formatShort } from '../../lib/format.ts'
import type { RunSummary, Stats } from '../../lib/wire.ts'
import { Bars, Columns } from '../../parts/chart.tsx'
import { CostText } from '../../parts/cost.tsx'
import { Table } from '../../parts/table.tsx'
import { columnsOf, GOOD_ENDS } from './columns.ts'

interface Props {
  since: number
  until: number
  stats: Stats
  runs: readonly RunSummary[]
}

export function Dashboard({ since, until, stats, runs }: Props) {
  const { texts, lang } = useLanguage()
  const { overview, codes } = texts
  const explained = (code: string) => Object.entries(codes).find(([name]) => name === code)?.[1]
  const stops = Object.entries(Object.groupBy(runs, ({ stopReason }) => stopReason ?? 'running')).flatMap(
    ([name, ended = []]) => (name === 'running' ? [] : [[name, ended.length] as const]),
  )
  const denials = Object.entries(stats.denials.byReason).sort(([, a], [, b]) => b - a)
  return (
    <>
      <Tiles stats={stats} />
      <div className="charts">
        <section className="card wide">
          <header>
            <h2>{overview.runs}</h2>
          </header>
          <Columns
            label={overview.runs}
            columns={columnsOf(runs, since, until, lang)}
            series={[
              { name: overview.good, colour: '--chart-3' },
              { name: overview.bad, colour: '--chart-5' },
              { name: overview.open, colour: '--chart-1' },
            ]}
          />
        </section>
        <section className="card">
          <header>
            <h2>{overview.stops}</h2>
          </header>
          <Bars
            label={overview.stops}
            bars={stops.map(([name, value]) => ({
              name,
              coded: true,
              value,
              tone: GOOD_ENDS.includes(name) ? 'allow' : 'deny',
              title: explained(name),
            }))}
          />
        </section>
        <section className="card">
          <header>
            <h2>{overview.denials}</h2>
          </header>
          {denials.length === 0 ? (
            <p className="muted">{overview.noDenials}</p>
          ) : (
            <Bars
              label={overview.denials}
              bars={denials.map(([name, value]) => ({
                name,
                coded: true,
                value,
                tone: 'deny',
                title: explained(name),
              }))}
            />
          )}
        </section>
        <section className="card">
          <header>
            <h2>{overview.latency}</h2>
            <span className="small muted">
              p50 {formatMs(stats.steps.p50_ms)} · p95 {formatMs(stats.steps.p95_ms)}
            </span>
          </header>
          <Bars
            label={overview.latency}
            bars={Object.entries(stats.tools)
              .sort(([, a], [, b]) => b.p95_ms - a.p95_ms)
              .slice(0, 10)
              .map(([name, { p95_ms, count }]) => ({
                name,
                value: p95_ms,
                text: `${formatMs(p95_ms)} · ${formatCount(count, lang)}×`,
              }))}
          />
          <p className="small muted">{overview.latencyNote}</p>
        </section>
        <section className="card">
          <header>
            <h2>{overview.questions}</h2>
          </header>
          <Bars
            label={overview.questions}
            bars={[
              { name: 'y', coded: true, value: stats.questions.answers.y ?? 0, tone: 'allow' },
              { name: 'a', coded: true, value: stats.questions.answers.a ?? 0, tone: 'allow' },
              { name: 'n', coded: true, value: stats.questions.answers.n ?? 0, tone: 'deny' },
            ]}
          />
        </section>
      </div>
      <Models stats={stats} />
    </>
  )
}

function Tiles({ stats }: { stats: Stats }) {
  const { texts, lang } = useLanguage()
  const { overview } = texts
  const { runs, denials, questions, tokens, cost, calls } = stats
  const tiles = [
    [overview.started, runs.started],
    [overview.failed, formatShare(runs.failed, runs.ended)],
    [overview.calls, calls.ran],
    [overview.denied, denials.total],
    [overview.asked, questions.asked],
    [overview.tokens, tokens.inputTokens + tokens.outputTokens],
  ] as const
  return (
    <dl className="tiles">
      {tiles.map(([name, value]) => (
        <div key={name} className="tile">
          <dt>{name}</dt>
          {typeof value === 'string' ? (
            <dd>{value}</dd>
          ) : (
            <dd title={formatCount(value, lang)}>{formatShort(value, lang)}</dd>
          )}
        </div>
      ))}
      <div className="tile">
        <dt>{overview.cost}</dt>
        <dd>
          <CostText usd={cost.usd} />
        </dd>
      </div>
    </dl>
  )
}

function Models({ stats }: { stats: Stats }) {
  const { texts, lang } = useLanguage()
  const { overview } = texts
  return (
    <Table
      label={overview.models}
      head={[overview.model, overview.replies, overview.input, overview.output, 'p50', 'p95', overview.cost]}
    >
      {Object.entries(stats.models).map(([name, model]) => (
        <tr key={name}>
          <td>
            <code>{name}</code>
          </td>
          <td className="num">{formatCount(model.replies.count, lang)}</td>
          <td className="num">{formatCount(model.inputTokens, lang)}</td>
          <td className="num">{formatCount(model.outputTokens, lang)}</td>
          <td className="num">{formatMs(model.replies.p50_ms)}</td>
          <td className="num">{formatMs(model.replies.p95_ms)}</td>
          <td>
            <CostText usd={model.cost.usd} />
          </td>
        </tr>
      ))}
    </Table>
  )
}
