import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import type { RunSummary } from '../../lib/wire.ts'
import { Segments } from '../../parts/field.tsx'
import { Page } from '../../parts/page.tsx'
import { Await, Empty } from '../../parts/states.tsx'
import { Dashboard } from './dashboard.tsx'

const route = getRouteApi('/overview')
const DAY_MS = 86_400_000
const SPANS = { '1d': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS } as const
type Span = keyof typeof SPANS

/** Max pages of runs in the charts; the totals count every run. A child run ends with its parent and is not counted twice. */
const PAGES = 10

export function OverviewPage() {
  const { overview: texts, runs } = useTexts()
  const { span = '7d' } = route.useSearch()
  const navigate = route.useNavigate()
  const setSpan = (next: Span) => void navigate({ search: { span: next }, replace: true })
  const query = useQuery({
    queryKey: ['stats', span],
    queryFn: async ({ signal }) => {
      const since = Date.now() - SPANS[span]
      const stats = await api.call('GET /api/stats', { query: { since }, signal })
      return { since, until: since + SPANS[span], stats, runs: await runsSince(since, signal) }
    },
    // Paused while the page is hidden; refetched when it becomes visible.
    refetchInterval: 30_000,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: true,
  })
  const options = [
    { value: '1d', label: runs.spans['24h'] },
    { value: '7d', label: runs.spans['7d'] },
    { value: '30d', label: texts.month },
  ] as const
  return (
    <Page
      title={texts.title}
      lede={texts.lede}
      actions={<Segments<Span> label={texts.span} value={span} options={options} onChange={setSpan} />}
    >
      <Await query={query}>
        {(data) =>
          data.stats.runs.started === 0 ? (
            <Empty title={runs.none}>
              <p>{runs.noneHint}</p>
            </Empty>
          ) : (
            <Dashboard {...data} />
          )
        }
      </Await>
    </Page>
  )
}

async function runsSince(since: number, signal: AbortSignal): Promise<RunSummary[]> {
  const rows: RunSummary[] = []
  let before: string | undefined
  for (let page = 0; page < PAGES; page++) {
    const query = { since, limit: 200, before, parent: 'none' }
    const { runs, next } = await api.call('GET /api/runs', { query, signal })
    rows.push(...runs)
    before = next
    if (before === undefined) break
  }
  return rows
}
