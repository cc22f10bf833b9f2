import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { isSame, type Json } from '../../lib/paths.ts'
import { draftOf } from '../../lib/workflow.ts'
import { Button } from '../../parts/button.tsx'
import { DeleteButton } from '../../parts/delete-button.tsx'
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
      return document
    },
  })
  if (query.data !== undefined) return <Editor key={name} name={name} saved={query.data} />
  return (
    <Page title={name}>
      <Await query={query}>{() => null}</Await>
    </Page>
  )
}

function Editor({ name, saved }: { name: string; saved: Json }) {
  const { workflows: texts } = useTexts()
  const client = useQueryClient()
  // The document as written is validated and saved; the draft is its part that can be drawn and edited.
  const [document, setDocument] = useState(saved)
  const draft = useMemo(() => draftOf(document), [document])
  const { view = 'graph' } = route.useSearch()
  const navigate = route.useNavigate()
  const setView = (next: 'graph' | 'json') => void navigate({ search: { view: next }, replace: true })
  const [chosen, choose] = useState(draft.nodes[0]?.id)
  const check = useWorkflowCheck(document)
  const run = useWorkflowRun(name)
  // Texts that are not JSON yet. They stay while another view or node is looked at; `document` does not hold them.
  const [unfinished, setUnfinished] = useState<string>()
  const [unfinishedArgs, setUnfinishedArgs] = useState<ReadonlyMap<string, string>>(new Map())
  const isBroken = unfinished !== undefined || unfinishedArgs.size > 0
  const changed = !isSame(document, saved)
  const blocked = isBroken || check.ok === false ? 'invalid' : changed ? 'unsaved' : undefined
  const saving = useMutation({
    mutationFn: () => api.call('PUT /api/workflows/:name', { params: { name }, body: { document } }),
    onSuccess: () => client.setQueryData(['workflow', name], document),
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
          <Button
            look="primary"
            disabled={!changed || isBroken}
            busy={saving.isPending}
            onClick={() => saving.mutate()}
          >
            {changed || isBroken ? texts.save : texts.saved}
          </Button>
          <WorkflowDeletion name={name} />
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
            <JsonField
              label={texts.json}
              value={document}
              rows={24}
              unfinished={unfinished}
              readOnly={unfinishedArgs.size > 0}
              onChange={(next) => {
                setDocument(next)
                setUnfinished(undefined)
              }}
              onUnfinished={setUnfinished}
            />
          )}
          <Problems check={check} unfinished={unfinished !== undefined} unfinishedArgs={[...unfinishedArgs.keys()]} />
        </Tabs>
        <Inspector
          workflow={name}
          draft={draft}
          chosen={chosen}
          problems={check.problems}
          onChange={setDocument}
          onChoose={choose}
          disabled={unfinished !== undefined}
          unfinished={unfinishedArgs}
          onUnfinished={setUnfinishedArgs}
        />
      </div>
      <RunPanel draft={draft} run={run} blocked={blocked} />
    </Page>
  )
}

function WorkflowDeletion({ name }: { name: string }) {
  const { workflows: texts, common } = useTexts()
  const client = useQueryClient()
  const navigate = useNavigate()
  const removing = useMutation({
    mutationFn: async () => {
      await api.call('DELETE /api/workflows/:name', { params: { name } })
      await client.invalidateQueries({ queryKey: ['workflows'] })
      await navigate({ to: '/workflows' })
    },
  })
  return (
    <>
      <DeleteButton
        title={common.remove({ name })}
        fact={texts.removeFact}
        action={common.delete}
        onConfirm={() => removing.mutate()}
      />
      {removing.isError && <ErrorNote error={removing.error} />}
    </>
  )
}
