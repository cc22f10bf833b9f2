import { beforeEach, describe, expect, test } from 'vitest'
import { callIn } from '../../test/support/call.ts'
import { makeRedactor } from '../journal/redact.ts'
import { LOCAL } from '../protocol/principal.ts'
import { openRoutines } from '../routine/routines.ts'
import { openDatabase } from '../storage/open.ts'
import { routineArchive } from '../storage/routine-archive.ts'
import type { Routines } from '../storage/routine-port.ts'
import { routineTool } from './routine.ts'
import type { Tool, World } from './tool.ts'

const NOW = Date.parse('2026-03-02T08:00:00Z')
const world: World = {
  workspace: '/w',
  protectedPaths: [],
  blockedPaths: [],
  allowedHosts: [],
  env: {},
  sandbox: 'off',
}
const NEWS = { action: 'add', name: 'news', schedule: '0 9 * * *', task: 'read the news', timeZone: 'UTC' }

let routines: Routines
let tool: Tool

beforeEach(async () => {
  const archive = routineArchive(await openDatabase({ kind: 'memory' }))
  const deps = { clock: { now: () => NOW }, redact: makeRedactor([]), autonomy: 'Full', lang: 'en' } as const
  routines = openRoutines({ archive, ...deps }, { whose: LOCAL, adder: LOCAL })
  tool = routineTool({
    routinesOf: () => routines,
    inspect: (text) => {
      const verdict = /EVIL/.test(text) ? 'block' : /odd/.test(text) ? 'review' : 'pass'
      return { verdict, findings: verdict === 'pass' ? [] : [{ rule: 'override' }] }
    },
  }) as Tool
})

const facts = async (args: object) => tool.preValidate?.(args, world, { sessionId: 's', owner: LOCAL })
const call = (args: object) => tool.execute(args, callIn(world, { runId: 'run_1' }))

describe('the routine tool', () => {
  test('is of the family task and internal', () => {
    expect(tool).toMatchObject({ name: 'routine', family: 'task', trust: 'internal' })
  })

  test('lists without asking, and asks before it changes anything', async () => {
    expect(await facts({ action: 'list' })).toEqual({ risk: 'Low', readOnly: true })
    await routines.add({ ...NEWS, createdBy: 'user' })
    for (const args of [
      { ...NEWS, name: 'news2' },
      ...['remove', 'pause', 'resume'].map((action) => ({ action, name: 'news' })),
    ]) {
      const risk = ['add', 'resume'].includes(args.action) ? 'High' : 'Medium'
      expect(await facts(args)).toMatchObject({ risk, preview: expect.stringContaining('news') })
      expect(await facts(args)).not.toHaveProperty('readOnly', true)
    }
  })

  test('the question shows when and what, and each new routine is asked about by itself', async () => {
    expect(await facts(NEWS)).toEqual({
      risk: 'High',
      preview: 'add routine news: 0 9 * * * UTC, next 2026-03-02T09:00:00.000Z\nread the news',
      approvalKeys: [],
    })
    await call(NEWS)
    expect((await facts({ action: 'remove', name: 'news' }))?.preview).toContain('read the news')
  })

  test('whom the task names is what the call is aimed at', async () => {
    expect(
      await facts({ ...NEWS, task: 'read the news at https://news.example and mail them to bob@corp.example' }),
    ).toMatchObject({
      targets: [
        { kind: 'email', value: 'bob@corp.example' },
        { kind: 'url', value: 'https://news.example' },
      ],
    })
  })

  test('adds, lists, pauses, resumes and removes', async () => {
    expect(await call({ action: 'list' })).toEqual({ ok: true, text: 'There are no routines.' })
    expect(await call(NEWS)).toMatchObject({ ok: true })
    expect(await routines.demand('news')).toMatchObject({ createdBy: 'run_1', task: 'read the news' })
    await call({ action: 'pause', name: 'news' })
    expect(await call({ action: 'list' })).toEqual({
      ok: true,
      text: '- news (0 9 * * * UTC, next 2026-03-02T09:00:00.000Z; paused): read the news',
    })
    await call({ action: 'resume', name: 'news' })
    expect((await routines.demand('news')).paused).toBe(false)
    expect(await call({ action: 'remove', name: 'news' })).toEqual({ ok: true, text: 'Removed news.' })
    expect(await routines.list()).toEqual([])
  })

  test.each([
    [{ action: 'add', name: 'news', task: 'x' }, 'a schedule'],
    [{ ...NEWS, schedule: 'soon' }, 'is not a schedule'],
    [{ ...NEWS, timeZone: 'Mars/Base' }, 'time zone'],
    [{ ...NEWS, name: 'two words' }, 'cannot be a routine'],
    [{ action: 'pause' }, 'needs a name'],
  ])('nobody is asked about %j, which could not be done anyway', async (args, why) => {
    await expect(facts(args)).rejects.toThrow(why)
    expect(await call(args)).toMatchObject({ ok: false, error: expect.stringContaining(why) })
  })

  test('what is not there cannot be changed, and nobody is asked about it', async () => {
    await expect(facts({ action: 'remove', name: 'news' })).rejects.toThrow('there is no routine')
    expect(await call({ action: 'remove', name: 'news' })).toMatchObject({ ok: false, code: 'ROUTINE_UNKNOWN' })
  })

  test('a task that reads like an attack is never kept', async () => {
    const evil = { ...NEWS, task: 'EVIL' }
    await expect(facts(evil)).rejects.toThrow('reads like an attack (override)')
    expect(await call(evil)).toMatchObject({ ok: false, code: 'ROUTINE_POISONED' })
    expect(await routines.list()).toEqual([])
  })

  test('a suspicious task is of high risk, so that a person sees it in any autonomy', async () => {
    expect(await facts({ ...NEWS, task: 'odd' })).toMatchObject({
      risk: 'High',
      preview: expect.stringContaining('suspicious: override'),
    })
  })
})
