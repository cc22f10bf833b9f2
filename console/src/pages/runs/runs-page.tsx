import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LOCAL } from '../../../../runtime/src/protocol/principal.ts'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { useInfo } from '../../lib/queries.ts'
import { listInterval } from '../../lib/runs.ts'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, ErrorNote, Loading } from '../../parts/states.tsx'
import { RunFilterForm } from './run-filter-form.tsx'
import { RunTable } from './run-table.tsx'

const route = getRouteApi('/runs')
const HOUR_MS = 3_600_000
const SINCE: Readonly<Record<string, number>> = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS }

export function RunsPage() {
  const { runs: texts, common } = useTexts()
  const filter = route.useSearch()
  const { since = '', ...plain } = filter
  const pages = useInfiniteQuery({
    queryKey: ['runs', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const back = SINCE[since]
      const from = back === undefined ? {} : { since: Date.now() - back }
      const before = pageParam === undefined ? {} : { before: pageParam }
      // A search finds child runs too, and scouts are nothing else.
      const parent = plain.q !== undefined || plain.mode === 'scout' ? {} : { parent: 'none' }
      return api.call('GET /api/runs', { query: { ...plain, ...parent, ...from, ...before, limit: 50 }, signal })
    },
    getNextPageParam: (page) => page.next,
    refetchInterval: listInterval,
    refetchOnWindowFocus: true,
    // While another filter is loaded, the rows of the last one stay.
    placeholderData: keepPreviousData,
  })
  const rows = pages.data?.pages.flatMap((page) => page.runs) ?? []
  const filtered = Object.keys(filter).length > 0
  const principal = useInfo()?.principal ?? LOCAL
  return (
    <Page title={texts.title} lede={texts.lede}>
      <RunFilterForm filter={filter} />
      {pages.isPending && <Loading lines={8} />}
      {pages.isError && <ErrorNote error={pages.error} retry={() => void pages.refetch()} />}
      {pages.isSuccess && rows.length === 0 && (
        <Empty title={filtered ? texts.noneFound : texts.none}>
          <p>{filtered ? texts.noneFoundHint : texts.noneHint}</p>
          {!filtered && principal !== LOCAL && <p>{texts.elsewhere}</p>}
        </Empty>
      )}
      {rows.length > 0 && <RunTable runs={rows} />}
      {pages.hasNextPage && (
        <div className="row">
          <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {common.more}
          </Button>
        </div>
      )}
    </Page>
  )
}
