import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { Named, RiskBadge } from '../../parts/badge.tsx'
import { Await } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'

/** What each route may propose. Fixed, so not a setting. */
export function RoutesTable() {
  const { decisions: texts } = useTexts()
  const query = useQuery({
    queryKey: ['decision-routes'],
    queryFn: ({ signal }) => api.call('GET /api/decisions/routes', { signal }),
  })
  return (
    <section className="stack">
      <h2>{texts.routes}</h2>
      <p className="muted">{texts.routesLede}</p>
      <Await query={query}>
        {({ routes }) => (
          <Table label={texts.routes} head={[texts.route, texts.maxRisk, texts.mayPropose]}>
            {routes.map(({ route, max_risk, allowed_actions }) => (
              <tr key={route}>
                <td>
                  <Named code={route} />
                </td>
                <td>
                  <RiskBadge risk={max_risk} />
                </td>
                <td>{allowed_actions.join(', ')}</td>
              </tr>
            ))}
          </Table>
        )}
      </Await>
    </section>
  )
}
