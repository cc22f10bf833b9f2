/** One run: timeline, gate decisions, journal. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { type Lane, lanesAfter } from '../../lib/lanes.ts'
import { useInfo } from '../../lib/queries.ts'
import { childrenQuery } from '../../lib/runs.ts'
import type { RunView, StoredEvent } from '../../lib/wire.ts'
import { workflowRunOf } from '../../lib/workflow-run.ts'
import { Approval } from '../../parts/approval.tsx'
import { FindingView } from '../../parts/finding.tsx'
import { Page } from '../../parts/page.tsx'
import { useRunTitle } from '../../parts/run-name.tsx'
import { Await } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { RunTable } from '../runs/run-table.tsx'
import { isVerdictOnAction } from './action-list.tsx'
import { DecisionList, isDecision } from './decision-list.tsx'
import { EarlierButton } from './earlier-button.tsx'
import { JournalView } from './journal-view.tsx'
import './run.css'
import { NodeList } from './node-list.tsx'
import { RunActions } from './run-actions.tsx'
import { RunFacts } from './run-facts.tsx'
import { TimelineView } from './timeline.tsx'
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
  const { runs } = useTexts()
  const { runId } = route.useParams()
  const query = useQuery(runQuery(runId))
  const title = useRunTitle(query.data?.run ?? { runId, mode: '', task: '' })
  const running = query.data !== undefined && query.data.run.stopReason === undefined
  return (
    <Page
      eyebrow={<Link to="/runs">{runs.title}</Link>}
      title={title}
      actions={query.data && <RunActions view={query.data} />}
    >
      <Await query={query}>{(view) => <Detail key={runId} view={view} running={running} />}</Await>
    </Page>
  )
}

function Detail({ view, running }: { view: RunView; running: boolean }) {
  const { run: texts, chat } = useTexts()
  const { tab: chosen = 'timeline', step } = route.useSearch()
  const navigate = route.useNavigate()
  const { runId } = view.run
  const journal = useJournal(runId, running)
  const dispatchTool = useInfo()?.dispatchTool
  const sending = running && hasSent(journal.events, dispatchTool)
  useQuery({ ...runQuery(runId), refetchInterval: sending ? CHILDREN_MS : false })
  const finding = journal.events.reduce<Lane[]>(lanesAfter, [])[0]?.finding
  const workflow = workflowRunOf(journal.events)
  const waiting = view.question !== undefined
  const judged = new Set(journal.events.filter(isDecision).map((event) => event.data.callId)).size
  const decisions = judged + journal.events.filter(isVerdictOnAction).length
  const tabs = [
    {
      id: 'timeline',
      title: workflow ? texts.nodes : texts.timeline,
      count: workflow?.nodes.length ?? view.trace.trace.at(-1)?.step ?? 0,
    },
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
      {workflow === undefined && view.run.total.children > 0 && <ChildRuns run={view.run} />}
      <Tabs
        label={texts.views}
        tabs={tabs}
        chosen={chosen}
        onChoose={(tab) => void navigate({ search: { tab }, replace: true })}
      >
        {chosen === 'timeline' &&
          (workflow !== undefined ? (
            <NodeList view={workflow} />
          ) : (
            <TimelineView view={view} journal={journal} running={running && !waiting} step={step} />
          ))}
        {chosen !== 'timeline' && <EarlierButton {...journal} />}
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

function ChildRuns({ run }: { run: RunView['run'] }) {
  const { run: texts } = useTexts()
  const { data = [] } = useQuery(childrenQuery(run.runId, run.stopReason === undefined))
  if (data.length === 0) return null
  return (
    <section className="stack" aria-label={texts.childRuns}>
      <h2>{texts.childRuns}</h2>
      <RunTable runs={data} />
    </section>
  )
}
