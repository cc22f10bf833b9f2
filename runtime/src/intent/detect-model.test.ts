import { describe, expect, test } from 'vitest'
import { TASK_INTENTS } from '../protocol/intent.ts'
import { type Ask, type Detection, detectIntent } from './detect-model.ts'

const TASK = 'Open example.com in the browser'
const detect = (ask: Ask, change: Partial<Detection> = {}) =>
  detectIntent({
    task: TASK,
    detector: 'model',
    ask,
    timeoutMs: 5000,
    signal: new AbortController().signal,
    lang: 'en',
    ...change,
  })
const answer = (reply: unknown): Ask => {
  const text = typeof reply === 'string' ? reply : JSON.stringify(reply)
  return async () => text
}

describe('the model detector', () => {
  test('S0-44, S0-45, S0-46, S0-47: asks once and takes label, confidence and reason from the reply', async () => {
    const asked: Parameters<Ask>[0][] = []
    const { intent, fellBack } = await detect(async (prompt) => {
      asked.push(prompt)
      return '{"label":"code_edit","confidence":0.8,"reason":"it is about code"}'
    })
    expect(intent).toEqual({ label: 'code_edit', confidence: 0.8, source: 'model', reason: 'it is about code' })
    expect(fellBack).toBeUndefined()
    expect(asked).toHaveLength(1)
    expect(asked[0]?.user).toContain(TASK)
    for (const label of TASK_INTENTS) expect(asked[0]?.system).toContain(label)
  })

  test('asks in the language of the run', async () => {
    let system = ''
    await detect(
      async (prompt) => {
        system = prompt.system
        return ''
      },
      { lang: 'zh' },
    )
    expect(system).toMatch(/[\u4e00-\u9fff]/)
  })

  test('S0-53: a parseable label wins over a sure heuristic, however unsure the model is', async () => {
    const { intent } = await detect(answer({ label: 'general', confidence: 0.4, reason: '' }))
    expect(intent).toMatchObject({ label: 'general', source: 'model' })
  })

  test('accepts the object in a code fence', async () => {
    const fenced = '```json\n{"label":"memory_ops","confidence":1,"reason":"r"}\n```'
    expect((await detect(answer(fenced))).intent).toMatchObject({ label: 'memory_ops', source: 'model' })
  })

  test('keeps a long reason short', async () => {
    const { intent } = await detect(answer({ label: 'general', confidence: 1, reason: 'x'.repeat(5000) }))
    expect(intent.reason.length).toBeLessThan(300)
  })

  test.each([
    ['S0-48: prose', 'sure!'],
    ['S0-48: an object within prose', 'Here: {"label":"general","confidence":1,"reason":"r"}'],
    ['S0-48: an empty reply', ''],
    ['S0-48: an array', []],
    ['S0-48: null', 'null'],
    ['S0-49: an unknown label', { label: 'x', confidence: 0.7, reason: 'r' }],
    ['S0-49: a label from the prototype', { label: 'constructor', confidence: 0.7, reason: 'r' }],
    ['S0-49: a confidence above one', { label: 'general', confidence: 7, reason: 'r' }],
    ['S0-49: a confidence below zero', { label: 'general', confidence: -0.1, reason: 'r' }],
    ['S0-49: a confidence in words', { label: 'general', confidence: '0.9', reason: 'r' }],
    ['S0-49: no confidence', { label: 'general', reason: 'r' }],
    ['S0-49: no reason', { label: 'general', confidence: 1 }],
    ['S0-49: a reason that is no text', { label: 'general', confidence: 1, reason: 3 }],
  ])('%s falls back to the heuristic', async (_, reply) => {
    const { intent, fellBack } = await detect(answer(reply))
    expect(intent).toMatchObject({ label: 'browser_access', source: 'heuristic' })
    expect(fellBack).toBe('the reply could not be parsed')
  })

  test('S0-50: a failing provider falls back and is named', async () => {
    const { intent, fellBack } = await detect(() => Promise.reject(new Error('503 from upstream')))
    expect(intent).toMatchObject({ label: 'browser_access', source: 'heuristic' })
    expect(fellBack).toBe('503 from upstream')
  })

  test('S0-50: a provider that throws immediately falls back, too', async () => {
    const { intent } = await detect(() => {
      throw new Error('no key')
    })
    expect(intent.source).toBe('heuristic')
  })

  test('S0-50: a provider that never answers, and ignores its signal, is not waited for', async () => {
    const { intent, fellBack } = await detect(() => new Promise(() => {}), { timeoutMs: 5 })
    expect(intent).toMatchObject({ label: 'browser_access', source: 'heuristic' })
    expect(fellBack).toBe('no reply within 5 ms (agent.execution.intentGuard.detectorTimeoutMs)')
  })

  test('a cancelled run ends the question', async () => {
    const cancel = new AbortController()
    const detection = detect(() => new Promise(() => {}), { signal: cancel.signal })
    cancel.abort(new Error('cancelled'))
    expect(await detection).toMatchObject({ intent: { source: 'heuristic' }, fellBack: 'cancelled' })
  })

  test('a pasted megabyte is not sent to the model whole', async () => {
    let sent = ''
    await detect(
      async (prompt) => {
        sent = prompt.user
        return ''
      },
      { task: `fix the bug ${'x'.repeat(1_000_000)}` },
    )
    expect(sent).toContain('fix the bug')
    expect(sent.length).toBeLessThan(10_000)
  })
})

test('S1-36: an answer to our question keeps the intent of its task, and no model is asked', async () => {
  const ask: Ask = () => {
    throw new Error('asked')
  }
  const intent = { label: 'browser_access', confidence: 0.8, source: 'model', reason: 'r' } as const
  const last = { intent, stopReason: 'clarification' } as const
  for (const task of ['look it up in notes.txt', '地址在 bank.txt 里']) {
    const detected = await detect(ask, { task, last })
    expect(detected).toMatchObject({ intent: { label: 'browser_access' } })
    expect(detected.fellBack).toBeUndefined()
  }
})

test('S0-35, S0-51: the heuristic detector asks no model', async () => {
  const ask: Ask = () => {
    throw new Error('asked')
  }
  const { intent, fellBack } = await detect(ask, { detector: 'heuristic' })
  expect(intent).toMatchObject({ label: 'browser_access', source: 'heuristic' })
  expect(fellBack).toBeUndefined()
})
