/** The MCP gateway while its settings change: what holds, from when on, and what stays. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client, ElicitRequest } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type GatewayPlace, makeGatewayPlace, OPEN } from '../support/gateway.ts'

let place: GatewayPlace
beforeEach(() => {
  place = makeGatewayPlace()
})
afterEach(() => place.remove())

const call = (client: Client, name: string, args: Record<string, unknown> = {}) =>
  client.callTool({ name, arguments: args })
const textOf = (result: { content: unknown }) =>
  (result.content as { text?: string }[]).map(({ text = '' }) => text).join('\n')
const TOOLS = [{ name: 'echo' }, { name: 'pid' }, { name: 'hang' }, { name: 'write' }]
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
  const hanging = async () => {
    place.configure({ s: place.plain(TOOLS) })
    const client = await place.connect({ servers: ['s'] })
    const leave = new AbortController()
    const slow = client.callTool({ name: 'hang', arguments: {} }, { signal: leave.signal }).catch(() => {})
    await expect.poll(() => place.of('tool.call').length).toBe(1)
    const end = async () => {
      leave.abort()
      await slow
      await expect.poll(() => place.of('tool.result').length).toBeGreaterThan(0)
    }
    return { client, end }
  }

  test.each<[string, () => void, string]>([
    ['stricter', () => place.configure({ s: place.plain(TOOLS) }, DENY), 'not now'],
    ['broken', () => place.configure({}, '{'), '"security":"{"'],
    ['looser', () => place.configure({ s: place.plain(TOOLS) }, { ...OPEN, rules: [] }), '"rules":[]'],
  ])(
    'X-GATEWAY-13: %s ones let no further call run; those a program could have written are set aside, and that is said',
    async (_how, change, written) => {
      const { client, end } = await hanging()
      change()
      expect(textOf(await call(client, 'echo'))).toContain('settings have changed while a call was running')
      await end()
      const aside = join(place.data, 'refused', 'config.json.refused')
      expect(textOf(await call(client, 'echo'))).toContain(aside)
      expect(readFileSync(aside, 'utf8')).toContain(written)
      expect(place.of('tool.call').filter(({ allowed }) => allowed)).toHaveLength(1)
      const next = await place.connect({ servers: ['s'] })
      expect(textOf(await call(next, 'echo')), 'another session').toBe('{}')
    },
  )

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

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
