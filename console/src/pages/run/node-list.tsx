/** A workflow run: its inputs, and every node with state, arguments and outputs. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/texts.tsx'
import { api } from '../../lib/api.ts'
import { formatMs, pretty } from '../../lib/format.ts'
import type { Json } from '../../lib/paths.ts'
import { AGENT_CORE } from '../../lib/workflow.ts'
import type { NodeRun, WorkflowRunView } from '../../lib/workflow-run.ts'
import { Named, type Tone } from '../../parts/badge.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Preview, Shown } from '../../parts/text.tsx'
import './node-list.css'

const TONES: Readonly<Record<NodeRun['state'], Tone>> = {
  waiting: '',
  running: 'accent',
  done: 'allow',
  failed: 'deny',
  skipped: '',
}

export function NodeList({ view }: { view: WorkflowRunView }) {
  const { run: texts } = useTexts()
  const { name, description, input, nodes } = view
  return (
    <div className="stack">
      <section className="card stack" aria-label={texts.inputs}>
        <p className="row">
          <Link to="/workflows/$name" params={{ name }}>
            <strong>{name}</strong>
          </Link>
          {description !== '' && (
            <span className="muted">
              <Shown text={description} />
            </span>
          )}
        </p>
        <Values values={input} label={texts.inputs} none={texts.noInputs} />
      </section>
      <ol className="stack" aria-label={texts.nodes}>
        {nodes.map((node) => (
          <li key={node.id} className="card node-run" data-state={node.state}>
            <NodeView node={node} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function NodeView({ node }: { node: NodeRun }) {
  const { run: texts, workflows } = useTexts()
  const { id, tool, state, attempts, runId, elapsedMs, message, code, when, args, outputs, external } = node
  return (
    <>
      <div className="row">
        <Named code={state} tone={TONES[state]} />
        <strong>
          <Shown text={id} />
        </strong>
        <code className="muted">
          <Shown text={tool} />
        </code>
        {attempts > 1 && <span className="badge num">{texts.attempts({ attempts })}</span>}
        {external && state === 'done' && <span className="badge ask">{texts.external}</span>}
        <span className="grow" />
        {elapsedMs !== undefined && state !== 'skipped' && (
          <span className="num small muted">{formatMs(elapsedMs)}</span>
        )}
        {runId !== undefined && tool === AGENT_CORE && <StepsLink node={runId} ended={state !== 'running'} />}
        {runId !== undefined && (
          <Link className="small" to="/runs/$runId" params={{ runId }}>
            {texts.title}
          </Link>
        )}
      </div>
      {message !== undefined && (
        <p className="row small">
          {code !== undefined && code !== 'skipped' && <Named code={code} tone="deny" />}
          <Shown text={message} />
        </p>
      )}
      {when !== undefined && (
        <p className="small muted">
          {workflows.when}: <code>{when}</code>
        </p>
      )}
      {args !== undefined && Object.keys(args).length > 0 && (
        <details>
          <summary className="small muted">{texts.args}</summary>
          <Values values={args} label={texts.args} none="" />
        </details>
      )}
      {outputs !== undefined && Object.keys(outputs).length > 0 && (
        <details open>
          <summary className="small muted">{texts.outputs}</summary>
          <Values values={outputs} label={workflows.outputs({ node: id })} none="" />
        </details>
      )}
    </>
  )
}

function Values({ values, label, none }: { values: Json; label: string; none: string }) {
  const entries = Object.entries(values)
  if (entries.length === 0) return <p className="small muted">{none}</p>
  return (
    <dl className="node-values" aria-label={label}>
      {entries.map(([name, value]) => {
        const text = typeof value === 'string' ? value : pretty(value)
        return (
          <div key={name}>
            <dt className="row small">
              <code>
                <Shown text={name} />
              </code>
              <CopyButton text={text} what={name} />
            </dt>
            <dd>
              <Preview text={text} label={name} />
            </dd>
          </div>
        )
      })}
    </dl>
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
    <Link className="small" to="/runs/$runId" params={{ runId }}>
      {texts.agentSteps}
    </Link>
  )
}
