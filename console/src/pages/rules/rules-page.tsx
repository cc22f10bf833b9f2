/** Rules: a draft with its tests, what is in force, and what the shadow policy would have decided. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { configQuery, rulesQuery } from '../../lib/queries.ts'
import { Page } from '../../parts/page.tsx'
import { Await, Empty } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { ChangedDecisions } from '../what-if/changed-decisions.tsx'
import { DraftEditor } from './draft-editor.tsx'
import { RulesInForce } from './rules-in-force.tsx'
import './rules.css'

const route = getRouteApi('/rules')

export function RulesPage() {
  const { rules: texts } = useTexts()
  const { tab = 'draft' } = route.useSearch()
  const navigate = route.useNavigate()
  const inForce = useQuery({
    queryKey: ['policy-rules'],
    queryFn: ({ signal }) => api.call('GET /api/policy/rules', { signal }),
  })
  const config = useQuery(configQuery)
  const tabs = [
    { id: 'draft', title: texts.draft },
    { id: 'force', title: texts.inForce, count: inForce.data?.rules.length },
    { id: 'shadow', title: texts.shadow },
  ] as const
  return (
    <Page title={texts.title} lede={texts.lede}>
      <Tabs
        label={texts.title}
        tabs={tabs}
        chosen={tab}
        onChoose={(next) => void navigate({ search: { tab: next }, replace: true })}
      >
        {tab === 'draft' && <Await query={config}>{(view) => <DraftEditor overrides={view.overrides} />}</Await>}
        {tab === 'force' && (
          <Await query={inForce}>{({ rules }) => <RulesInForce rules={rules} remembered={<Remembered />} />}</Await>
        )}
        {tab === 'shadow' && <Shadow />}
      </Tabs>
    </Page>
  )
}

function Remembered() {
  const { rules: texts, approvals } = useTexts()
  const count = useQuery(rulesQuery).data?.rules.length ?? 0
  return (
    <p className="small muted">
      {texts.remembered({ count })} <Link to="/approvals">{approvals.rules}</Link>
    </p>
  )
}

function Shadow() {
  const { rules: texts } = useTexts()
  const query = useQuery({
    queryKey: ['shadow'],
    queryFn: ({ signal }) => api.call('GET /api/policy/shadow', { signal }),
  })
  return (
    <div className="stack">
      <p className="muted">{texts.shadowLede}</p>
      <Await query={query}>
        {(result) =>
          result.changed.length === 0 ? (
            <Empty title={texts.noDifferences}>
              <p>{texts.noDifferencesHint({ decisions: result.decisions })}</p>
            </Empty>
          ) : (
            <ChangedDecisions result={result} />
          )
        }
      </Await>
    </div>
  )
}
