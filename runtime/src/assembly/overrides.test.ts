import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drain } from '../base/wait.ts'
import { createAgent } from './agent.ts'

test('a workflow resumed by another agent keeps the overrides it began under, and gets that agent’s own', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'writ-overrides-'))
  for (const name of ['plans.txt', 'notes.txt', 'open.txt']) writeFileSync(join(workspace, name), name)
  const blocking = (name: string) => [{ origin: name, raw: { agent: { security: { blockedPaths: [name] } } } }]
  const env = { PATH: process.env.PATH, HOME: workspace }
  const at = { workspace, data: join(workspace, '.writ'), env, config: {}, model: 'rules' } as const
  const one = await createAgent({ ...at, overrides: blocking('plans.txt') })
  const names = ['plans.txt', 'notes.txt', 'open.txt']
  const document = {
    name: 'w',
    nodes: [
      { id: 'first', tool: 'file_list', args: { path: '.' } },
      ...names.map((path, i) => ({ id: `read${i}`, tool: 'file_read', args: { path } })),
    ],
    edges: names.map((_, i) => ({ from: 'first', to: `read${i}` })),
  }
  for await (const { type } of one.workflows.stream(document)) if (type === 'node.finished') break
  const [open] = await one.store.listRuns({ open: true })
  await one.close()

  const other = await createAgent({ ...at, overrides: blocking('notes.txt') })
  const { nodes } = await drain(other.workflows.resume(open?.runId ?? ''))
  expect(nodes).toMatchObject({
    first: { state: 'done' },
    read0: { state: 'failed' },
    read1: { state: 'failed' },
    read2: { state: 'done' },
  })
  await other.close()
  rmSync(workspace, { recursive: true })
})
