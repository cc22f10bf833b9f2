/** S3 §10: the panel of an agent_core node. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { toolsQuery, workflowsQuery } from '../../lib/queries.ts'
import { AGENT_CORE, draftOf, newDraft } from '../../lib/workflow.ts'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Page } from '../../parts/page.tsx'
import { Await, Empty } from '../../parts/states.tsx'
import './agent.css'
import { AgentPanel } from './agent-panel.tsx'

const route = getRouteApi('/agent')
const NEW = ''

export function AgentPage() {
  const { agent: texts } = useTexts()
  const { workflow = NEW, node } = route.useSearch()
  const navigate = useNavigate()
  const [name, setName] = useState('my-agent')
  const workflows = useQuery(workflowsQuery)
  const tools = useQuery(toolsQuery)
  const open = useQuery({
    queryKey: ['workflow', workflow],
    enabled: workflow !== NEW,
    queryFn: async ({ signal }) => {
      const { document } = await api.call('GET /api/workflows/:name', { params: { name: workflow }, signal })
      return document
    },
  })
  const draft = workflow === NEW ? newDraft(name) : open.data && draftOf(open.data)
  const nodes = draft?.nodes.filter((each) => each.tool === AGENT_CORE) ?? []
  const chosen = nodes.find((each) => each.id === node) ?? nodes[0]
  const go = (search: { workflow?: string; node?: string }) => void navigate({ to: '/agent', search })
  return (
    <Page title={texts.title} lede={texts.lede}>
      <div className="fields">
        <SelectField
          label={texts.workflow}
          value={workflow}
          options={[
            { value: NEW, label: texts.fresh },
            ...(workflows.data?.workflows ?? []).map((each) => ({ value: each.name, label: each.name })),
          ]}
          onChange={(next) => go(next === NEW ? {} : { workflow: next })}
        />
        {workflow === NEW ? (
          <TextField label={texts.name} value={name} onChange={setName} />
        ) : (
          nodes.length > 1 && (
            <SelectField
              label={texts.node}
              value={chosen?.id ?? ''}
              options={nodes.map(({ id }) => ({ value: id, label: id }))}
              onChange={(next) => go({ workflow, node: next })}
            />
          )
        )}
      </div>
      <Await query={tools}>
        {({ tools: known }) =>
          draft === undefined ? (
            <Await query={open}>{() => null}</Await>
          ) : chosen === undefined ? (
            <Empty title={texts.noNode}>
              <p>{texts.noNodeHint}</p>
            </Empty>
          ) : (
            <AgentPanel
              key={`${workflow} ${chosen.id}`}
              workflow={workflow === NEW ? name : workflow}
              fresh={workflow === NEW}
              draft={draft}
              node={chosen}
              tools={known}
              onSaved={() => workflow === NEW && go({ workflow: name, node: chosen.id })}
            />
          )
        }
      </Await>
    </Page>
  )
}
