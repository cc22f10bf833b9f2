/** The nodes of a workflow run, each linked to its run; agent nodes link to the steps of the agent. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { formatMs } from '../../lib/format.ts'
import type { EventOf, StoredEvent } from '../../lib/wire.ts'
import { AGENT_CORE } from '../../lib/workflow.ts'
import { Named, type Tone } from '../../parts/badge.tsx'
import { Table } from '../../parts/table.tsx'
import { Shown } from '../../parts/text.tsx'

const TONES: Readonly<Record<string, Tone>> = { done: 'allow', failed: 'deny' }

export function NodeList({ events }: { events: readonly StoredEvent[] }) {
  const { run: texts, workflows } = useTexts()
  const ends = new Map<string, EventOf<'node.finished'>['data']>(
    events.flatMap((event) => (event.type === 'node.finished' ? [[event.data.node, event.data]] : [])),
  )
  return (
    <Table label={workflows.nodes} head={[workflows.id, texts.tool, workflows.state, texts.elapsed, '']}>
      {events.map((event) => {
        if (event.type !== 'node.started') return null
        const { node, tool, runId, attempt = 1 } = event.data
        const end = ends.get(node)
        return (
          <tr key={event.seq}>
            <td>
              <strong>{node}</strong> {attempt > 1 && <span className="badge num">{attempt}</span>}
            </td>
            <td>
              <code>{tool}</code>
            </td>
            <td>
              <Named code={end?.state ?? 'running'} tone={TONES[end?.state ?? ''] ?? 'accent'} />
              {end?.message !== undefined && (
                <div className="small">
                  <Shown text={end.message} />
                </div>
              )}
            </td>
            <td className="num nowrap">{end === undefined ? '–' : formatMs(end.elapsedMs)}</td>
            <td>
              {runId !== undefined && (
                <span className="row">
                  {tool === AGENT_CORE && <StepsLink node={runId} ended={end !== undefined} />}
                  <Link to="/runs/$runId" params={{ runId }}>
                    {texts.title}
                  </Link>
                </span>
              )}
            </td>
          </tr>
        )
      })}
    </Table>
  )
}

/** The run of the agent is a child of the run of the node. */
function StepsLink({ node, ended }: { node: string; ended: boolean }) {
  const { run: texts } = useTexts()
  const { data: runId } = useQuery({
    queryKey: ['agent-run', node, ended],
    queryFn: async ({ signal }) =>
      (await api.call('GET /api/runs/:id', { params: { id: node }, signal })).children[0] ?? null,
  })
  if (runId === undefined || runId === null) return null
  return (
    <Link to="/runs/$runId" params={{ runId }}>
      {texts.agentSteps}
    </Link>
  )
}
