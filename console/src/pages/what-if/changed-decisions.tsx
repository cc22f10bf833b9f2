import { Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.tsx'
import type { ChangedDecision } from '../../lib/wire.ts'
import { Named, VerdictBadge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { Shown } from '../../parts/text.tsx'
import './what-if.css'

interface Props {
  result: { runs: number; decisions: number; changed: ChangedDecision[]; more: number }
}

export function ChangedDecisions({ result }: Props) {
  const { whatIf: texts } = useTexts()
  const { runs, decisions, changed, more } = result
  return (
    <>
      <p>
        <strong>{texts.summary({ changed: changed.length + more, decisions, runs })}</strong>
      </p>
      {changed.length === 0 ? (
        <Empty title={texts.same} />
      ) : (
        <div className="changed">
          <Table label={texts.changed} head={[texts.call, texts.was, texts.now]}>
            {changed.map((each) => (
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
