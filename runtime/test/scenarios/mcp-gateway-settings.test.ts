/** The MCP gateway while its settings change: what holds, from when on, and what stays. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Client, ElicitRequest } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rememberedRules } from '../../src/config/remembered-rules.ts'
import { call, type GatewayPlace, isAlive, makeGatewayPlace, OPEN, textOf } from '../support/gateway.ts'

let place: GatewayPlace
beforeEach(() => {
  place = makeGatewayPlace()
})
afterEach(() => place.remove())

const TOOLS = [{ name: 'echo' }, { name: 'pid' }, { name: 'hang' }, { name: 'write' }]
const ASK = { autonomy: 'Supervised' }
const ALLOW = { ...ASK, rules: [{ tool: ['mcp__s__hang', 'mcp__s__echo'], decide: 'allow' }] }
const DENY = { autonomy: 'Full', rules: [{ tool: 'mcp__s__echo', decide: 'deny', reason: 'not now' }] }

describe('what is taken away in the settings', () => {
  test.each<[string, () => void]>([
    [
      'a disabled tool',
      () => place.configure({ s: place.plain(TOOLS) }, OPEN, { tools: { disabled: ['mcp__s__echo'] } }),
    ],
    ['a disabled server', () => place.configure({ s: { ...place.plain(TOOLS), enabled: false } })],
    ['a tool that is no longer listed', () => place.configure({ s: { ...place.plain(TOOLS), tools: ['pid'] } })],
    ['a removed server', () => place.configure({})],
  ])('X-GATEWAY-13: %s is gone for a connected client, and back when it is configured again', async (_what, change) => {
    place.configure({ s: place.plain(TOOLS) })
    const client = await place.connect({ servers: ['s'] })
    expect(textOf(await call(client, 'echo'))).toBe('{}')
    change()
    await expect(call(client, 'echo')).rejects.toThrow('Unknown tool')
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('echo')
    place.configure({ s: place.plain(TOOLS) })
    expect(textOf(await call(client, 'echo'))).toBe('{}')
  })

  test('X-GATEWAY-13: the process of a removed server ends, and the others keep their names', async () => {
    const [one, two] = [place.plain(TOOLS), place.plain(TOOLS)]
    place.configure({ one, two })
    const client = await place.connect({ servers: ['one', 'two'] })
    const pid = Number(textOf(await call(client, 'one__pid')))
    place.configure({ two })
    expect(textOf(await call(client, 'two__echo'))).toBe('{}')
    await expect.poll(() => isAlive(pid)).toBe(false)
    await expect(call(client, 'one__pid')).rejects.toThrow('Unknown tool')
  })
})

describe('settings that change while a call runs', () => {
  const hanging = async (security: object = OPEN) => {
    place.configure({ s: place.plain(TOOLS) }, security)
    const client = await place.connect({ servers: ['s'] })
    const leave = new AbortController()
    const slow = client.callTool({ name: 'hang', arguments: {} }, { signal: leave.signal }).catch(() => {})
    await expect.poll(() => place.of('tool.call').length).toBe(1)
    const end = async () => {
      leave.abort()
      await slow
      await expect.poll(() => place.of('tool.result').filter(({ tool }) => tool === 'mcp__s__hang').length).toBe(1)
    }
    return { client, end }
  }
  const CHANGED = 'settings have changed while a call was running'
  const open = () => place.configure({ s: place.plain(TOOLS) }, { ...OPEN, rules: [] })

  test.each<[string, object, () => void, RegExp, string]>([
    ['stricter ones hold at once', OPEN, () => place.configure({ s: place.plain(TOOLS) }, DENY), /not now/, '"deny"'],
    ['unreadable ones let nothing run', OPEN, () => place.configure({}, '{'), new RegExp(CHANGED), '"security":"{"'],
    ['looser ones loosen nothing', DENY, open, /not now/, '"rules":[]'],
    [
      'an allow that is gone allows nothing',
      ALLOW,
      () => place.configure({ s: place.plain(TOOLS) }, ASK),
      /until/,
      '"Supervised"',
    ],
    ['calls of a server that is gone are denied', OPEN, () => place.configure({}), new RegExp(CHANGED), '"servers":{}'],
    [
      'disabled tools are gone',
      OPEN,
      () => place.configure({ s: place.plain(TOOLS) }, OPEN, { tools: { disabled: ['mcp__s__echo'] } }),
      new RegExp(CHANGED),
      '"disabled"',
    ],
  ])(
    'X-GATEWAY-13: %s, for every client; what a program could have written is set aside, and that is said',
    async (_how, before, change, said, written) => {
      const { client, end } = await hanging(before)
      const other = await place.connect({ servers: ['s'] })
      change()
      expect(textOf(await call(client, 'echo'))).toMatch(said)
      expect(textOf(await call(other, 'echo')), 'another client').toMatch(said)
      await end()
      const aside = join(place.data, 'refused', 'config.json.refused')
      expect(textOf(await call(client, 'echo'))).toContain(aside)
      expect(readFileSync(aside, 'utf8')).toContain(written)
      expect(place.of('tool.call').filter(({ allowed }) => allowed)).toHaveLength(1)
    },
  )

  test('X-GATEWAY-13: a change that concerns other calls holds back no client', async () => {
    const { client, end } = await hanging()
    const other = await place.connect({ servers: ['s'] })
    place.configure({ s: place.plain(TOOLS) }, { ...OPEN, rules: [{ tool: 'mcp__s__pid', decide: 'deny' }] })
    for (const each of [client, other]) {
      expect(textOf(await call(each, 'echo'))).toBe('{}')
      expect(await call(each, 'pid')).toMatchObject({ isError: true })
    }
    await end()
    const next = await place.connect({ servers: ['s'] })
    expect(textOf(await call(next, 'echo')), 'another session').toBe('{}')
  })

  test('X-GATEWAY-13: an open question holds back no change of the settings', async () => {
    place.configure({ s: place.plain(TOOLS) }, ASK)
    const answer = Promise.withResolvers<object>()
    const client = await place.connect({ servers: ['s'] }, { capabilities: { elicitation: { form: {} } } })
    client.setRequestHandler('elicitation/create', () => answer.promise as never)
    const waiting = call(client, 'pid')
    await expect.poll(() => place.of('gate.decided').length).toBe(1)
    open()
    const other = await place.connect({ servers: ['s'] })
    expect(textOf(await call(other, 'echo')), 'looser').toContain('until a person approves')
    answer.resolve({ action: 'accept', content: { approve: true } })
    expect(textOf(await waiting)).toContain('until a person approves')
  })

  test('X-GATEWAY-13: unchanged settings let calls run beside each other', async () => {
    const { client, end } = await hanging()
    expect(textOf(await call(client, 'echo'))).toBe('{}')
    await end()
  })

  test('X-GATEWAY-13: a yes that comes after the settings have changed runs nothing', async () => {
    place.configure({ s: place.plain(TOOLS) }, { autonomy: 'Supervised' })
    const client = await place.connect({ servers: ['s'] }, { capabilities: { elicitation: { form: {} } } })
    client.setRequestHandler('elicitation/create', () => {
      place.configure({ s: place.plain(TOOLS) }, { ...DENY, autonomy: 'Supervised' })
      return { action: 'accept', content: { approve: true } }
    })
    expect(textOf(await call(client, 'echo'))).toContain('until a person approves')
    expect(place.of('tool.call').filter(({ allowed }) => allowed)).toEqual([])
  })
})

describe('settings that change between calls', () => {
  const GO = { tool: 'mcp__s__echo', decide: 'allow' }
  const refused = async (client: Client) => {
    const text = textOf(await call(client, 'echo'))
    expect(text).toMatch(/until a person approves|needs approval/)
    expect(text).toContain('what is looser in them holds after its next start')
  }

  test.each<[string, object, object]>([
    ['more autonomy', ASK, OPEN],
    ['a rule that allows', ASK, { ...ASK, rules: [GO] }],
    ['a rule that asked is gone', { ...OPEN, rules: [{ ...GO, decide: 'ask' }] }, OPEN],
    ['looser in one thing, stricter in another', ASK, { ...OPEN, blockedPaths: ['secret'] }],
  ])('X-GATEWAY-13: %s: loosens nothing before the next start, and that is said once', async (_what, before, now) => {
    place.configure({ s: place.plain(TOOLS) }, before)
    const client = await place.connect({ servers: ['s'] })
    await call(client, 'pid')
    expect(place.warnings).toEqual([])
    place.configure({ s: place.plain(TOOLS) }, now)
    for (const each of [client, await place.connect({ servers: ['s'] })]) await refused(each)
    await refused(client)
    expect(place.warnings.filter((line) => /settings have changed.*config\.json/.test(line))).toHaveLength(2)
    await place.restart()
    expect(textOf(await call(await place.connect({ servers: ['s'] }), 'echo'))).toBe('{}')
  })

  test('X-GATEWAY-13: stricter ones hold at once, and those of the start again, with a broken file in between', async () => {
    place.configure({ s: place.plain(TOOLS) })
    const client = await place.connect({ servers: ['s'] })
    place.configure({ s: place.plain(TOOLS) }, DENY)
    expect(textOf(await call(client, 'echo'))).toContain('not now')
    place.configure({}, '{')
    expect(textOf(await call(client, 'echo'))).toContain('could not judge')
    place.configure({ s: place.plain(TOOLS) }, { ...OPEN, provenance: 'off' })
    expect(textOf(await call(client, 'echo')), 'looser: the last ones stay').toContain('not now')
    place.configure({ s: place.plain(TOOLS) })
    expect(textOf(await call(client, 'echo'))).toBe('{}')
    expect(place.warnings).toHaveLength(1)
  })

  test('X-GATEWAY-13: a server that was added or is another program now is not started', async () => {
    const [one, two] = [place.plain(TOOLS), place.plain(TOOLS)]
    place.configure({ one, two: { ...two, enabled: false } })
    const client = await place.connect({ servers: ['one', 'two'] })
    place.configure({ one, two })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
    place.configure({ one: { ...one, args: ['/tmp/other.js'] }, two })
    expect(textOf(await call(client, 'echo'))).toContain('settings have changed')
  })

  test("X-GATEWAY-13: Writ's own tools go on where only rules were loosened", async () => {
    writeFileSync(join(place.project, 'a.txt'), 'hello')
    place.configure({}, ASK)
    const client = await place.connect({ own: true })
    place.configure({}, { ...ASK, rules: [GO] })
    expect(textOf(await call(client, 'file_read', { path: 'a.txt' }))).toContain('hello')
    place.configure({}, { ...OPEN, blockedPaths: ['a.txt'] })
    expect(textOf(await call(client, 'file_read', { path: 'a.txt' }))).not.toContain('hello')
  })

  test('X-GATEWAY-13: a rule that a program stored does not hold; one that a person remembered in an answer does', async () => {
    place.configure({ s: place.plain(TOOLS) }, ASK)
    const client = await place.connect({ servers: ['s'] })
    const [, run = ''] = /writ resume (\S+) --data/.exec(textOf(await call(client, 'echo'))) ?? []
    const rules = rememberedRules(join(place.env.HOME ?? '', '.config/writ'), place.project)
    const store = (tool: string) => rules.add([{ tool, decide: 'allow' }], { scope: 'always', by: 'ann', at: 1 })
    await store('mcp__s__pid')
    expect(await call(client, 'pid')).toMatchObject({ isError: true })
    await place.answer(run, 'remember')
    expect(textOf(await call(client, 'echo'))).toBe('{}')
    expect(textOf(await call(client, 'echo', { again: 1 }))).toBe('{"again":1}')
    expect(await call(client, 'pid')).toMatchObject({ isError: true })
  })
})

test('X-GATEWAY-13: a program that changes the settings stops the session for good, and the result says what was done', async () => {
  place.configure({ s: place.plain(TOOLS) })
  const folder = join(place.env.HOME ?? '', '.config/writ')
  const file = join(folder, 'agent.config.json')
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, '{"agent":{}}')
  const client = await place.connect({ servers: ['s'] })
  const wanted = '{"agent":{"security":{"autonomy":"Full"}}}'
  const told = await call(client, 'write', { at: file.split('/'), content: wanted })
  expect(told).toMatchObject({ isError: true })
  expect(textOf(told)).toContain(file)
  expect(readFileSync(file, 'utf8')).toBe('{"agent":{}}')
  const aside = join(place.data, 'refused', 'agent.config.json.refused')
  expect(textOf(told)).toContain(aside)
  expect(readFileSync(aside, 'utf8')).toBe(wanted)
  expect(readdirSync(place.project).join()).not.toContain('refused')
  for (const _ of [1, 2]) expect(textOf(await call(client, 'echo'))).toMatch(/^Denied by Writ/)
  expect(place.of('run.started')).toHaveLength(1)
})

test('X-GATEWAY-13: packages that an agent installs for its plugins during a call stay, its plugins do not', async () => {
  place.configure({ s: place.plain(TOOLS) })
  const own = join(place.env.HOME ?? '', '.config/opencode')
  const [library, plugin] = [join(own, 'node_modules/zod/index.js'), join(own, 'plugin/other.js')]
  for (const file of [library, plugin]) mkdirSync(dirname(file), { recursive: true })
  const client = await place.connect({ servers: ['s'] })
  expect(textOf(await call(client, 'write', { at: library.split('/'), content: 'new' }))).not.toContain('Denied')
  expect(readFileSync(library, 'utf8')).toBe('new')
  expect(textOf(await call(client, 'write', { at: plugin.split('/'), content: 'new' }))).toContain(plugin)
  expect(existsSync(plugin)).toBe(false)
})

describe('a long call', () => {
  const asking = async () => {
    place.configure({ s: place.plain(TOOLS) }, { autonomy: 'Supervised' })
    const client = await place.connect({ servers: ['s'] }, { capabilities: { elicitation: { form: {} } } })
    const asked: ElicitRequest['params'][] = []
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params)
      return { action: 'accept', content: { approve: true } }
    })
    return { client, asked }
  }

  test('X-GATEWAY-14: what a form cannot show whole waits for a person, who sees every argument', async () => {
    const { client, asked } = await asking()
    const refused = await call(client, 'echo', { pad: 'lorem ipsum '.repeat(900), cmd: 'DANGEROUS' })
    expect(textOf(refused)).toContain('until a person approves')
    expect(asked).toEqual([])
    expect(place.of('confirm.asked')).toMatchObject([
      { question: { preview: expect.stringContaining('"cmd": "DANGEROUS"') } },
    ])
  })

  test('X-GATEWAY-14: one that fits is shown whole', async () => {
    const { client, asked } = await asking()
    await call(client, 'echo', { pad: 'lorem ipsum '.repeat(500), cmd: 'LAST' })
    expect(asked).toMatchObject([{ message: expect.stringContaining('"cmd": "LAST"') }])
  })
})

test('X-GATEWAY-15: a resource that another server lists too stays with the one that listed it first', async () => {
  place.configure({ one: place.everything, two: place.everything })
  const client = await place.connect({ servers: ['one', 'two'] })
  const { resources } = await client.listResources()
  const { nextCursor = '' } = await client.listResources({ cursor: '0:' })
  const again = nextCursor === '' ? [] : (await client.listResources({ cursor: nextCursor })).resources
  expect(new Set([...resources, ...again].map(({ uri }) => uri)).size).toBe(
    new Set(resources.map(({ uri }) => uri)).size,
  )
  const [first] = resources
  await client.readResource({ uri: first?.uri ?? '' })
  expect(place.of('gate.decided')).toMatchObject([{ tool: expect.stringMatching(/^mcp__one__/) }])
  expect(place.warnings.join('\n')).toContain('one has listed it already')
})
