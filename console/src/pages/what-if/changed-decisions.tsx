import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.tsx'
import type { ChangedDecision } from '../../lib/wire.ts'
import { labelFor, Named, VerdictBadge } from '../../parts/badge.tsx'
import { SelectField } from '../../parts/field.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { Shown } from '../../parts/text.tsx'
import './what-if.css'

/** `allow-deny`: what was allowed would be denied. */
function changeOf({ was, now }: ChangedDecision): string {
  return `${was.decision}-${now.decision}`
}

function reasonsOf({ was, now }: ChangedDecision): string[] {
  return [was.reason, was.code, now.reason, now.code].flatMap((code) => code ?? [])
}

interface Props {
  result: { runs: number; decisions: number; changed: ChangedDecision[]; more: number }
}

export function ChangedDecisions({ result }: Props) {
  const { whatIf: texts, runs: list } = useTexts()
  const { runs, decisions, changed, more } = result
  const { change, tool, reason } = useSearch({ strict: false })
  const shown = changed.filter(
    (each) =>
      (change === undefined || changeOf(each) === change) &&
      (tool === undefined || each.tool === tool) &&
      (reason === undefined || reasonsOf(each).includes(reason)),
  )
  return (
    <>
      <p>
        <strong>{texts.summary({ changed: changed.length + more, decisions, runs })}</strong>
      </p>
      {changed.length === 0 ? (
        <Empty title={texts.same} />
      ) : (
        <>
          <Filter changed={changed} />
          {shown.length === 0 && <Empty title={list.noneFoundHint} />}
        </>
      )}
      {shown.length > 0 && (
        <div className="changed">
          <Table label={texts.changed} head={[texts.call, texts.was, texts.now]}>
            {shown.map((each) => (
              <tr key={`${each.runId} ${each.seq}`}>
                <td>
                  <div className="row between">
                    <code>
                      <Shown text={each.tool} />
                    </code>
                    <Link to="/runs/$runId" params={{ runId: each.runId }}>
                      {texts.open}
                    </Link>
                  </div>
                  <div className="mono small">
                    <Shown text={each.args} />
                  </div>
                </td>
                <td>
                  <Ruling ruling={each.was} />
                </td>
                <td>
                  <Ruling ruling={each.now} />
                </td>
              </tr>
            ))}
          </Table>
        </div>
      )}
      {more > 0 && <p className="muted small">{texts.more({ count: more })}</p>}
    </>
  )
}

function Ruling({ ruling }: { ruling: ChangedDecision['was'] }) {
  return (
    <div className="row">
      <VerdictBadge decision={ruling.decision} />
      {ruling.reason !== undefined && <Named code={ruling.reason} />}
      {ruling.code !== undefined && <Named code={ruling.code} />}
    </div>
  )
}

/** Only values that occur, the most frequent first, each with its count. */
function Filter({ changed }: { changed: readonly ChangedDecision[] }) {
  const all = useTexts()
  const { whatIf: texts, common } = all
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = (part: 'change' | 'tool' | 'reason') => (value: string) =>
    void navigate({ to: '.', search: (now) => ({ ...now, [part]: value === '' ? undefined : value }), replace: true })
  const options = (values: readonly string[], label: (value: string) => string) => {
    const counts = Object.entries(Object.groupBy(values, (value) => value)).map(
      ([value, same = []]) => [value, same.length] as const,
    )
    return [
      { value: '', label: common.any },
      ...counts.sort(([, a], [, b]) => b - a).map(([value, count]) => ({ value, label: `${label(value)} · ${count}` })),
    ]
  }
  const word = (code: string) => labelFor(all, code)
  const arrow = (value: string) => value.split('-').map(word).join(' → ')
  return (
    <search className="fields">
      <SelectField
        label={texts.change}
        value={search.change ?? ''}
        options={options(changed.map(changeOf), arrow)}
        onChange={set('change')}
      />
      <SelectField
        label={texts.tool}
        value={search.tool ?? ''}
        options={options(
          changed.map(({ tool }) => tool),
          (tool) => tool,
        )}
        onChange={set('tool')}
      />
      <SelectField
        label={texts.reason}
        value={search.reason ?? ''}
        options={options(
          changed.flatMap((each) => [...new Set(reasonsOf(each))]),
          word,
        )}
        onChange={set('reason')}
      />
    </search>
  )
}
