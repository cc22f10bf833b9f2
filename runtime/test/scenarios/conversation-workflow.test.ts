/** S3's chain of prepare, agent and persist, as the guide writes it down. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createAgent } from '../../src/assembly/agent.ts'
import { type ScriptEntry, scriptedModel } from '../../src/index.ts'
import { transcriptArchive } from '../../src/storage/transcript-archive.ts'
import { runWorkflow } from '../../src/workflow/start.ts'
import { makePlace, type Place } from '../support/cli.ts'
import { collect } from '../support/engine.ts'
import { runRedis, startRedis, type TestRedis } from '../support/redis.ts'

const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/context-and-tools.md'), 'utf8')
const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(guide) ?? []

let place: Place
let redis: TestRedis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis?.stop())
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

const final = (answer: string): ScriptEntry => ({ purpose: 'main', text: JSON.stringify({ type: 'final', answer }) })

async function talk(context: object, env: Record<string, string> = {}) {
  const requests: { messages: { role: string; content: string }[] }[] = []
  const agent = await createAgent({
    workspace: place.workspace,
    data: ':memory:',
    lang: 'en',
    env,
    model: scriptedModel([final('Hello, 艾达.'), final('You are 艾达.')]),
    record: (line) => requests.push(JSON.parse(line)),
    config: { agent: { context } },
  })
  const say = async (question: string) => {
    const given = { document: parse(yaml), input: { who: 'user 17', question }, disabledTools: [], envNames: [] }
    const { events, result } = await collect(runWorkflow(agent.engine, given))
    return { types: events.map(({ type }) => type), ...result }
  }
  const turns = [await say('My name is 艾达.'), await say('Who am I?')]
  const history = await transcriptArchive(agent.db).read('user 17')
  await agent.close()
  return { turns, requests, history }
}

describe('the conversation of the guide, run twice', () => {
  test('S3-4 S3-18 S3-91 S3-124: the second answer is given in view of the first, and the history is two turns long', async () => {
    const { turns, requests, history } = await talk({})
    expect(turns.map(({ ok }) => ok)).toEqual([true, true])
    expect(turns[1]?.outputs).toMatchObject({ agent: { final_answer: 'You are 艾达.', finish_reason: 'final' } })
    expect(requests[1]?.messages.map(({ content }) => content)).toEqual([
      'My name is 艾达.',
      expect.stringContaining('Hello, 艾达.'),
      'Who am I?',
    ])
    expect(history.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'My name is 艾达.'],
      ['assistant', 'Hello, 艾达.'],
      ['user', 'Who am I?'],
      ['assistant', 'You are 艾达.'],
    ])
    expect(turns[1]?.types).toEqual(expect.arrayContaining(['context.prepared', 'context.persisted']))
  })

  test('S3-159: the same with the history in Redis, where it is a JSON array', async () => {
    const url = redis.createDatabase()
    const { turns, history } = await talk({ backend: 'redis' }, { WRIT_REDIS_URL: url })
    expect(turns.map(({ ok }) => ok)).toEqual([true, true])
    expect(history).toEqual([])
    expect(JSON.parse(String(await runRedis(url, 'GET', 'writ:transcript:user 17')))).toHaveLength(4)
  })
})
