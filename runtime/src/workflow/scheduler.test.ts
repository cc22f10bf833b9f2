/** Whatever the graph: every node ends once, none begins early, and nothing runs that was not let through. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collect, engineWith } from '../../test/support/engine.ts'
import { audit } from '../journal/verify.ts'
import { defineTool, type Tool } from '../tool/tool.ts'
import { runWorkflow } from './start.ts'

const graph = fc
  .record({
    nodes: fc.array(fc.record({ fails: fc.boolean(), skipped: fc.boolean() }), { minLength: 1, maxLength: 7 }),
    links: fc.array(fc.tuple(fc.nat(6), fc.nat(6), fc.constantFrom('success', 'error', 'always')), { maxLength: 12 }),
  })
  .map(({ nodes, links }) => ({
    name: 'any',
    nodes: nodes.map(({ fails, skipped }, i) => ({
      id: `n${i}`,
      tool: fails ? 'bad' : 'good',
      ...(skipped ? { when: 'false' } : {}),
      rate_limit: { per_second: 1000, burst: 64 },
    })),
    edges: links
      .filter(([from, to]) => from < to && to < nodes.length)
      .map(([from, to, on]) => ({ from: `n${from}`, to: `n${to}`, on })),
  }))

test('S3-164: any graph of nodes runs to its end, in order', async () => {
  await fc.assert(
    fc.asyncProperty(graph, async (document) => {
      const done: string[] = []
      const make = (name: string, ok: boolean) =>
        defineTool({
          name,
          description: name,
          schema: { type: 'object' },
          execute: async (_, { runId }) => {
            done.push(runId)
            await Promise.resolve()
            return ok ? { ok, text: name } : { ok, error: name }
          },
        }) as Tool
      const engine = await engineWith({ tools: [make('good', true), make('bad', false)] })
      const { events, result } = await collect(runWorkflow(engine, { document, disabledTools: [], envNames: [] }))

      const ids = document.nodes.map(({ id }) => id)
      const seen = (type: 'node.started' | 'node.finished', id: string) =>
        events.flatMap((event, at) => (event.type === type && event.data.node === id ? [at] : []))
      for (const id of ids) {
        expect(seen('node.finished', id), id).toHaveLength(1)
        expect(seen('node.started', id), id).toHaveLength(result.nodes[id]?.state === 'skipped' ? 0 : 1)
      }
      for (const { from, to } of document.edges) {
        const [ended = 0] = seen('node.finished', from)
        for (const began of seen('node.started', to)) expect(began).toBeGreaterThan(ended)
      }
      const allowed = events.filter((event) => event.type === 'gate.decided' && event.data.decision === 'allow')
      expect(done.sort()).toEqual(allowed.map(({ runId }) => runId).sort())
      const failed = ids.filter((id) => result.nodes[id]?.state === 'failed')
      const caught = (id: string) => document.edges.some(({ from, on }) => from === id && on !== 'success')
      expect(result.ok).toBe(failed.every(caught))
      expect((await audit(engine.store)).breaches).toEqual([])
    }),
    { numRuns: 60 },
  )
})
