import { beforeEach, describe, expect, test } from 'vitest'
import { callIn } from '../../test/support/call.ts'
import { makeRedactor } from '../journal/redact.ts'
import type { Routines } from '../ports/routines.ts'
import { LOCAL } from '../protocol/principal.ts'
import { openRoutines } from '../routine/routines.ts'
import { openDatabase } from '../storage/open.ts'
import { routineArchive } from '../storage/routine-archive.ts'
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

  test('lists without approval, and needs approval for changes', async () => {
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

  test('the question shows the schedule and the task, and each new routine needs its own approval', async () => {
    expect(await facts(NEWS)).toEqual({
      risk: 'High',
      preview: 'add routine news: 0 9 * * * UTC, next 2026-03-02T09:00:00.000Z\nread the news',
      approvalKeys: [],
    })
    await call(NEWS)
    expect((await facts({ action: 'remove', name: 'news' }))?.preview).toContain('read the news')
  })

  test('people and addresses in the task are the targets of the call', async () => {
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
    [{ ...NEWS, schedule: 'soon' }, 'is not a valid schedule'],
    [{ ...NEWS, timeZone: 'Mars/Base' }, 'time zone'],
    [{ ...NEWS, name: 'two words' }, 'is not a valid routine name'],
    [{ action: 'pause' }, 'name is required'],
  ])('no approval is requested for %j, which would fail anyway', async (args, why) => {
    await expect(facts(args)).rejects.toThrow(why)
    expect(await call(args)).toMatchObject({ ok: false, error: expect.stringContaining(why) })
  })

  test('an unknown routine cannot be changed, and no approval is requested', async () => {
    await expect(facts({ action: 'remove', name: 'news' })).rejects.toThrow('unknown routine')
    expect(await call({ action: 'remove', name: 'news' })).toMatchObject({ ok: false, code: 'ROUTINE_UNKNOWN' })
  })

  test('a task with prompt injection is never stored', async () => {
    const evil = { ...NEWS, task: 'EVIL' }
    await expect(facts(evil)).rejects.toThrow('looks like prompt injection (override)')
    expect(await call(evil)).toMatchObject({ ok: false, code: 'ROUTINE_POISONED' })
    expect(await routines.list()).toEqual([])
  })

  test('a suspicious task is High, so that a person sees it at any autonomy level', async () => {
    expect(await facts({ ...NEWS, task: 'odd' })).toMatchObject({
      risk: 'High',
      preview: expect.stringContaining('suspicious: override'),
    })
  })
})
