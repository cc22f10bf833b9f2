import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { argsOf, type Fault, faultsIn, formOf } from '../../lib/agent-form.ts'
import { api } from '../../lib/api.ts'
import { pretty } from '../../lib/format.ts'
import { isSame, type Json } from '../../lib/paths.ts'
import type { ToolView } from '../../lib/wire.ts'
import { AGENT_CORE, type Draft, type DraftNode, withNode } from '../../lib/workflow.ts'
import { useAnnounce } from '../../parts/announcer.tsx'
import { Button } from '../../parts/button.tsx'
import { ErrorNote } from '../../parts/states.tsx'
import { Preview } from '../../parts/text.tsx'
import { AgentFields } from './agent-fields.tsx'
import { AgentRun } from './agent-run.tsx'

interface Props {
  workflow: string
  /** The workflow is not saved yet. */
  fresh: boolean
  draft: Draft
  node: DraftNode
  tools: readonly ToolView[]
  onSaved: () => void
}

export function AgentPanel({ workflow, fresh, draft, node, tools, onSaved }: Props) {
  const { agent: texts } = useTexts()
  const client = useQueryClient()
  const announce = useAnnounce()
  const [form, setForm] = useState(() => formOf(node.args ?? {}))
  const [kept, setKept] = useState<Json>()
  const schema = tools.find((tool) => tool.name === AGENT_CORE)?.schema
  const faults = faultsIn(form, schema)
  const args = argsOf(form)
  const saving = useMutation({
    mutationFn: async () => {
      const document = { ...withNode(draft, node.id, { ...node, args }), name: draft.name || workflow }
      await api.call('PUT /api/workflows/:name', { params: { name: workflow }, body: { document } })
      client.setQueryData(['workflow', workflow], document)
      await client.invalidateQueries({ queryKey: ['workflows'] })
      setKept(args)
      announce(texts.saved)
      onSaved()
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (Object.keys(faults).length === 0) saving.mutate()
    else document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }
  const saved = isSame(kept ?? node.args, args)
  return (
    <div className="agent">
      <form className="card stack wide" onSubmit={submit} noValidate>
        <AgentFields
          draft={draft}
          node={node}
          form={form}
          schema={schema}
          tools={tools}
          faults={faults}
          onChange={setForm}
        />
        {saving.isError && <ErrorNote error={saving.error} />}
        <div className="row">
          <Button look="primary" type="submit" busy={saving.isPending}>
            {texts.save}
          </Button>
          {saved && saving.isSuccess && <span className="badge allow">{texts.saved}</span>}
          {!fresh && (
            <Link to="/workflows/$name" params={{ name: workflow }}>
              {texts.openWorkflow}
            </Link>
          )}
        </div>
      </form>
      <div className="stack">
        <AgentRun
          workflow={workflow}
          draft={draft}
          node={node.id}
          ready={saved && (kept !== undefined || (!fresh && saving.isIdle))}
        />
        <details className="card">
          <summary>{texts.asJson}</summary>
          <Preview text={pretty(args)} label={texts.asJson} />
        </details>
      </div>
    </div>
  )
}

export function useFaultText(): (fault: Fault | undefined) => string | undefined {
  const { agent: texts } = useTexts()
  return (fault) => {
    if (fault === undefined) return undefined
    return 'value' in fault ? texts.faults[fault.kind]({ value: fault.value }) : texts.faults[fault.kind]
  }
}
