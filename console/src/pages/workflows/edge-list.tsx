import { useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import type { Draft, DraftEdge } from '../../lib/workflow.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField } from '../../parts/field.tsx'

const ON = ['success', 'error', 'always'] as const

export function EdgeList({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const { workflows: texts, common } = useTexts()
  const edges = draft.edges ?? []
  const ids = draft.nodes.map((node) => node.id)
  const [fresh, setFresh] = useState<DraftEdge>({ from: ids[0] ?? '', to: ids[1] ?? ids[0] ?? '', on: 'success' })
  const options = ids.map((value) => ({ value, label: value }))
  return (
    <div className="stack">
      <h3>{texts.edges}</h3>
      {edges.length === 0 ? (
        <p className="small muted">{texts.noEdges}</p>
      ) : (
        <ul className="stack tight">
          {edges.map((edge, i) => (
            <li key={`${edge.from} ${edge.to} ${edge.on}`} className="row small">
              <code className="grow clip">
                {edge.from} → {edge.to}
              </code>
              <span className="badge">{edge.on ?? 'success'}</span>
              <Button
                small
                look="plain"
                icon="close"
                aria-label={common.remove({ name: `${edge.from} → ${edge.to}` })}
                onClick={() => onChange({ ...draft, edges: edges.toSpliced(i, 1) })}
              />
            </li>
          ))}
        </ul>
      )}
      {ids.length > 1 && (
        <div className="edge-new">
          <SelectField
            label={texts.from}
            value={fresh.from}
            options={options}
            onChange={(from) => setFresh({ ...fresh, from })}
          />
          <SelectField
            label={texts.to}
            value={fresh.to}
            options={options}
            onChange={(to) => setFresh({ ...fresh, to })}
          />
          <SelectField
            label={texts.on}
            value={fresh.on ?? 'success'}
            options={ON.map((value) => ({ value, label: value }))}
            onChange={(on) => setFresh({ ...fresh, on })}
          />
          <Button
            small
            icon="plus"
            disabled={fresh.from === fresh.to}
            onClick={() => onChange({ ...draft, edges: [...edges, fresh] })}
          >
            {common.add}
          </Button>
        </div>
      )}
    </div>
  )
}
