/** An "always" for a command that reaches a host: this command, this host, for the rest of the session. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Confirm, createAgent, type Event, scriptedModel } from '../../src/index.ts'
import { makePlace, type Place } from '../support/cli.ts'
import { type Site, startSite } from '../support/site.ts'

let place: Place
let site: Site
let other: Site
beforeEach(async () => {
  place = makePlace()
  site = await startSite({ '/': 'the first page', '/next': 'the next page' })
  other = await startSite({ '/': 'another host' })
})
afterEach(async () => {
  await site.stop()
  await other.stop()
  place.remove()
})

test('S1-98 S1-99 S1-107: after `a` for curl to a host the next call reaches it unasked; another host is asked about', async () => {
  const lines = [`curl -sS ${site.url()}`, `curl -sS ${site.url('/next')}`, `curl -sS ${other.url()}`]
  const asked: string[] = []
  const confirm: Confirm = async ({ preview }) => {
    asked.push(preview)
    return asked.length === 1 ? 'a' : 'n'
  }
  const agent = await createAgent({
    workspace: place.workspace,
    data: ':memory:',
    lang: 'en',
    model: scriptedModel([
      ...lines.map((command) => ({ purpose: 'main' as const, calls: [{ tool: 'shell', args: { command } }] })),
      { purpose: 'main', text: 'done' },
    ]),
    config: {
      agent: {
        execution: { intentGuard: { enabled: false } },
        routing: { enabled: false },
        security: { allowedHosts: [site.host, other.host] },
      },
    },
    env: { PATH: process.env.PATH ?? '', HOME: place.root },
    confirm,
  })
  const events: Event[] = []
  for await (const event of agent.stream(`run ${lines.join(' then ')}`)) events.push(event)
  await agent.close()

  expect(asked).toEqual([lines[0], lines[2]])
  const results = events.flatMap((event) => (event.type === 'tool.result' ? [event.data.observation] : []))
  expect(results).toMatchObject([
    { outcome: 'ok', text: expect.stringContaining('the first page') },
    { outcome: 'ok', text: expect.stringContaining('the next page') },
    { outcome: 'denied', code: 'USER_REJECTED' },
  ])
  expect(site.visits.filter((visit) => visit !== 'connection')).toEqual(['GET /', 'GET /next'])
  expect(other.visits).toEqual([])
})
