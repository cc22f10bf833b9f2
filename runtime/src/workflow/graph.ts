/** The order of the nodes. */
import type { Workflow } from './document.ts'

type Edges = Pick<Workflow, 'nodes' | 'edges'>

/** For each node, all nodes with a path to it. Cycles are allowed. */
export function ancestorsIn({ nodes, edges }: Edges): Map<string, Set<string>> {
  const parents = Map.groupBy(edges, ({ to }) => to)
  return new Map(
    nodes.map(({ id }) => {
      const found = new Set<string>()
      const open = [id]
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        for (const { from } of parents.get(next) ?? []) {
          if (found.has(from)) continue
          found.add(from)
          open.push(from)
        }
      }
      return [id, found]
    }),
  )
}

/** A cycle, and the edge that closes it. */
export function cycleIn({ nodes, edges }: Edges): { edge: number; nodes: string[] } | undefined {
  const leaving = Map.groupBy(
    edges.map((edge, index) => ({ ...edge, index })),
    ({ from }) => from,
  )
  const done = new Set<string>()
  for (const { id } of nodes) {
    // The path from `id` to the current node, each with the edges that have not been tried.
    const way = [{ node: id, left: [...(leaving.get(id) ?? [])] }]
    while (way.length > 0) {
      const here = way.at(-1)
      const edge = here?.left.shift()
      if (here === undefined || edge === undefined) {
        if (here !== undefined) done.add(here.node)
        way.pop()
        continue
      }
      const start = way.findIndex(({ node }) => node === edge.to)
      if (start >= 0) return { edge: edge.index, nodes: [...way.slice(start).map(({ node }) => node), edge.to] }
      if (!done.has(edge.to)) way.push({ node: edge.to, left: [...(leaving.get(edge.to) ?? [])] })
    }
  }
  return undefined
}
