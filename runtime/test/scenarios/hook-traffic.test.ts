/** The recorded traffic of real agents: their hooks are answered now as when they were tried. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ask } from '../../bin/hook-client.js'
import { type Daemon, startDaemon } from '../../src/assembly/hook-daemon.ts'
import { type Guard, openGuard } from '../../src/index.ts'
import { AGENTS, type AgentName } from '../../src/outside/agents.ts'
import { type AgentCase, type CasePlaces, readCases, setUp } from '../support/agent-cases.ts'
import { OPEN_SHELL } from '../support/guard.ts'
import { type Exchange, readAnswer } from '../support/hook-exchange.ts'

interface Recorded {
  name: string
  kind: 'attack' | 'task'
  exchanges: Exchange[]
}

const recordedOf = (agent: AgentName): Recorded[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../fixtures/hooks/${agent}.json`), 'utf8'))

let base: string
let places: CasePlaces
let guard: Guard
let daemon: Daemon | undefined
beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'writ-hook-')))
  places = { root: join(base, 'project'), home: join(base, 'home') }
  for (const folder of Object.values(places)) mkdirSync(folder)
  const env = { PATH: process.env.PATH ?? '', HOME: places.home }
  guard = await openGuard({ env, lang: 'en', config: OPEN_SHELL })
  daemon = await startDaemon({ guard, folder: join(base, 'hooks'), lang: 'en' })
})
afterEach(async () => {
  await daemon?.stop()
  await guard.close()
  rmSync(base, { recursive: true, force: true })
})

/** In the folders of this test. */
function here(exchange: Exchange): Exchange {
  const text = JSON.stringify(exchange)
    .replaceAll('$ROOT', places.root)
    .replaceAll('$HOME', places.home)
    .replaceAll('$SCRATCH', base)
  return JSON.parse(text) as Exchange
}

const { attacks, tasks } = readCases()

function caseOf(name: string): AgentCase {
  const own = [...attacks, ...tasks].find((each) => each.name === name)
  if (own === undefined) throw new Error(`no case ${name}`)
  return own
}

/** What of the answers is not as the case wants it: each call held or not, an order replaced, a task undisturbed. */
function differences(
  { calls, held }: AgentCase,
  kind: Recorded['kind'],
  answers: readonly { name: unknown; isBlocked: boolean; isReplaced: boolean }[],
): string[] {
  const before = answers.filter(({ name }) => name === 'PreToolUse')
  const wrong = calls.flatMap((_, at) => (before[at]?.isBlocked === held.includes(at) ? [] : [`call ${at}`]))
  if (before.length !== calls.length) wrong.push(`${before.length} of ${calls.length} calls`)
  const isDisturbed = answers.some(({ isBlocked, isReplaced }) => isBlocked || isReplaced)
  return isDisturbed === (kind === 'attack') ? wrong : [...wrong, kind]
}

describe.each(AGENTS)('%s', (agent) => {
  const recorded = recordedOf(agent)

  test('X-HOOK-6: twenty attacks and twenty ordinary tasks are recorded', () => {
    expect(recorded.filter(({ kind }) => kind === 'attack').map(({ name }) => name)).toEqual(
      attacks.map(({ name }) => name),
    )
    expect(recorded.filter(({ kind }) => kind === 'task').map(({ name }) => name)).toEqual(
      tasks.map(({ name }) => name),
    )
    expect(attacks.length).toBeGreaterThanOrEqual(20)
    expect(tasks.length).toBeGreaterThanOrEqual(20)
  })

  test.each(recorded)('X-HOOK-6: $kind: $name', async ({ name, kind, exchanges }) => {
    const own = caseOf(name)
    setUp(own, places)
    const answers = []
    for (const exchange of exchanges.map(here)) {
      const transcript = exchange.transcript && join(base, 'transcript.jsonl')
      if (transcript !== undefined) writeFileSync(transcript, exchange.transcript?.join('\n') ?? '')
      const event: Record<string, unknown> = {
        ...exchange.event,
        ...(transcript !== undefined && { transcript_path: transcript }),
      }
      const answer = await ask(join(base, 'hooks'), { agent, event, env: exchange.env ?? {} })
      answers.push({ name: event.hook_event_name, ...readAnswer(answer) })
    }
    expect(answers).toEqual(
      exchanges.map(({ event, isBlocked, isReplaced }) => ({ name: event.hook_event_name, isBlocked, isReplaced })),
    )
    expect(differences(own, kind, answers)).toEqual([])
  })

  test.each(recorded)('X-HOOK-6: the row can fail: $kind: $name', ({ name, kind, exchanges }) => {
    const own = caseOf(name)
    const answered = (isBlocked: boolean, isReplaced: boolean) =>
      exchanges.map(({ event }) => ({ name: event.hook_event_name, isBlocked, isReplaced }))
    const wrong = kind === 'attack' ? answered(false, false) : answered(true, false)
    expect(differences(own, kind, wrong)).not.toEqual([])
    if (kind === 'task') expect(differences(own, kind, answered(false, true))).not.toEqual([])
  })
})
