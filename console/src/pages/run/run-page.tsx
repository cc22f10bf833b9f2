/** One run: what it did, what was decided about it and why, and every fact the journal holds. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import type { RunView } from '../../lib/wire.ts'
import { Approval } from '../../parts/approval.tsx'
import { Page } from '../../parts/page.tsx'
import { Await, ErrorNote } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { isVerdictOnAction } from './action-list.tsx'
import { DecisionList } from './decision-list.tsx'
import { JournalView } from './journal-view.tsx'
import './run.css'
import { RunActions } from './run-actions.tsx'
import { RunFacts } from './run-facts.tsx'
import { Timeline } from './timeline.tsx'
import { useJournal } from './use-journal.ts'

const route = getRouteApi('/runs/$runId')
const WATCH_MS = 1500

export function RunPage() {
  const { run: texts } = useTexts()
  const { runId } = route.useParams()
  const query = useQuery({
    queryKey: ['run', runId],
    queryFn: ({ signal }) => api.call('GET /api/runs/:id', { params: { id: runId }, signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data.run.stopReason === undefined ? WATCH_MS : false,
  })
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
  const { run: texts } = useTexts()
  const [chosen, choose] = useState<View>('timeline')
  const journal = useJournal(view.run.runId, running)
  const decisions = journal.events.filter((event) => event.type === 'gate.decided' || isVerdictOnAction(event)).length
  const tabs = [
    { id: 'timeline', title: texts.timeline, count: view.trace.trace.length },
    { id: 'decisions', title: texts.decisions, count: decisions },
    { id: 'journal', title: texts.journal, count: journal.events.length },
  ] as const
  return (
    <>
      <RunFacts view={view} />
      {view.question !== undefined && <Approval runId={view.run.runId} question={view.question} />}
      <Tabs label={texts.views} tabs={tabs} chosen={chosen} onChoose={choose}>
        {chosen === 'timeline' && <Timeline trace={view.trace} events={journal.events} />}
        {chosen === 'decisions' && <DecisionList events={journal.events} />}
        {chosen === 'journal' && <JournalView events={journal.events} />}
        {journal.error !== null && <ErrorNote error={journal.error} />}
      </Tabs>
    </>
  )
}
