import { describe, expect, test } from 'vitest'
import { UNMETERED } from './meter.ts'
import { type Completion, type Model, ModelError, type ModelRequest } from './model.ts'
import { askWithRetry, isRetryableStatus, type ModelDelta, type RetryOptions, retryAfterMs } from './retry.ts'

const REQUEST: ModelRequest = { purpose: 'main', system: '', messages: [], stream: true }
const DONE: Completion = { text: 'ok', calls: [], usage: { inputTokens: 1, outputTokens: 1 }, truncated: false }

type Attempt = { say?: string[]; fail?: ModelError | Error }

function modelThat(...attempts: Attempt[]): Model & { asked: number } {
  const model = {
    id: 'test',
    route: 'Mock' as const,
    reasoning: 'clear' as const,
    asked: 0,
    async *ask() {
      const attempt = attempts[model.asked++] ?? {}
      yield* attempt.say ?? []
      if (attempt.fail) throw attempt.fail
      return DONE
    },
  }
  return model
}

async function run(model: Model, options: Partial<RetryOptions> = {}) {
  const deltas: ModelDelta[] = []
  const waits: number[] = []
  const failed: [number, string, number | undefined][] = []
  const answer = askWithRetry(model, REQUEST, {
    meter: UNMETERED,
    signal: new AbortController().signal,
    sleep: async (ms) => void waits.push(ms),
    random: () => 1,
    onFailed: (attempt, error, retryInMs) => failed.push([attempt, error.message, retryInMs]),
    ...options,
  })
  try {
    for (let next = await answer.next(); ; next = await answer.next()) {
      if (next.done) return { completion: next.value, deltas, waits, failed }
      deltas.push(next.value)
    }
  } catch (error) {
    return { error, deltas, waits, failed }
  }
}

const down = new ModelError('down', { retryable: true })

describe('askWithRetry', () => {
  test('a first answer is yielded as it arrives', async () => {
    const result = await run(modelThat({ say: ['o', 'k'] }))
    expect(result).toMatchObject({ completion: DONE, deltas: [{ text: 'o' }, { text: 'k' }], waits: [] })
  })

  test('waits grow, and each failure is reported with the next wait', async () => {
    const result = await run(modelThat({ fail: down }, { fail: down }, {}))
    expect(result.completion).toEqual(DONE)
    expect(result.failed).toEqual([
      [1, 'down', 500],
      [2, 'down', 1000],
    ])
    expect(result.waits).toEqual([500, 1000])
  })

  test('jitter shortens a wait by half at most', async () => {
    expect((await run(modelThat({ fail: down }, {}), { random: () => 0 })).waits).toEqual([250])
  })

  test('it gives up after the last attempt, with the last error', async () => {
    const model = modelThat({ fail: down }, { fail: down }, { fail: down }, {})
    const result = await run(model)
    expect(result.error).toBe(down)
    expect(model.asked).toBe(3)
    expect(result.failed.at(-1)).toEqual([3, 'down', undefined])
  })

  test('permanent failures are not retried', async () => {
    const model = modelThat({ fail: new ModelError('bad key', { status: 401, retryable: false }) }, {})
    expect((await run(model)).error).toMatchObject({ status: 401 })
    expect(model.asked).toBe(1)
  })

  test('text of a failed attempt is withdrawn before the next begins', async () => {
    const result = await run(modelThat({ say: ['hal'], fail: down }, { say: ['whole'] }))
    expect(result.deltas).toEqual([{ text: 'hal' }, { restart: true }, { text: 'whole' }])
  })

  test('Retry-After is respected up to thirty seconds', async () => {
    const busy = new ModelError('busy', { status: 429, retryable: true, retryAfterMs: 30_000 })
    expect((await run(modelThat({ fail: busy }, {}))).waits).toEqual([30_000])
  })

  test('a longer Retry-After is a failure that says why', async () => {
    const busy = new ModelError('busy', { status: 429, retryable: true, retryAfterMs: 90_500 })
    const model = modelThat({ fail: busy }, {})
    const { error } = await run(model)
    expect(error).toMatchObject({ status: 429, retryable: false, retryAfterMs: 90_500 })
    expect(String(error)).toContain('91 s')
    expect(model.asked).toBe(1)
  })

  test('an abort during the wait ends it immediately with the abort’s reason', async () => {
    const controller = new AbortController()
    const model = modelThat({ fail: down }, {})
    const result = await run(model, {
      signal: controller.signal,
      sleep: undefined,
      onFailed: () => controller.abort(new Error('stop now')),
    } as Partial<RetryOptions>)
    expect(String(result.error)).toContain('stop now')
    expect(model.asked).toBe(1)
  })

  test('an internal defect is not mistaken for a provider failure', async () => {
    const model = modelThat({ fail: new TypeError('bug') }, {})
    expect((await run(model)).error).toBeInstanceOf(TypeError)
    expect(model.asked).toBe(1)
  })
})

test.each([
  ['0', 0],
  ['7', 7000],
  ['1.5', 1500],
  ['Thu, 01 Jan 1970 00:00:12 GMT', 2000],
  ['Thu, 01 Jan 1970 00:00:02 GMT', 0],
  ['soon', undefined],
  ['-3', undefined],
  ['', undefined],
])('Retry-After %j at second ten means %j ms', (header, ms) => {
  expect(retryAfterMs(header, 10_000)).toBe(ms)
})

test('of the 4xx only 408, 409 and 429 are retried', () => {
  const healing = Array.from({ length: 200 }, (_, i) => 400 + i).filter(isRetryableStatus)
  expect(healing.slice(0, 3)).toEqual([408, 409, 429])
  expect(healing[3]).toBe(500)
})
