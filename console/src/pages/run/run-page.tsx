/** One run: timeline, gate decisions, journal. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { type Lane, lanesAfter } from '../../lib/lanes.ts'
import { useInfo } from '../../lib/queries.ts'
import type { RunView, StoredEvent } from '../../lib/wire.ts'
import { Approval } from '../../parts/approval.tsx'
import { FindingView } from '../../parts/finding.tsx'
import { Page } from '../../parts/page.tsx'
import { Await, ErrorNote } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { isVerdictOnAction } from './action-list.tsx'
import { DecisionList, isDecision } from './decision-list.tsx'
import { EarlierButton } from './earlier-button.tsx'
import { JournalView } from './journal-view.tsx'
import './run.css'
import { RunActions } from './run-actions.tsx'
import { RunFacts } from './run-facts.tsx'
import { Timeline } from './timeline.tsx'
import { useJournal } from './use-journal.ts'

const route = getRouteApi('/runs/$runId')
/** Child runs have their own journals, so they are polled. */
const CHILDREN_MS = 3000

const runQuery = (runId: string) =>
  queryOptions({
    queryKey: ['run', runId],
    queryFn: ({ signal }) => api.call('GET /api/runs/:id', { params: { id: runId }, signal }),
  })

export function RunPage() {
  const { run: texts } = useTexts()
  const { runId } = route.useParams()
  const query = useQuery(runQuery(runId))
  const running = query.data !== undefined && query.data.run.stopReason === undefined
  return (
    <Page
      title={texts.title}
      lede={query.data?.run.task ?? ''}
      actions={query.data && <RunActions view={query.data} />}
    >
      <Await query={query}>{(view) => <Detail key={runId} view={view} running={running} />}</Await>
    </Page>
  )
}

type View = 'timeline' | 'decisions' | 'journal'

function Detail({ view, running }: { view: RunView; running: boolean }) {
  const { run: texts, chat } = useTexts()
  const [chosen, choose] = useState<View>('timeline')
  const { runId } = view.run
  const journal = useJournal(runId, running)
  const dispatchTool = useInfo()?.dispatchTool
  const sending = running && hasSent(journal.events, dispatchTool)
  useQuery({ ...runQuery(runId), refetchInterval: sending ? CHILDREN_MS : false })
  const finding = journal.events.reduce<Lane[]>(lanesAfter, [])[0]?.finding
  const judged = new Set(journal.events.filter(isDecision).map((event) => event.data.callId)).size
  const decisions = judged + journal.events.filter(isVerdictOnAction).length
  const tabs = [
    { id: 'timeline', title: texts.timeline, count: view.trace.trace.at(-1)?.step ?? 0 },
    { id: 'decisions', title: texts.decisions, count: decisions },
    { id: 'journal', title: texts.journal, count: journal.events.at(-1)?.seq ?? 0 },
  ] as const
  return (
    <>
      {running && journal.link === 'reconnecting' && (
        <p className="note ask" role="status">
          {chat.reconnecting}
        </p>
      )}
      <RunFacts view={view} />
      {finding !== undefined && (
        <section className="card" aria-label={texts.finding}>
          <FindingView finding={finding} />
        </section>
      )}
      {view.question !== undefined && <Approval runId={runId} question={view.question} />}
      <Tabs label={texts.views} tabs={tabs} chosen={chosen} onChoose={choose}>
        {chosen === 'timeline' && <Timeline view={view} events={journal.events} />}
        {chosen === 'timeline' ? (
          journal.error !== null && <ErrorNote error={journal.error} />
        ) : (
          <EarlierButton {...journal} />
        )}
        {chosen === 'decisions' && <DecisionList events={journal.events} />}
        {chosen === 'journal' && <JournalView events={journal.events} />}
      </Tabs>
    </>
  )
}

/** Whether scouts are running: a call of the dispatch tool has started and has no result yet. */
function hasSent(events: readonly StoredEvent[], dispatchTool: string | undefined): boolean {
  const last = events.findLast((event) => event.type === 'tool.call' || event.type === 'tool.result')
  return last?.type === 'tool.call' && last.data.tool === dispatchTool
}
