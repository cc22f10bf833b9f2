import { describe, expect, test } from 'vitest'
import type { Lang } from '../base/lang.ts'
import { Registry } from '../tool/registry.ts'
import { defineTool } from '../tool/tool.ts'
import { type CheckDeps, neededInputs, problemsIn } from './check.ts'
import { workflowJsonSchema } from './document.ts'
import { examine } from './examine.ts'
import { type Problem, WorkflowInvalid } from './invalid.ts'
import { checkedWorkflow, parseWorkflow } from './read.ts'
import { workflowTexts } from './texts.ts'

const tool = (name: string) =>
  defineTool({
    name,
    description: name,
    schema: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
    execute: () => '',
  })
const registry = new Registry(['http_request', 'agent_core', 'explore'].map(tool))
const deps: CheckDeps = {
  registry,
  disabledTools: [],
  innerTools: ['explore'],
  envNames: ['HOOK', 'UNSET'],
  env: { HOOK: 'h', SECRET: 's' },
  input: undefined,
}
const node = (id: string, rest: object = {}) => ({ id, tool: 'http_request', args: { url: 'u' }, ...rest })
const look = (document: object, change: Partial<CheckDeps> = {}) =>
  problemsIn(checkedWorkflow({ name: 'w', ...document }, { origin: 'w' }), { ...deps, ...change })
const lines = (problems: readonly Problem[], lang: Lang = 'en') =>
  problems.map(({ place, message }) => `${place}: ${message[lang]}`)

describe('the form of a document', () => {
  const refused = (document: unknown): string[] => {
    try {
      checkedWorkflow(document, { origin: 'w' })
    } catch (error) {
      if (error instanceof WorkflowInvalid) return lines(error.problems)
      throw error
    }
    return []
  }

  test('an unknown key is refused, with a suggestion', () => {
    expect(refused({ name: 'w', nodes: [{ ...node('a'), timeuot: 3 }] })).toEqual([
      'nodes[0].timeuot: unknown key; did you mean nodes[0].timeout?',
    ])
    expect(refused({ nmae: 'w', nodes: [node('a')] }).join()).toContain('nmae: unknown key; did you mean name?')
  })

  test.each([
    [{ nodes: [] }, 'nodes: '],
    [{ nodes: [{ id: '1a', tool: 't' }] }, 'nodes[0].id: '],
    [{ nodes: [node('a', { timeout: 0 })] }, 'nodes[0].timeout: found 0, expected a number from 0.001 to 86400'],
    [
      { nodes: [node('a', { retry: { count: 11 } })] },
      'nodes[0].retry.count: found 11, expected an integer from 1 to 10',
    ],
    [{ nodes: [node('a', { allowed_methods: ['FETCH'] })] }, 'nodes[0].allowed_methods'],
    [{ nodes: [node('a')], edges: [{ from: 'a', to: 'a', on: 'eror' }] }, 'did you mean "error"?'],
  ])('%j is refused with its place', (document, part) => {
    expect(refused({ name: 'w', ...document }).join('\n')).toContain(part)
  })

  test('YAML and JSON are read alike, and say where they are broken', async () => {
    const at = { origin: 'f.yaml' }
    const yaml = await parseWorkflow('name: w\nnodes:\n  - {id: a, tool: t, args: {n: 1, s: "{{external.x}}"}}\n', at)
    const json = await parseWorkflow(
      '{"name":"w","nodes":[{"id":"a","tool":"t","args":{"n":1,"s":"{{external.x}}"}}]}',
      at,
    )
    expect(yaml).toEqual(json)
    await expect(parseWorkflow('name: w\nnodes: [', at)).rejects.toThrow(/line 2, column \d+/)
    await expect(parseWorkflow('{"name": "w", "name": "v"}', at)).rejects.toThrow('unique')
    await expect(parseWorkflow('name: w\nnodes: [{id: a, tool: t, args: {n: .inf}}]', at)).rejects.toThrow(
      'nodes[0].args.n: not representable as JSON',
    )
    await expect(parseWorkflow(`name: ${'['.repeat(200)}${']'.repeat(200)}`, at)).rejects.toThrow('nested too deeply')
  })

  test('a few lines cannot be blown up to a million', async () => {
    const levels = Array.from({ length: 9 }, (_, i) => `x${i + 1}: &x${i + 1} [${Array(9).fill(`*x${i}`).join(',')}]`)
    const bomb = ['name: w', 'x0: &x0 [a]', ...levels].join('\n')
    await expect(parseWorkflow(bomb, { origin: 'f' })).rejects.toThrow()
  })

  test('has a JSON Schema that names every key', () => {
    const schema = JSON.stringify(workflowJsonSchema())
    for (const key of ['allowed_domains', 'allowed_methods', 'rate_limit', 'timeout', 'retry', 'edges', 'inputs'])
      expect(schema).toContain(`"${key}"`)
  })
})

describe('before anything runs', () => {
  test('a good document has no problems', () => {
    const edges = [{ from: 'a', to: 'b', when: "{{nodes.a.state}} == 'done'" }]
    const b = node('b', { args: { url: '{{nodes.a.outputs.url}}?{{env.HOOK}}{{external.x}}' }, when: 'true' })
    expect(look({ nodes: [node('a'), b], edges }, { input: { x: 1 } })).toEqual([])
  })

  test('a tool that is not there is named, and the one that was meant', () => {
    expect(lines(look({ nodes: [{ id: 'a', tool: 'http_requst' }] }))).toEqual([
      'nodes[0].tool: unknown tool "http_requst"; did you mean "http_request"?',
    ])
  })

  test('S3-142: a tool that was taken out of service is refused, and the document says which key did it', () => {
    const problems = look({ nodes: [{ ...node('a'), tool: 'agent_core' }] }, { disabledTools: ['agent_core'] })
    expect(lines(problems)).toEqual(['nodes[0].tool: the tool "agent_core" is disabled (agent.tools.disabled)'])
  })

  test('a tool of an agent’s own run cannot be a node', () => {
    expect(lines(look({ nodes: [{ ...node('a'), tool: 'explore' }] })).join()).toContain('cannot be a node')
  })

  test('arguments without variables are held against the schema of their tool', () => {
    expect(lines(look({ nodes: [{ id: 'a', tool: 'http_request', args: {} }] }))).toEqual([
      "nodes[0].args: arguments must have required property 'url'",
    ])
  })

  test('an id given twice, and an edge to nowhere', () => {
    const edges = [{ from: 'chek', to: 'nowhere' }]
    expect(lines(look({ nodes: [node('check'), node('check')], edges }))).toEqual([
      'nodes[1].id: duplicate node id "check"',
      'edges[0].from: unknown node "chek"; did you mean "check"?',
      'edges[0].to: unknown node "nowhere"',
    ])
  })

  test('nodes that wait for each other are named in order', () => {
    const nodes = [node('a'), node('b'), node('c'), node('d')]
    const way = (from: string, to: string) => ({ from, to })
    expect(lines(look({ nodes, edges: [way('a', 'b'), way('b', 'c'), way('a', 'd'), way('c', 'b')] }))).toEqual([
      'edges[3]: these nodes wait for each other: b → c → b',
    ])
    expect(lines(look({ nodes, edges: [way('a', 'a')] }))).toEqual(['edges[0]: these nodes wait for each other: a → a'])
    expect(look({ nodes, edges: [way('a', 'b'), way('a', 'c'), way('b', 'd'), way('c', 'd')] })).toEqual([])
  })

  test('every variable without a value is refused at its place', () => {
    const args = {
      url: '{{external.gone}}',
      list: ['{{env.SECRET}}', '{{env.UNSET}}'],
      deep: { a: '{{nodes.nob.outputs.x}}', b: '{{nodes.b.outputs.x}}', c: '{{nodes.a.outputs.x}}', d: '{{oops}}' },
    }
    const edges = [{ from: 'a', to: 'b', when: '{{nodes.b.state}} ==' }]
    expect(lines(look({ nodes: [node('a', { args }), node('b')], edges }, { input: {} }))).toEqual([
      'nodes[0].args.url: {{external.gone}} was not given',
      'nodes[0].args.list[0]: {{env.SECRET}} is not available to workflows; add its name to agent.workflow.env',
      'nodes[0].args.list[1]: {{env.UNSET}} is not set',
      'nodes[0].args.deep.a: unknown node "nob"; did you mean "b"?',
      'nodes[0].args.deep.b: "nodes.b.outputs.x" does not run before "a": no path of edges leads from it',
      'nodes[0].args.deep.c: "nodes.a.outputs.x" does not run before "a": no path of edges leads from it',
      expect.stringContaining('nodes[0].args.deep.d: {{oops}} is not a variable'),
      'edges[0].when: invalid condition at column 21',
    ])
  })

  test('a condition on an edge sees the node it leaves, and no later one', () => {
    const nodes = [node('a'), node('b'), node('c')]
    const edges = (when: string) => [
      { from: 'a', to: 'b', when },
      { from: 'b', to: 'c' },
    ]
    expect(look({ nodes, edges: edges('exists({{nodes.a.outputs.x}})') })).toEqual([])
    expect(look({ nodes, edges: edges('exists({{nodes.b.outputs.x}})') })).toHaveLength(1)
    expect(look({ nodes, edges: edges('exists({{nodes.c.outputs.x}})') })).toHaveLength(1)
  })

  test('an input that is nested too deeply to be written down is refused', () => {
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)
    const document = { nodes: [node('a', { args: { url: '{{external.x}}' } })] }
    expect(lines(look(document, { input: { x: deep } }))).toEqual(['external.x: nested too deeply'])
  })

  test('inputs have defaults, are needed or are unknown', () => {
    const document = {
      inputs: { city: { default: 'Berlin' }, unused: {} },
      nodes: [node('a', { args: { url: '{{external.city}}{{external.day}}' }, when: '{{external.go}}' })],
    }
    const workflow = checkedWorkflow({ name: 'w', ...document }, { origin: 'w' })
    expect(neededInputs(workflow)).toEqual(['day', 'go'])
    expect(look(document, { input: { day: 1, go: true, unused: 2 } })).toEqual([])
    expect(lines(look(document, { input: { dya: 1, go: true } }))).toEqual([
      'nodes[0].args.url: {{external.day}} was not given',
      'external.dya: nothing uses the input "dya"; did you mean "day"?',
    ])
  })

  test('is told in both languages', () => {
    const problems = look({ nodes: [node('a', { args: { url: '{{env.X}}' } })] })
    expect(problems[0]?.message.zh).toContain('未向工作流开放')
    const unfit = look({ nodes: [{ id: 'a', tool: 'http_request', args: {} }] })
    expect(lines(unfit, 'zh')).toEqual(['nodes[0].args: 参数缺少 "url"'])
    const texts = (lang: 'en' | 'zh') =>
      JSON.stringify(workflowTexts(lang), (_, value) => (typeof value === 'function' ? String(value) : value))
    expect(texts('en')).not.toMatch(/\p{Script=Han}/u)
    expect(texts('zh')).toMatch(/\p{Script=Han}/u)
  })
})

describe('S3-69: arguments are checked as far as they are known', () => {
  const schema = {
    type: 'object',
    properties: {
      n: { type: 'integer', minimum: 1 },
      kind: { type: 'string', enum: ['a', 'b'] },
      list: { type: 'array', items: { type: 'integer' } },
      text: { type: 'string', maxLength: 5 },
      either: { anyOf: [{ type: 'string', minLength: 50 }, { type: 'array' }] },
    },
    required: ['n'],
    additionalProperties: false,
  }
  const picky = defineTool({ name: 'picky', description: 'picky', schema, execute: () => '' })
  const first = { id: 'first', tool: 'http_request', args: { url: 'u' } }
  const found = (args: object, change: Partial<CheckDeps> = {}) =>
    lines(
      look(
        { nodes: [first, { id: 'x', tool: 'picky', args }], edges: [{ from: 'first', to: 'x' }] },
        { registry: new Registry([tool('http_request'), picky]), ...change },
      ),
    )
  const later = '{{nodes.first.output}}'

  test.each<[object, string[]]>([
    [{ n: 0, text: later }, ['nodes[1].args.n: must be >= 1']],
    [{ text: later }, ["nodes[1].args: arguments must have required property 'n'"]],
    [
      { n: 1, txet: later },
      ['nodes[1].args.txet: arguments must NOT have additional properties ("txet"; did you mean "text"?)'],
    ],
    [{ n: `no. ${later}` }, ['nodes[1].args.n: must be integer']],
    [{ n: 1, kind: 'c', text: later }, ['nodes[1].args.kind: must be equal to one of the allowed values (a, b)']],
    [{ n: 1, list: [later, 'x'] }, ['nodes[1].args.list[1]: must be integer']],
    [{ n: later, kind: later, list: later, text: `longer than five ${later}`, either: later }, []],
  ])('%j: %j', (args, problems) => expect(found(args)).toEqual(problems))

  test('what is given, a default and the environment are known', () => {
    const args = { n: '{{external.n}}', text: '{{env.HOOK}}' }
    expect(found(args, { input: { n: 0 } })).toEqual(['nodes[1].args.n: must be >= 1'])
    expect(found(args, { input: { n: 3 } })).toEqual([])
    expect(found(args, { input: { n: 3 }, env: { HOOK: 'far too long' } })).toEqual([
      'nodes[1].args.text: must NOT have more than 5 characters',
    ])
    expect(found(args)).toEqual([])
  })
})

describe('S3-164: an input that a condition asks for with exists', () => {
  const quiet = { nodes: [node('a', { when: 'not exists({{external.quiet}})' })] }

  test('need not be given', () => {
    expect(look(quiet, { input: {} })).toEqual([])
    expect(look(quiet, { input: { quiet: true } })).toEqual([])
    expect(neededInputs(checkedWorkflow({ name: 'w', ...quiet }, { origin: 'w' }))).toEqual([])
  })

  test('nor in the same condition, nor in the node that is left out without it', () => {
    const when = "exists({{external.note}}) and {{external.note}} != ''"
    const document = { nodes: [node('a', { when, args: { url: '{{external.note}}' } })] }
    expect(look(document, { input: {} })).toEqual([])
    expect(look(document, { input: { note: 'n' } })).toEqual([])
    const wrong = { nodes: [node('a', { when: 'not exists({{external.note}})', args: { url: '{{external.note}}' } })] }
    expect(lines(look(wrong, { input: {} }))).toEqual(['nodes[0].args.url: {{external.note}} was not given'])
  })
})

describe('S3-65: form and meaning are told together', () => {
  test('a document that is wrong in both', () => {
    const raw = {
      name: 'w',
      nmae: 'x',
      nodes: [
        { id: 'a', tool: 'http_request', args: {}, timeuot: 1 },
        { id: 'b', tool: 'nothing', timeout: 0 },
        { tool: 'http_request', args: { url: 'u' } },
        'no node',
      ],
      edges: [{ from: 'a', to: 'c' }, { from: 'a' }],
    }
    const { workflow, problems } = examine(raw, deps)
    expect(workflow).toBeUndefined()
    expect(problems.map(({ place }) => place).sort()).toEqual([
      'edges[0].to',
      'edges[1].to',
      'nmae',
      'nodes[0].args',
      'nodes[0].timeuot',
      'nodes[1].timeout',
      'nodes[1].tool',
      'nodes[2].id',
      'nodes[3]',
    ])
  })

  test.each([null, [], 'text', 7, { nodes: 'x', edges: 3, inputs: [] }])('%j is refused', (raw) => {
    expect(examine(raw, deps).problems).not.toEqual([])
  })
})
