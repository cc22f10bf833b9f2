import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import type { Draft } from '../../lib/workflow.ts'
import { Named } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { InputFields } from '../../parts/input-fields.tsx'
import { Prose } from '../../parts/prose.tsx'
import { ErrorNote } from '../../parts/states.tsx'

interface Props {
  workflow: string
  draft: Draft
  node: string
  ready: boolean
}

/** Runs the saved workflow and links to the run of the agent, which has the trace. */
export function AgentRun({ workflow, draft, node, ready }: Props) {
  const { agent: texts, workflows, chat } = useTexts()
  const [given, setGiven] = useState<Record<string, string>>({})
  const running = useMutation({
    mutationFn: async () => {
      const input = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
      const result = await api.call('POST /api/workflows/:name/run', { params: { name: workflow }, body: { input } })
      return { result, runId: await agentRunOf(result.runId, node) }
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    running.mutate()
  }
  const outputs = running.data?.result.outputs[node]
  const state = running.data?.result.nodes[node]
  return (
    <form className="card stack" onSubmit={submit}>
      <header className="row between">
        <h2>{workflows.run}</h2>
        <Button icon="play" type="submit" disabled={!ready} busy={running.isPending}>
          {workflows.run}
        </Button>
      </header>
      {!ready && <p className="small muted">{workflows.saveFirst}</p>}
      <InputFields inputs={draft.inputs} given={given} onChange={setGiven} />
      {running.isError && <ErrorNote error={running.error} />}
      {running.data !== undefined && (
        <div className="stack" aria-live="polite">
          <p className="row">
            <Named
              code={String(outputs?.finish_reason ?? state?.state ?? '')}
              tone={running.data.result.ok ? 'allow' : 'deny'}
            />
            <Link to="/runs/$runId" params={{ runId: running.data.runId }}>
              {chat.detail}
            </Link>
          </p>
          {state?.error !== undefined && <p className="problem small">{state.error}</p>}
          {typeof outputs?.final_answer === 'string' && (
            <>
              <span className="small muted">{texts.answer}</span>
              <Prose text={outputs.final_answer} />
            </>
          )}
        </div>
      )}
    </form>
  )
}

/** The run of the agent is a child of the node's attempt, which the workflow's journal names. */
async function agentRunOf(workflowRunId: string, node: string): Promise<string> {
  const { events } = await api.call('GET /api/runs/:id/events', {
    params: { id: workflowRunId },
    query: { limit: 5000 },
  })
  const started = events.filter((event) => event.type === 'node.started' && event.data.node === node).at(-1)
  const id = started?.type === 'node.started' ? started.data.runId : undefined
  if (id === undefined) return workflowRunId
  const { children } = await api.call('GET /api/runs/:id', { params: { id } })
  return children[0] ?? id
}
