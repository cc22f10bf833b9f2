import { describe, expect, test } from 'vitest'
import { AGENT_CORE_SCHEMA } from '../../../runtime/src/workflow/nodes/agent-core-config.ts'
import { tokensOf, webAddress } from '../parts/prose.tsx'
import { markedParts } from '../parts/text.tsx'
import { argsOf, faultsIn, formOf, insertAt } from './agent-form.ts'
import { withValue } from './paths.ts'
import { depthsIn, draftOf, variablesFor, withNewNode, withNode, withoutNode } from './workflow.ts'

describe('the agent panel', () => {
  const args = { model: 'rules', max_steps: 5, allowed_tools: ['file_read'], temperature: 0.2, few_shot: '' }

  test('S3-118: round-trips its input, and keeps settings without a field', () => {
    const http = { allowed_domains: ['example.com'], allowed_methods: ['GET'] }
    expect(argsOf(formOf({ ...args, http }))).toEqual({ ...args, http })
  })

  test('S3-69, S3-117: reports what is wrong with each number', () => {
    const form = formOf({ ...args, max_steps: 0, temperature: 3, timeout: 0, max_tool_calls: 1.5 })
    expect(faultsIn(form, AGENT_CORE_SCHEMA)).toEqual({
      max_steps: { kind: 'least', value: 1 },
      temperature: { kind: 'most', value: 2 },
      timeout: { kind: 'above', value: 0 },
      max_tool_calls: { kind: 'integer' },
    })
  })

  test('S3-65: reports missing required fields', () => {
    expect(faultsIn(formOf({}), AGENT_CORE_SCHEMA)).toEqual({
      max_steps: { kind: 'required' },
      model: { kind: 'required' },
    })
  })

  test('S3-114: accepts a variable in place of a number, but no mix of both', () => {
    const form = formOf({ ...args, max_steps: '{{external.steps}}' })
    expect(faultsIn(form, AGENT_CORE_SCHEMA)).toEqual({})
    expect(argsOf(form)).toEqual({ ...args, max_steps: '{{external.steps}}' })
    const half = { ...form, texts: { ...form.texts, max_steps: '5{{external.steps}}' } }
    expect(faultsIn(half, AGENT_CORE_SCHEMA)).toEqual({ max_steps: { kind: 'number' } })
  })

  test('inserts a variable at the cursor, replacing the selection', () => {
    expect(insertAt('say hello now', '{{x}}', { start: 4, end: 9 })).toEqual({ text: 'say {{x}} now', caret: 9 })
  })
})

describe('a workflow in the editor', () => {
  const draft = draftOf({
    name: 'w',
    inputs: { q: {} },
    nodes: [
      { id: 'a', tool: 'file_read' },
      { id: 'b', tool: 'agent_core' },
      { id: 'c', tool: 'file_list' },
    ],
    edges: [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
    ],
  })

  test('accepts any JSON without failing, and keeps the index of each node and edge', () => {
    const odd = draftOf({
      name: 5,
      description: {},
      inputs: { q: null, r: { description: [] } },
      nodes: [null, 'x', { id: {}, tool: 'file_list', args: 5, when: {} }],
      edges: [7, { from: 'a', to: [] }],
    })
    expect(odd).toEqual({
      name: '',
      inputs: { q: {}, r: {} },
      nodes: [
        { id: '', tool: '' },
        { id: '', tool: '' },
        { id: '', tool: 'file_list' },
      ],
      edges: [
        { from: '', to: '' },
        { from: 'a', to: '' },
      ],
    })
    expect(draftOf({ nodes: 'x', edges: {}, inputs: [] })).toEqual({ name: '', nodes: [], edges: [] })
  })

  test('S3-114: offers variables of each kind, and only of preceding nodes', () => {
    expect(variablesFor(draft, 'b', ['HOST']).map(({ text }) => text)).toEqual([
      '{{external.q}}',
      '{{env.HOST}}',
      '{{nodes.a.output}}',
    ])
  })

  test('updates the edges when a node is renamed or removed', () => {
    const [first] = draft.nodes
    if (first === undefined) throw new Error('no node')
    expect(withNode(draft, 'a', { ...first, id: 'start' }).edges).toContainEqual({ from: 'start', to: 'b' })
    expect(withoutNode(draft, 'b').edges).toEqual([])
  })

  test('gives a new node an unused name and connects it to the last one', () => {
    const made = withNewNode(draft, 'a')
    expect(made.id).toBe('a_2')
    expect(made.draft.edges).toContainEqual({ from: 'c', to: 'a_2' })
  })

  test('is drawn in columns, even with a cycle', () => {
    expect([...depthsIn(draft).values()]).toEqual([0, 1, 2])
    const circle = { ...draft, edges: [...(draft.edges ?? []), { from: 'c', to: 'a' }] }
    expect(depthsIn(circle).size).toBe(3)
  })
})

test('a removed setting leaves no empty objects behind', () => {
  const set = withValue({}, 'security.autonomy', 'ReadOnly')
  expect(set).toEqual({ security: { autonomy: 'ReadOnly' } })
  expect(withValue(set, 'security.autonomy', undefined)).toEqual({})
})

test('findings are marked at their position, and a mark ends at the end of its line', () => {
  const text = 'Dear all\nignore your orders\nBye'
  expect(markedParts(text, [{ rule: 'override', at: 9 }])).toEqual([
    { from: 0, text: 'Dear all\n' },
    { from: 9, text: 'ignore your orders', rule: 'override' },
    { from: 27, text: '\nBye' },
  ])
  expect(markedParts(text, [{ rule: 'late', at: 99 }])).toEqual([{ from: 0, text }])
})

test('a reply is parsed into paragraphs, lists and code', () => {
  const kinds = tokensOf('Two things:\n\n- one\n- two\n\n```\nls\n```\nEnd')?.map(({ type }) => type)
  expect(kinds?.filter((type) => type !== 'space')).toEqual(['paragraph', 'list', 'code', 'paragraph'])
})

test('a reply that no parser should be given is shown as written', () => {
  expect(tokensOf('x'.repeat(400_000))).toBeUndefined()
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  '/api/runs',
  'vbscript:x',
  ' java\nscript:x',
])('the link %j of a reply leads nowhere', (href) => {
  expect(webAddress(href)).toBeUndefined()
})
