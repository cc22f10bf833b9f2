/** The workflow graph, in columns by dependency. Tab moves between nodes, Enter selects. */
import { Background, Controls, type Edge, Handle, MarkerType, type Node, Position, ReactFlow } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { useMemo } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { formatMs } from '../../lib/format.ts'
import { type Draft, depthsIn } from '../../lib/workflow.ts'
import type { PlacedProblem } from './use-check.ts'
import type { NodeStates } from './use-workflow-run.ts'

interface Props {
  draft: Draft
  chosen: string | undefined
  states: NodeStates
  problems: readonly PlacedProblem[]
  onChoose: (id: string) => void
}

interface Shown extends Record<string, unknown> {
  id: string
  tool: string
  state: string | undefined
  elapsedMs: number | undefined
  wrong: boolean
}

const COLUMN_PX = 230
const ROW_PX = 92

/** Fixed size: React Flow hides a node until it is measured, and every state change creates a new node. */
const SIZE = { width: 180, height: 76 }
const MIDDLE = { y: SIZE.height / 2, width: 1, height: 1 }
const PLACED = {
  ...SIZE,
  measured: SIZE,
  handles: [
    { type: 'target' as const, position: Position.Left, x: 0, ...MIDDLE },
    { type: 'source' as const, position: Position.Right, x: SIZE.width, ...MIDDLE },
  ],
}

export function Graph({ draft, chosen, states, problems, onChoose }: Props) {
  const { workflows: texts } = useTexts()
  const nodes = useMemo(() => nodesOf({ draft, chosen, states, problems }), [draft, chosen, states, problems])
  const edges = useMemo(() => edgesOf(draft), [draft])
  return (
    <section className="graph" aria-label={texts.graph}>
      <ReactFlow
        key={`${draft.nodes.length} ${draft.edges?.length}`}
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.2 }}
        minZoom={0.3}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        proOptions={{ hideAttribution: true }}
        onNodeClick={(_, node) => onChoose(node.id)}
        onSelectionChange={({ nodes: [first] }) => first !== undefined && first.id !== chosen && onChoose(first.id)}
      >
        <Background gap={18} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  )
}

function NodeBox({ data }: { data: Shown }) {
  return (
    <div className={`graph-node ${data.state ?? ''} ${data.wrong ? 'wrong' : ''}`}>
      <Handle type="target" position={Position.Left} />
      <strong className="clip">{data.id}</strong>
      <span className="small muted clip mono">{data.tool}</span>
      {data.state !== undefined && (
        <span className="small">
          {data.state}
          {data.elapsedMs !== undefined && ` · ${formatMs(data.elapsedMs)}`}
        </span>
      )}
      <Handle type="source" position={Position.Right} />
    </div>
  )
}

const NODE_TYPES = { box: NodeBox }

function nodesOf({ draft, chosen, states, problems }: Omit<Props, 'onChoose'>): Node<Shown>[] {
  const depths = depthsIn(draft)
  const rows = new Map<number, number>()
  return draft.nodes.map(({ id, tool }, i) => {
    const column = depths.get(id) ?? 0
    const row = rows.get(column) ?? 0
    rows.set(column, row + 1)
    const { state, elapsedMs } = states[id] ?? {}
    return {
      ...PLACED,
      id,
      type: 'box',
      selected: id === chosen,
      position: { x: column * COLUMN_PX, y: row * ROW_PX },
      data: { id, tool, state, elapsedMs, wrong: problems.some(({ place }) => place.startsWith(`nodes[${i}]`)) },
    }
  })
}

function edgesOf(draft: Draft): Edge[] {
  return (draft.edges ?? []).map(({ from, to, on, when }) => ({
    id: `${from} ${to} ${on}`,
    source: from,
    target: to,
    ...(on !== undefined && on !== 'success' ? { label: on } : when === undefined ? {} : { label: when }),
    markerEnd: { type: MarkerType.ArrowClosed },
    className: `graph-edge ${on ?? 'success'}`,
  }))
}
