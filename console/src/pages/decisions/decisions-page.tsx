/** S2: batches of predicted intents: authorised and denied actions, suggestions. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { Named } from '../../parts/badge.tsx'
import { Page } from '../../parts/page.tsx'
import { AwaitList } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { Ago } from '../../parts/text.tsx'
import { BatchForm } from './batch-form.tsx'
import { RoutesTable } from './routes-table.tsx'

export function DecisionsPage() {
  const { decisions: texts } = useTexts()
  const query = useQuery({
    queryKey: ['decisions'],
    queryFn: ({ signal }) => api.call('GET /api/decisions', { query: { limit: 100 }, signal }),
  })
  return (
    <Page title={texts.title} lede={texts.lede}>
      <section className="stack">
        <h2>{texts.past}</h2>
        <AwaitList query={query} list={({ decisions }) => decisions} none={texts.none} hint={texts.noneHint}>
          {(decisions) => (
            <Table
              label={texts.past}
              head={[
                texts.window,
                texts.route,
                texts.intents,
                texts.authorized,
                texts.denied,
                texts.reasons,
                texts.when,
              ]}
            >
              {decisions.map((each) => (
                <tr key={each.runId}>
                  <td>
                    <Link to="/runs/$runId" params={{ runId: each.runId }}>
                      <code>{each.windowId}</code>
                    </Link>
                  </td>
                  <td>
                    <Named code={each.route} />
                  </td>
                  <td className="num">{each.intents}</td>
                  <td className="num">{each.authorized}</td>
                  <td className="num">{each.denied}</td>
                  <td>
                    <div className="row">
                      {Object.entries(each.denialCounts).map(([reason, count]) => (
                        <span key={reason} className="row">
                          <Named code={reason} tone="deny" />
                          <span className="num small">×{count}</span>
                        </span>
                      ))}
                    </div>
                  </td>
                  <td className="nowrap">
                    <Ago at={each.decidedAt} />
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </AwaitList>
      </section>
      <BatchForm />
      <RoutesTable />
    </Page>
  )
}
