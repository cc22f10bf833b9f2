import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collect, engineWith, type Line, saying, spyTools } from '../../test/support/engine.ts'
import { PROFILES } from '../agent/profile.ts'
import { startTurn } from '../agent/turn.ts'
import { canonical } from '../base/json.ts'
import { hasRedaction, makeRedactor } from './redact.ts'
import { traceOf } from './trace.ts'
import { firstBreach } from './verify.ts'

const LINES: Line[] = [
  {
    calls: [
      { id: 'a', tool: 'look', args: { n: 1 } },
      { id: 'b', tool: 'ghost', args: {} },
    ],
  },
  { text: '', calls: [{ id: 'c', tool: 'fails', args: { n: 2, text: '长'.repeat(500) } }] },
  { text: 'the answer' },
]

async function recorded({ tools = spyTools([]), lines = LINES } = {}) {
  const engine = await engineWith({ tools, model: saying(lines) })
  const { signal } = new AbortController()
  const { result } = await collect(
    startTurn(engine, {
      task: 't',
      sessionId: undefined,
      profile: PROFILES.chat,
      signal,
      confirm: undefined,
      stream: false,
    }),
  )
  return engine.store.readRun(result.runId)
}

describe('the chain', () => {
  test('an untouched journal has no breach', async () => {
    expect(firstBreach(await recorded())).toBeUndefined()
  })
  test('a change to any event is found at that event', async () => {
    const events = await recorded()
    for (const [i, event] of events.entries()) {
      const changes = [
        { ...event, reason: `${event.reason}x` },
        { ...event, timestamp: event.timestamp + 1 },
        { ...event, data: { ...event.data, planted: true } },
        { ...event, sessionId: 'another' },
      ]
      for (const changed of changes) {
        const tampered = events.with(i, changed as never)
        expect(firstBreach(tampered)?.seq).toBe(event.seq)
      }
    }
  })
  test('a missing, duplicated or moved event is found', async () => {
    const events = await recorded()
    expect(firstBreach(events.toSpliced(3, 1))?.seq).toBe(5)
    expect(firstBreach(events.toSpliced(3, 0, ...events.slice(3, 4)))?.seq).toBe(4)
    expect(firstBreach([...events.slice(0, 3), ...events.slice(3, 5).reverse(), ...events.slice(5)])?.seq).toBe(5)
  })
})

describe('trace', () => {
  test('S3-80 S3-90: has exactly the seed’s keys, one entry per attempted call, numbered without gaps', async () => {
    const trace = traceOf(await recorded())
    expect(Object.keys(trace)).toEqual(['final_answer', 'trace', 'used_tools', 'finish_reason'])
    expect(trace.trace.map((entry) => [entry.step, entry.action.tool, entry.error])).toEqual([
      [1, 'look', undefined],
      [2, 'ghost', 'UNKNOWN_TOOL'],
      [3, 'fails', 'TOOL_FAILED'],
    ])
    expect(trace).toMatchObject({ final_answer: 'the answer', finish_reason: 'final' })
    expect(Object.keys(trace.used_tools)).toEqual(['look', 'fails'])
    expect(trace.used_tools.look?.count).toBe(1)
  })
  test('S3-52 S3-90: a call without a result is an entry, and only calls of a run without a worker are interrupted', async () => {
    const events = await recorded()
    const cut = events.slice(
      0,
      events.findLastIndex(({ type }) => type === 'tool.result'),
    )
    const last = (...how: ['at-work' | 'waiting' | 'cut-off'] | []) => {
      const { finish_reason, trace, used_tools, error } = traceOf(cut, ...how)
      return [finish_reason, trace.at(-1), used_tools.fails?.count, error]
    }
    const unknown = {
      step: 3,
      error: 'INTERRUPTED',
      observation: expect.stringMatching(/^\[错误\] INTERRUPTED: .*unknown/),
    }
    expect(last()).toMatchObject([null, unknown, 1, undefined])
    expect(last('cut-off')).toMatchObject(['interrupted', unknown, 1, expect.stringContaining('Interrupted')])
    const [reason, entry] = last('at-work')
    expect([reason, entry]).toMatchObject([null, { running: true, observation: 'The call of fails is still running.' }])
    expect(entry).not.toHaveProperty('error')
    expect(traceOf(events, 'cut-off')).toEqual(traceOf(events))
  })
  test('a tool named like a property of Object.prototype is counted like any other', async () => {
    const [look] = spyTools([])
    const tools = look === undefined ? [] : [{ ...look, name: 'constructor' }]
    const calls = ['a', 'b'].map((id) => ({ id, tool: 'constructor', args: { n: 1 } }))
    const trace = traceOf(await recorded({ tools, lines: [{ calls }, { text: 'the answer' }] }))
    expect(trace).toMatchObject({ final_answer: 'the answer', finish_reason: 'final' })
    expect(Object.entries(trace.used_tools)).toMatchObject([['constructor', { count: 2 }]])
  })
  test('long arguments are cut at a character boundary, with a count of what is missing', async () => {
    const [, , fails] = traceOf(await recorded()).trace
    expect(fails?.action.args).toMatchObject({ text: `${'长'.repeat(200)}…(+300)` })
  })
})

describe('redaction', () => {
  const canary = 'CANARY-7f3a9c-value'
  const redact = makeRedactor([canary])
  test('a configured secret is masked in every encoding', () => {
    const bytes = Buffer.from(canary)
    const spellings = [
      canary,
      `x${canary}y`,
      bytes.toString('base64'),
      bytes.toString('hex'),
      encodeURIComponent(canary),
      JSON.stringify({ deep: [canary] }),
    ]
    for (const text of spellings) {
      const out = JSON.stringify(redact({ a: [{ b: text }], [text]: 1 }))
      expect(out).toContain('[REDACTED:')
      for (const spelling of spellings.slice(2, 4)) expect(out).not.toContain(spelling.replace(/=+$/, ''))
      expect(out).not.toContain(canary)
    }
  })
  test.each([
    ['openai', 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789'],
    ['anthropic', 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz'],
    ['deepseek', 'sk-0123456789abcdef0123456789abcdef'],
    ['zhipu', '0123456789abcdef0123456789abcdef.AbCdEfGhIjKlMnOp'],
    ['github', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'],
    ['aws', 'AKIAIOSFODNN7EXAMPLE'],
    ['google', `AIza${'a1B2c3D4e5'.repeat(4)}`],
    ['slack', 'xoxb-123456789012-abcdefghij'],
    ['jwt', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'],
    ['bearer', 'Authorization: Bearer abcdefghijklmnop'],
    ['feishu', 'https://open.feishu.cn/open-apis/bot/v2/hook/0a1b2c3d-0a1b-2c3d-4e5f-0a1b2c3d4e5f'],
    ['url', 'postgres://user:hunter2secret@db/x'],
    ['redis', 'redis://:hunter2secret@cache:6379/0'],
    ['assignment', 'password = "correct-horse-battery"'],
    ['pem', '-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----'],
  ])('a %s credential is masked by its shape', (_kind, text) => {
    const out = redact({ text: `before ${text} after` }).text
    expect(out).toMatch(/^before .*\[REDACTED:[a-z-]+\].* after$/s)
  })
  test('a field with a secret name is masked whole, and other fields are not', () => {
    const out = redact({
      headers: { Authorization: 'x', Accept: 'text/html' },
      api_key: 'k',
      tokens: 5,
      token_count: 'a',
    })
    expect(out).toEqual({
      headers: { Authorization: '[REDACTED:authorization]', Accept: 'text/html' },
      api_key: '[REDACTED:api_key]',
      tokens: 5,
      token_count: 'a',
    })
  })
  test('a value without secrets is returned unchanged, as the same object', () => {
    const value = { a: [1, 'plain text', { b: null }] }
    expect(redact(value)).toBe(value)
    expect(hasRedaction(value)).toBe(false)
  })
  test('no value without secrets is changed', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        (value) => canonical(makeRedactor([])(value)) === canonical(value) || hasRedaction(makeRedactor([])(value)),
      ),
    )
  })
})
