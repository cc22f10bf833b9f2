import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_PER_PROCESS, MAX_PER_SESSION, Slots } from './concurrency.ts'

const never = new AbortController().signal
const at = (limit = MAX_PER_SESSION, signal = never) => ({ limit, signal, owner: 'local' })
const of = (owner: string) => ({ ...at(), owner })
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('slots for scouts', () => {
  test('S4-56 S4-57 S4-96: whatever a request says, the sixth of a session waits', async () => {
    const slots = new Slots()
    const entered: number[] = []
    for (let i = 1; i <= 6; i++) void slots.acquire('s', at(99)).then(() => entered.push(i))
    await settled()
    expect(entered).toEqual([1, 2, 3, 4, 5])
    expect(slots.load('s')).toMatchObject({ running: 5, waiting: 1 })
  })

  test('S4-59: another session has slots of its own', async () => {
    const slots = new Slots()
    for (let i = 0; i < 5; i++) await slots.acquire('a', at())
    for (let i = 0; i < 5; i++) await slots.acquire('b', at())
    expect([slots.load('a').running, slots.load('b').running]).toEqual([5, 5])
  })

  test('a full session is skipped, a full process is not', async () => {
    const slots = new Slots(6)
    for (let i = 0; i < 5; i++) await slots.acquire('a', at())
    const order: string[] = []
    void slots.acquire('a', at()).then(() => order.push('a6'))
    const leaveB = await slots.acquire('b', at())
    void slots.acquire('b', at()).then(() => order.push('b2'))
    await settled()
    expect(order).toEqual([])
    expect(slots.load('b').free).toBe(0)
    leaveB()
    await settled()
    expect(order).toEqual(['b2'])
  })

  test('a free slot goes to the owner with the fewest scouts, however many others wait', async () => {
    const slots = new Slots(6)
    const leaving: (() => void)[] = []
    const order: string[] = []
    const enter = (session: string, owner: string) =>
      slots.acquire(session, of(owner)).then((leave) => {
        leaving.push(leave)
        order.push(`${owner} ${session}`)
      })
    for (let i = 0; i < 5; i++) await enter('a1', 'ada')
    await enter('a2', 'ada')
    order.length = 0
    for (let i = 0; i < 3; i++) void enter('a3', 'ada')
    for (let i = 0; i < 2; i++) void enter('b1', 'bob')
    for (let i = 0; i < 4; i++) leaving.shift()?.()
    await settled()
    expect(order).toEqual(['bob b1', 'bob b1', 'ada a3', 'ada a3'])
  })

  test('S4-61: a slot released twice is one slot', async () => {
    const slots = new Slots(1)
    const leave = await slots.acquire('s', at())
    leave()
    leave()
    expect(slots.load('s')).toEqual({ running: 0, waiting: 0, free: 1 })
  })

  test('S4-55: a scout cancelled in the queue leaves it, and takes no slot', async () => {
    const slots = new Slots(1)
    const leave = await slots.acquire('s', at())
    const cancel = new AbortController()
    const gone = slots.acquire('s', at(5, cancel.signal))
    const next = slots.acquire('s', at())
    cancel.abort()
    await expect(gone).rejects.toThrow()
    leave()
    await next
    expect(slots.load('s')).toEqual({ running: 1, waiting: 0, free: 0 })
    await expect(slots.acquire('s', at(5, AbortSignal.abort()))).rejects.toThrow()
  })
})

const scout = fc.record({
  session: fc.integer({ min: 0, max: 3 }),
  limit: fc.integer({ min: 1, max: 7 }),
  cancelled: fc.boolean(),
  fails: fc.boolean(),
})

test('S4-58 S4-125 S4-169: in any interleaving no slot is lost, none is taken twice, and the queue is first come, first served', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(scout, { minLength: 1, maxLength: 40 }), async (scheduler, scouts) => {
      const slots = new Slots(8)
      const running = new Map<number, number>()
      const entered = new Map<number, number[]>()
      let taken = 0
      const gone = new Set<number>()
      const works = scouts.map(async ({ session, limit, cancelled, fails }, i) => {
        const cancel = new AbortController()
        // Joined in the order of the list; everything after that happens when the scheduler says so.
        const place = slots.acquire(String(session), { limit, signal: cancel.signal, owner: 'local' })
        if (cancelled) void scheduler.schedule(Promise.resolve(), `cancel ${i}`).then(() => cancel.abort())
        let leave: () => void
        try {
          leave = await place
        } catch {
          gone.add(i)
          return
        }
        try {
          taken++
          running.set(session, (running.get(session) ?? 0) + 1)
          entered.set(session, [...(entered.get(session) ?? []), i])
          expect(running.get(session)).toBeLessThanOrEqual(Math.min(limit, MAX_PER_SESSION))
          expect(taken).toBeLessThanOrEqual(8)
          await scheduler.schedule(Promise.resolve(), `work ${i}`)
          if (fails) throw new Error('a scout broke')
        } catch (error) {
          if (!(error instanceof Error) || error.message !== 'a scout broke') throw error
        } finally {
          taken--
          running.set(session, (running.get(session) ?? 0) - 1)
          leave()
        }
      })
      const all = Promise.all(works)
      await scheduler.waitFor(all)
      for (let session = 0; session < 4; session++) {
        expect(slots.load(String(session))).toEqual({ running: 0, waiting: 0, free: 8 })
        const equal = scouts.every(
          (one) => one.session !== session || one.limit === scouts.find((s) => s.session === session)?.limit,
        )
        const order = entered.get(session) ?? []
        // With one limit for the session, those who were served were served in the order they came.
        if (equal) expect(order).toEqual([...order].sort((a, b) => a - b))
      }
      const served = [...entered.values()].flat().length
      expect(served + gone.size).toBe(scouts.length)
    }),
    { numRuns: 200 },
  )
})

test('S4-56 S4-59: 200 sessions with five scouts each, concurrently: never more than the process limit, and all are served', async () => {
  const slots = new Slots()
  const peak = { all: 0, session: 0 }
  let now = 0
  const own = new Map<string, number>()
  const works = Array.from({ length: 1000 }, (_, i) => `s${i % 200}`).map(async (session) => {
    const leave = await slots.acquire(session, at())
    now++
    own.set(session, (own.get(session) ?? 0) + 1)
    peak.all = Math.max(peak.all, now)
    peak.session = Math.max(peak.session, own.get(session) ?? 0)
    await settled()
    now--
    own.set(session, (own.get(session) ?? 0) - 1)
    leave()
  })
  await Promise.all(works)
  expect(peak.all).toBe(MAX_PER_PROCESS)
  expect(peak.session).toBeLessThanOrEqual(MAX_PER_SESSION)
  expect(slots.load('s0')).toEqual({ running: 0, waiting: 0, free: MAX_PER_PROCESS })
})
