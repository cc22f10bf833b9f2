/** The form beside the graph: nodes, settings of the selected node, its outgoing edges. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { toolsQuery } from '../../lib/queries.ts'
import { AGENT_CORE, type Draft, type DraftNode, withNewNode, withNode, withoutNode } from '../../lib/workflow.ts'
import { Button } from '../../parts/button.tsx'
import { Check, SelectField, TextField } from '../../parts/field.tsx'
import { JsonField } from '../../parts/json-field.tsx'
import { EdgeList } from './edge-list.tsx'
import type { PlacedProblem } from './use-check.ts'

interface Props {
  workflow: string
  draft: Draft
  chosen: string | undefined
  problems: readonly PlacedProblem[]
  onChange: (draft: Draft) => void
  onChoose: (id: string) => void
  /** While the document's own text is not JSON: a change here would be lost with its next character. */
  disabled: boolean
  /** Arguments that are not valid JSON yet, by node. */
  unfinished: ReadonlyMap<string, string>
  onUnfinished: (unfinished: ReadonlyMap<string, string>) => void
}

export function Inspector(props: Props) {
  const { workflow, draft, chosen, problems, onChange, onChoose, disabled, unfinished, onUnfinished } = props
  const { workflows: texts } = useTexts()
  const tools = useQuery(toolsQuery).data?.tools.filter((tool) => !tool.disabled) ?? []
  const [adding, setAdding] = useState(AGENT_CORE)
  const at = draft.nodes.findIndex((node) => node.id === chosen)
  const node = draft.nodes[at]
  const options = tools.map(({ name }) => ({ value: name, label: name }))
  function add() {
    const made = withNewNode(draft, adding)
    onChange(made.draft)
    onChoose(made.id)
  }
  /** The texts without the node's, or with it under the node's name as it is now. */
  function keep(text: string | undefined, { was, is = was }: { was: string; is?: string }) {
    const others = [...unfinished].filter(([id]) => id !== was)
    onUnfinished(new Map(text === undefined ? others : [...others, [is, text]]))
  }
  return (
    <section className="card stack" aria-label={texts.form}>
      <h2>{texts.form}</h2>
      <fieldset className="plain-set stack" disabled={disabled}>
        <ul className="row" aria-label={texts.nodes}>
          {draft.nodes.map(({ id }) => (
            <li key={id}>
              <Button
                small
                look={id === chosen ? 'primary' : 'plain'}
                aria-pressed={id === chosen}
                onClick={() => onChoose(id)}
              >
                {id}
              </Button>
            </li>
          ))}
        </ul>
        <div className="explain-ask">
          <SelectField label={texts.newNode} value={adding} options={options} onChange={setAdding} />
          <Button icon="plus" onClick={add}>
            {texts.addNode}
          </Button>
        </div>
        {node !== undefined && (
          <NodeForm
            key={at}
            workflow={workflow}
            node={node}
            tools={options}
            problems={problems.filter(({ place }) => place.startsWith(`nodes[${at}]`))}
            unfinished={unfinished.get(node.id)}
            onChange={(next) => {
              onChange(withNode(draft, node.id, next))
              keep(next.args === node.args ? unfinished.get(node.id) : undefined, { was: node.id, is: next.id })
              if (next.id !== node.id) onChoose(next.id)
            }}
            onUnfinished={(text) => keep(text, { was: node.id })}
            onRemove={() => {
              onChange(withoutNode(draft, node.id))
              keep(undefined, { was: node.id })
              const [first] = draft.nodes.filter(({ id }) => id !== node.id)
              if (first !== undefined) onChoose(first.id)
            }}
          />
        )}
        <EdgeList draft={draft} onChange={onChange} />
      </fieldset>
    </section>
  )
}

interface NodeProps {
  workflow: string
  node: DraftNode
  tools: readonly { value: string; label: string }[]
  problems: readonly PlacedProblem[]
  unfinished: string | undefined
  onChange: (node: DraftNode) => void
  onUnfinished: (text: string) => void
  onRemove: () => void
}

function NodeForm({ workflow, node, tools, problems, unfinished, onChange, onUnfinished, onRemove }: NodeProps) {
  const { workflows: texts, common } = useTexts()
  const wrong = (part: string) =>
    problems
      .filter(({ place }) => new RegExp(`^nodes\\[\\d+\\]\\.${part}\\b`).test(place))
      .map((each) => each.message)[0]
  const { when: _, timeout: __, ...bare } = node
  return (
    <div className="stack">
      <div className="fields">
        <TextField label={texts.id} value={node.id} wrong={wrong('id')} onChange={(id) => onChange({ ...node, id })} />
        <SelectField
          label={texts.tool}
          value={node.tool}
          options={tools}
          onChange={(tool) => onChange({ ...node, tool })}
        />
      </div>
      {wrong('tool') !== undefined && <p className="problem small">{wrong('tool')}</p>}
      <JsonField
        label={texts.args}
        value={node.args ?? {}}
        wrong={wrong('args')}
        rows={8}
        unfinished={unfinished}
        onChange={(args) => onChange({ ...node, args })}
        onUnfinished={onUnfinished}
      />
      <Check
        label={texts.conditional}
        checked={node.when !== undefined}
        onChange={(on) =>
          onChange(on ? { ...node, when: '' } : node.timeout === undefined ? bare : { ...bare, timeout: node.timeout })
        }
      />
      {node.when !== undefined && (
        <TextField
          label={texts.when}
          value={node.when}
          wrong={wrong('when')}
          onChange={(when) => onChange({ ...node, when })}
        />
      )}
      <div className="row">
        {node.tool === AGENT_CORE && (
          <Link className="button small" to="/agent" search={{ workflow, node: node.id }}>
            {texts.openPanel}
          </Link>
        )}
        <Button small look="danger" icon="trash" onClick={onRemove}>
          {common.remove({ name: node.id })}
        </Button>
      </div>
    </div>
  )
}
