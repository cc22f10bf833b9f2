import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { isSame } from '../../lib/paths.ts'
import { type Draft, draftOf } from '../../lib/workflow.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { JsonField } from '../../parts/json-field.tsx'
import { Page } from '../../parts/page.tsx'
import { Await, ErrorNote, Loading } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Inspector } from './inspector.tsx'
import { Problems } from './problems.tsx'
import { RunPanel } from './run-panel.tsx'
import { useWorkflowCheck } from './use-check.ts'
import { useWorkflowRun } from './use-workflow-run.ts'
import './workflows.css'

const Graph = lazy(async () => ({ default: (await import('./graph.tsx')).Graph }))
const route = getRouteApi('/workflows/$name')

export function WorkflowPage() {
  const { name } = route.useParams()
  const query = useQuery({
    queryKey: ['workflow', name],
    queryFn: async ({ signal }) => {
      const { document } = await api.call('GET /api/workflows/:name', { params: { name }, signal })
      return draftOf(document)
    },
  })
  if (query.data !== undefined) return <Editor key={name} name={name} saved={query.data} />
  return (
    <Page title={name}>
      <Await query={query}>{() => null}</Await>
    </Page>
  )
}

function Editor({ name, saved }: { name: string; saved: Draft }) {
  const { workflows: texts } = useTexts()
  const client = useQueryClient()
  const [draft, setDraft] = useState(saved)
  const [view, setView] = useState<'graph' | 'json'>('graph')
  const [chosen, choose] = useState(saved.nodes[0]?.id)
  const check = useWorkflowCheck(draft)
  const run = useWorkflowRun(name)
  const changed = !isSame(draft, saved)
  const saving = useMutation({
    mutationFn: () => api.call('PUT /api/workflows/:name', { params: { name }, body: { document: draft } }),
    onSuccess: () => client.setQueryData(['workflow', name], draft),
  })
  const tabs = [
    { id: 'graph', title: texts.graph },
    { id: 'json', title: texts.json },
  ] as const
  return (
    <Page
      title={name}
      lede={draft.description ?? ''}
      actions={
        <>
          <Button look="primary" disabled={!changed} busy={saving.isPending} onClick={() => saving.mutate()}>
            {changed ? texts.save : texts.saved}
          </Button>
          <DeleteButton name={name} />
        </>
      }
    >
      {saving.isError && <ErrorNote error={saving.error} />}
      <div className="workflow">
        <Tabs label={texts.views} tabs={tabs} chosen={view} onChoose={setView}>
          {view === 'graph' ? (
            <Suspense fallback={<Loading />}>
              <Graph draft={draft} chosen={chosen} states={run.states} problems={check.problems} onChoose={choose} />
            </Suspense>
          ) : (
            <JsonField label={texts.json} value={draft} rows={24} onChange={(json) => setDraft(draftOf(json))} />
          )}
          <Problems check={check} />
        </Tabs>
        <Inspector
          workflow={name}
          draft={draft}
          chosen={chosen}
          problems={check.problems}
          onChange={setDraft}
          onChoose={choose}
        />
      </div>
      <RunPanel draft={draft} run={run} stale={changed} />
    </Page>
  )
}

function DeleteButton({ name }: { name: string }) {
  const { workflows: texts, common } = useTexts()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const removing = useMutation({
    mutationFn: async () => {
      await api.call('DELETE /api/workflows/:name', { params: { name } })
      await client.invalidateQueries({ queryKey: ['workflows'] })
      await navigate({ to: '/workflows' })
    },
  })
  return (
    <>
      <Button look="danger" icon="trash" aria-label={common.remove({ name })} onClick={() => setAsking(true)} />
      {removing.isError && <ErrorNote error={removing.error} />}
      {asking && (
        <ConfirmDialog
          title={common.remove({ name })}
          fact={texts.removeFact}
          action={common.delete}
          onConfirm={() => removing.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
