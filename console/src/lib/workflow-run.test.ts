import { expect, test } from 'vitest'
import type { Event } from './wire.ts'
import { workflowRunOf } from './workflow-run.ts'

const event = (type: Event['type'], data: object) => ({ type, data }) as unknown as Event
const document = {
  description: 'reads and tells',
  inputs: { file: { default: 'other.md' }, tone: { default: 'calm' } },
  nodes: [
    { id: 'read', tool: 'file_read', args: { path: '{{external.file}}' } },
    { id: 'tell', tool: 'http_request', when: 'nodes.read.output' },
    { id: 'later', tool: 'file_list' },
  ],
}

test('X-CONSOLE-6: every node of the document is shown: done, skipped with its reason, and not yet started', () => {
  const view = workflowRunOf([
    event('workflow.started', { workflow: 'w', nodes: 3, document, input: { file: 'a.md' } }),
    event('node.started', { node: 'read', tool: 'file_read', runId: 'run_1', attempt: 1 }),
    event('node.started', { node: 'read', tool: 'file_read', runId: 'run_2', attempt: 2 }),
    event('node.finished', {
      node: 'read',
      ok: true,
      elapsedMs: 4,
      state: 'done',
      outputs: { text: 'x' },
      trust: 'external',
    }),
    event('node.finished', {
      node: 'tell',
      ok: false,
      elapsedMs: 0,
      state: 'skipped',
      message: 'its condition is false',
    }),
  ])
  expect(view).toMatchObject({ name: 'w', description: 'reads and tells', input: { file: 'a.md', tone: 'calm' } })
  expect(view?.nodes).toMatchObject([
    { id: 'read', state: 'done', attempts: 2, runId: 'run_2', outputs: { text: 'x' }, external: true },
    { id: 'tell', state: 'skipped', attempts: 0, message: 'its condition is false', when: 'nodes.read.output' },
    { id: 'later', state: 'waiting' },
  ])
})

test('a journal of an older version without the document still lists the nodes that started', () => {
  const view = workflowRunOf([
    event('workflow.started', { workflow: 'w', nodes: 1 }),
    event('node.started', { node: 'read', tool: 'file_read' }),
    event('node.finished', { node: 'read', ok: false, elapsedMs: 4 }),
  ])
  expect(view?.nodes).toMatchObject([{ id: 'read', tool: 'file_read', state: 'failed' }])
})

test('other runs are not workflow runs', () => {
  expect(workflowRunOf([event('run.started', { task: 'x' })])).toBeUndefined()
})
