import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Agent, createAgent } from '../assembly/agent.ts'
import { systemClock } from '../base/clock.ts'
import { RunLog } from '../journal/journal.ts'
import { makeRedactor } from '../journal/redact.ts'
import { foldSession } from '../journal/session.ts'
import { standingRights } from '../journal/standing-approvals.ts'
import { audit } from '../journal/verify.ts'
import { scriptedModel } from '../model/scripted.ts'
import { revokeRight, standingRightsOf } from './approvals.ts'

let folder: string
let agent: Agent
let asked: number
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'writ-approvals-')))
  asked = 0
  const write = { tool: 'file_write', args: { path: 'a.txt', content: 'a' } }
  agent = await createAgent({
    workspace: folder,
    data: ':memory:',
    env: {},
    model: scriptedModel(
      [1, 2, 3].flatMap(() => [
        { purpose: 'main' as const, calls: [write] },
        { purpose: 'main' as const, text: 'Written.' },
      ]),
    ),
    confirm: async () => {
      asked++
      return 'a'
    },
  })
})
afterEach(async () => {
  await agent.close()
  rmSync(folder, { recursive: true, force: true })
})

const deps = () => ({ store: agent.store, clock: systemClock, redact: makeRedactor([]) })

test('S1-101: standing approvals of a session are listed, and asked for again once revoked', async () => {
  const { sessionId } = await agent.run('write it')
  expect((await standingRightsOf(agent.store, sessionId)).approvals).toEqual(['file_write'])
  await agent.run('and again', { sessionId })
  expect(asked).toBe(1)

  expect(await revokeRight(deps(), sessionId, { key: 'file_write', by: 'ann' })).toBe(true)
  expect((await standingRightsOf(agent.store, sessionId)).approvals).toEqual([])
  await agent.run('once more', { sessionId })
  expect(asked).toBe(2)
  expect((await standingRightsOf(agent.store, sessionId)).approvals).toEqual(['file_write'])
  expect((await audit(agent.store)).breaches).toEqual([])
})
test('an approval that was never given cannot be revoked, and nothing is recorded', async () => {
  const { sessionId } = await agent.run('write it')
  const before = await agent.store.readSession(sessionId)
  expect(await revokeRight(deps(), sessionId, { key: 'shell', by: 'ann' })).toBe(false)
  expect(await revokeRight(deps(), 'ses_unknown', { key: 'file_write', by: 'ann' })).toBe(false)
  expect(await agent.store.readSession(sessionId)).toEqual(before)
})
test('revoking an approval does not change the conversation', async () => {
  const { sessionId } = await agent.run('write it')
  const { approvals: _, ...before } = foldSession(await agent.store.readSession(sessionId))
  await revokeRight(deps(), sessionId, { key: 'file_write', by: 'ann' })
  const { approvals, ...after } = foldSession(await agent.store.readSession(sessionId))
  expect(approvals).toEqual([])
  expect(after).toEqual(before)
})

test('an approval inserted into the journal by hand is ignored: the person is asked again', async () => {
  const { sessionId } = await agent.run('write it')

  const events = await agent.store.readSession(sessionId)
  const forged = events.map((event) =>
    event.type === 'confirm.answered'
      ? { ...event, data: { ...event.data, keys: ['file_write', 'shell touch'] } }
      : event,
  )
  expect(standingRights(events).approvals).toEqual(['file_write'])
  expect(standingRights(forged).approvals).toEqual([])
})

test('so is one appended after the end of a run, with a valid hash', async () => {
  const { sessionId, runId } = await agent.run('write it')
  const events = await agent.store.readSession(sessionId)
  const last = events.at(-1)
  if (last === undefined) throw new Error('nothing was written')
  const { turnId, scoutId, mode, seq, hash } = last
  const log = new RunLog(deps(), { sessionId, turnId, runId, scoutId, mode }, { seq, hash })
  log.note('confirm.answered', { callId: '', answer: 'a', by: 'forged', keys: ['shell touch'] })
  await log.flush()
  expect((await standingRightsOf(agent.store, sessionId)).approvals).toEqual([])
  await agent.run('and again', { sessionId })
  expect(asked).toBe(2)
})
