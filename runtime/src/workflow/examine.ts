/** Finds every problem of a document before it runs, in its schema and in its meaning. */
import { isObject } from '../base/json.ts'
import { type CheckDeps, problemsIn } from './check.ts'
import { type Workflow, workflowSchema } from './document.ts'
import { type Problem, WorkflowInvalid } from './invalid.ts'
import { shapeOf } from './read.ts'

/** Throws WorkflowInvalid with every problem. */
export function demandRunnable(raw: unknown, deps: CheckDeps, origin: string): Workflow {
  const { workflow, problems } = examine(raw, deps)
  if (workflow === undefined || problems.length > 0) throw new WorkflowInvalid(problems, { origin })
  return workflow
}

/** `workflow` is absent if the document does not match the schema. */
export function examine(raw: unknown, deps: CheckDeps): { workflow?: Workflow; problems: Problem[] } {
  const shape = shapeOf(raw)
  if (shape.workflow !== undefined) return { workflow: shape.workflow, problems: problemsIn(shape.workflow, deps) }
  if (!shape.legible) return { problems: shape.problems }
  const known = shape.problems.map(({ place }) => place)
  // That part has been reported; problems that follow from it would only be noise.
  const meant = problemsIn(legible(raw), deps).filter(
    ({ place }) => !known.some((one) => place === one || one.startsWith(`${place}.`) || place.startsWith(`${one}.`)),
  )
  return { problems: [...shape.problems, ...meant] }
}

/** The readable parts of a document that does not match the schema; every node and edge keeps its number. */
function legible(raw: unknown): Workflow {
  const { inputs, nodes, edges } = isObject(raw) ? raw : {}
  const list = (value: unknown) => (Array.isArray(value) ? value : [])
  const { node, edge } = PARTS
  return {
    name: '',
    inputs: Object.fromEntries(
      Object.entries(isObject(inputs) ? inputs : {}).map(([name, one]) => [name, Object(one)]),
    ),
    nodes: list(nodes).map((one) => ({ ...NODE, ...readable(one, node) })),
    edges: list(edges).map((one) => ({ ...EDGE, ...readable(one, edge) })),
  }
}

const { nodes: nodeList, edges: edgeList } = workflowSchema.shape
const PARTS = { node: nodeList.element.shape, edge: edgeList.unwrap().element.shape }
const NODE = { id: '', tool: '', args: {}, rate_limit: { per_second: 5, burst: 10 } }
const EDGE = { from: '', to: '', on: 'success' as const }

/** The keys of an object whose values match the schema. */
function readable(value: unknown, shape: Record<string, { safeParse(one: unknown): { success: boolean } }>): object {
  if (!isObject(value)) return {}
  return Object.fromEntries(Object.entries(value).filter(([key, one]) => shape[key]?.safeParse(one).success === true))
}
