import { describe, expect, test } from 'vitest'
import { collect, type Deed, engineWith, type Line, saying, spyTools } from '../../test/support/engine.ts'
import { policyWith } from '../../test/support/gate-input.ts'
import { fold } from '../journal/fold.ts'
import { audit } from '../journal/verify.ts'
import { type Completion, ModelError, type ModelRequest } from '../model/model.ts'
import type { Event, EventOf, EventType } from '../protocol/event.ts'
import type { Profile } from '../protocol/profile.ts'
import { defineTool } from '../tool/tool.ts'
import type { Confirm } from './context.ts'
import { PROFILES } from './profile.ts'
import { type Engine, resumeTurn, startTurn, type TurnInput } from './turn.ts'

const call = (tool: string, args: unknown = { n: 1 }, id = `c${++ids}`) => ({ id, tool, args })
let ids = 0

function input(change: Partial<TurnInput> = {}): TurnInput {
  const signal = new AbortController().signal
  return {
    task: 'task',
    sessionId: undefined,
    profile: PROFILES.chat,
    signal,
    confirm: undefined,
    stream: false,
    ...change,
  }
}

async function play(lines: Line[], change: Partial<TurnInput> & { engine?: Partial<Engine> } = {}) {
  const deeds: Deed[] = []
  const { engine: own, ...rest } = change
  const model = saying(lines)
  const engine = await engineWith({ tools: spyTools(deeds), model, ...own })
  const turn = await collect(startTurn(engine, input(rest)))
  return { ...turn, deeds, model, engine }
}

const ofType = <T extends EventType>(events: Event[], type: T) => events.filter((e) => e.type === type) as EventOf<T>[]
const limited = (limits: Partial<Profile['limits']>, base: Profile = PROFILES.chat): Profile => ({
  ...base,
  limits: { ...base.limits, ...limits },
})

describe('a turn', () => {
  test('S1-1 S1-55 S1-56 S1-57: takes a task, uses a tool on the way and answers', async () => {
    const { result, deeds, events } = await play([{ calls: [call('look')] }, { text: 'the answer' }])
    expect(result).toMatchObject({ reply: 'the answer', stopReason: 'final' })
    expect(deeds).toHaveLength(1)
    expect(events.map((e) => e.type)).toEqual([
      'session.opened',
      'turn.started',
      'run.started',
      'intent.detected',
      'intent.checked',
      'route.decided',
      'model.requested',
      'model.replied',
      'gate.decided',
      'tool.call',
      'tool.result',
      'model.requested',
      'model.delta',
      'model.replied',
      'intent.checked',
      'run.stopped',
      'turn.committed',
    ])
  })

  test('S1-62: calls of one reply run in order, and a denied one does not stop the rest', async () => {
    const { deeds, result } = await play([{ calls: [call('look', { n: 1 }), call('change'), call('look', { n: 2 })] }])
    expect(deeds.map((deed) => deed.args)).toEqual([{ n: 1 }, { n: 2 }])
    expect(result.state.messages.filter((m) => m.role === 'tool').map((m) => m.content.slice(0, 23))).toEqual([
      'look done',
      '[错误] NO_CONFIRM_CHANNEL',
      'look done',
    ])
  })

  test('S1-58: every result answers its own call, even when the provider repeats an id', async () => {
    const { result } = await play([{ calls: [call('look', { n: 1 }, 'same'), call('look', { n: 2 }, 'same')] }])
    const assistant = result.state.messages.find((m) => m.role === 'assistant' && m.calls !== undefined)
    const wanted = assistant?.role === 'assistant' ? assistant.calls?.map((c) => c.id) : []
    const answered = result.state.messages.filter((m) => m.role === 'tool').map((m) => m.callId)
    expect(answered).toEqual(wanted)
    expect(new Set(answered).size).toBe(2)
  })

  test('S1-59: text beside calls is not the reply', async () => {
    const { result } = await play([{ text: 'let me look', calls: [call('look')] }, { text: 'found' }])
    expect(result.reply).toBe('found')
  })

  test('S1-8: the next turn of a session knows the one before', async () => {
    const first = await play([{ calls: [call('look')] }, { text: 'one' }])
    const model = saying([{ text: 'two' }])
    const { result } = await collect(
      startTurn({ ...first.engine, model }, input({ task: 'again', sessionId: first.result.sessionId })),
    )
    expect(result.state.messages.map((m) => m.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
    ])
  })

  test('S1-89: reasoning is kept within a turn and dropped at the next', async () => {
    const first = await play([{ calls: [call('look')], reasoning_content: 'hmm' }, { text: 'one' }])
    const thoughts = (state: Engine extends never ? never : typeof first.result.state) =>
      state.messages.filter((m) => m.role === 'assistant' && m.reasoning_content !== undefined)
    expect(thoughts(first.result.state)).toHaveLength(1)
    const { result } = await collect(startTurn(first.engine, input({ sessionId: first.result.sessionId })))
    expect(thoughts(result.state)).toHaveLength(0)
  })
})

describe('X-MODEL-2: a model that repeats itself', () => {
  const again = (times: number, tool = 'look') => Array.from({ length: times }, () => ({ calls: [call(tool)] }))

  test('the same call with the same result ends the run at the third', async () => {
    const { result, deeds } = await play([{ text: 'so far', calls: [call('look')] }, ...again(9)])
    expect(result.stopReason).toBe('repeated_call')
    expect(deeds).toHaveLength(3)
    expect(result.reply).toBe(
      'Stopped: look was called 3 times in a row with the same arguments and the same result.\n\nIncomplete draft:\nso far',
    )
  })

  test('denied calls count too, and the rest of the reply is skipped', async () => {
    const last = { calls: [call('change'), call('look', { n: 7 })] }
    const { result, deeds } = await play([...again(2, 'change'), last], { engine: { lang: 'zh' } })
    expect(result.stopReason).toBe('repeated_call')
    expect(result.reply).toContain('连续 3 次用相同的参数调用 change')
    expect(deeds).toHaveLength(0)
    const results = result.state.messages.filter((message) => message.role === 'tool')
    expect(results.map(({ content }) => content.includes('SKIPPED'))).toEqual([false, false, false, true])
  })

  test('the same call several times in one reply is not a loop', async () => {
    const calls = [call('look'), call('look'), call('look'), call('look')]
    const { result, deeds } = await play([{ calls }, { text: 'done' }])
    expect(result).toMatchObject({ stopReason: 'final', reply: 'done' })
    expect(deeds).toHaveLength(4)
  })

  test('another call in between begins the count again', async () => {
    const other = { calls: [call('look', { n: 2 })] }
    const { result } = await play([...again(2), other, ...again(2), { text: 'done' }])
    expect(result).toMatchObject({ stopReason: 'final', reply: 'done' })
  })

  test('polling with changing results goes on', async () => {
    let polls = 0
    const poll = defineTool({
      name: 'poll',
      description: 'status',
      schema: { type: 'object' },
      readOnly: true,
      trust: 'internal',
      execute: () => `${++polls} %`,
    })
    const engine = await engineWith({ tools: [poll], model: saying([...again(6, 'poll'), { text: 'done' }]) })
    const { result } = await collect(startTurn(engine, input()))
    expect(result).toMatchObject({ stopReason: 'final', reply: 'done' })
    expect(polls).toBe(6)
  })

  test('a run that was interrupted after the second goes on counting', async () => {
    const { events } = await play(again(9))
    const second = ofType(events, 'tool.result')[1]?.seq ?? 0
    const begun = events.filter(({ type, seq }) => type !== 'model.delta' && seq <= second)
    const state = fold(begun, { history: [] })
    expect(state.repeat).toMatchObject({ tool: 'look', times: 2 })
  })
})

describe('a run stops for exactly one reason', () => {
  test('S1-128 S1-64: a model that always calls tools gets ten steps, and the reply says so', async () => {
    const { result, deeds } = await play(
      Array.from({ length: 20 }, (_, i) => ({ text: `draft ${i}`, calls: [call('look', { n: i })] })),
    )
    expect(result.stopReason).toBe('max_steps')
    expect(deeds).toHaveLength(10)
    expect(result.reply).toContain('10')
    expect(result.reply).toContain('draft 9')
  })

  test('S3: the second malformed reply in a row ends it, a good one in between does not', async () => {
    const bad = { calls: [{ id: 'x', tool: 'look', rawArgs: '{"n":' }] }
    const twice = await play([bad, bad, { text: 'never' }])
    expect(twice.result.stopReason).toBe('parse_error')
    expect(twice.result.state.steps).toBe(1)
    const mended = await play([bad, { calls: [call('look')] }, bad, { text: 'good' }])
    expect(mended.result).toMatchObject({ stopReason: 'final', reply: 'good' })
    expect(ofType(mended.events, 'protocol.repair')).toHaveLength(2)
  })

  test('a workflow that fails twice in a row ends with tool_error; a success in between resets the count', async () => {
    const profile: Profile = { ...PROFILES.workflow, dialect: 'native', exposure: { hidden: [] } }
    const twice = await play([{ calls: [call('fails')] }, { calls: [call('fails')] }], { profile })
    expect(twice.result.stopReason).toBe('tool_error')
    const mended = await play([{ calls: [call('fails')] }, { calls: [call('look')] }, { calls: [call('fails')] }], {
      profile,
    })
    expect(mended.result.stopReason).toBe('final')
  })

  test('the tool-call limit of a workflow stops it, the rest of the reply is skipped', async () => {
    const profile = limited({ maxToolCalls: 1 }, { ...PROFILES.workflow, dialect: 'native', exposure: { hidden: [] } })
    const { result, deeds, events } = await play([{ calls: [call('look'), call('look'), call('look')] }], { profile })
    expect(result.stopReason).toBe('max_tool_calls')
    expect(deeds).toHaveLength(1)
    expect(ofType(events, 'tool.result').map((e) => e.data.observation.code)).toEqual([
      undefined,
      'MAX_TOOL_CALLS',
      'SKIPPED',
    ])
  })

  test('S0-87: a call the task’s intent forbids ends the run, and the rest of the reply is skipped', async () => {
    const policy = policyWith()
    policy.intentGuard.intents.general = {
      ...policy.intentGuard.intents.general,
      enabled: true,
      allowedFamilies: ['vcs'],
    }
    const { result, deeds } = await play([{ calls: [call('look'), call('look')] }], { engine: { policy } })
    expect(result.stopReason).toBe('tool_policy_blocked')
    expect(result.reply).toMatch(/general.*task/)
    expect(deeds).toHaveLength(0)
  })

  test('a soft token budget gives one last answer-now step, a hard one none', async () => {
    const costly = { calls: [call('look')], usage: { inputTokens: 90, outputTokens: 20 } }
    const soft = limited({ tokens: { budget: 100, mode: 'soft' } })
    const one = await play([costly, { text: 'in short' }, { text: 'never' }], { profile: soft })
    expect(one.result.stopReason).toBe('token_budget')
    expect(one.result.reply).toContain('in short')
    const hard = limited({ tokens: { budget: 100, mode: 'hard' } })
    const none = await play([costly, { text: 'never' }], { profile: hard })
    expect(none.result.stopReason).toBe('token_budget')
    expect(none.model.asked).toBe(1)
    const unlimited = await play([costly, { text: 'fine' }], {
      profile: limited({ tokens: { budget: 0, mode: 'hard' } }),
    })
    expect(unlimited.result.stopReason).toBe('final')
  })

  test('S1-60: a provider that fails for good ends the run, and the session continues', async () => {
    const broken = await play([new ModelError('no such model', { retryable: false, status: 404 })])
    expect(broken.result.stopReason).toBe('provider_error')
    expect(broken.result.reply).toContain('no such model')
    const next = await collect(startTurn(broken.engine, input({ sessionId: broken.result.sessionId })))
    expect(next.result.stopReason).toBe('final')
  })

  test('a run past its time limit ends with timeout, though the tool hangs', async () => {
    const slow = defineTool({
      name: 'slow',
      description: 'waits for ever, but listens',
      schema: { type: 'object' },
      readOnly: true,
      execute: (_args, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    })
    const engine = await engineWith({
      tools: [slow],
      model: saying([{ calls: [call('slow', {})] }]),
      clock: { now: Date.now },
    })
    const { result } = await collect(startTurn(engine, input({ profile: limited({ runMs: 1000 }) })))
    expect(result.stopReason).toBe('timeout')
    expect(result.reply).toContain('agent.limits.runMs')
  })

  test('a bug in the runtime is an internal error that still commits the turn', async () => {
    const model = {
      ...saying([]),
      // biome-ignore lint/correctness/useYield: it fails before the first word
      async *ask(): AsyncGenerator<string, never> {
        throw new TypeError('a bug')
      },
    }
    const { result, events } = await play([], { engine: { model } })
    expect(result.stopReason).toBe('internal_error')
    expect(ofType(events, 'error.internal')[0]?.data.message).toBe('a bug')
    expect(events.at(-1)?.type).toBe('turn.committed')
  })
})

describe('a consumer that stops reading', () => {
  async function leaveAt(type: EventType, engine: Engine) {
    for await (const event of startTurn(engine, input({ stream: true }))) if (event.type === type) break
  }

  test('stops the model in the middle of a word', async () => {
    let closed = false
    const model = {
      ...saying([]),
      async *ask({ purpose }: ModelRequest): AsyncGenerator<string, Completion> {
        const usage = { inputTokens: 0, outputTokens: 0 }
        if (purpose !== 'main') return { text: '{"direct":true}', calls: [], usage, truncated: false }
        try {
          for (;;) yield 'wo'
        } finally {
          closed = true
        }
      },
    }
    await leaveAt('model.delta', await engineWith({ model }))
    expect(closed).toBe(true)
  })

  test('stops the running tool, and waits for it before anything else can start', async () => {
    let ended = false
    const busy = defineTool({
      name: 'busy',
      description: 'works until it is told to stop, and cleans up',
      schema: { type: 'object' },
      readOnly: true,
      async execute(_args, { note, signal }) {
        note('context.persisted', { messages: 1 })
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        await new Promise(setImmediate)
        ended = true
        return ''
      },
    })
    const lines = [{ calls: [call('busy', {})] }]
    await leaveAt('context.persisted', await engineWith({ tools: [busy], model: saying(lines) }))
    expect(ended).toBe(true)
  })

  test('does not stop what a finished tool started', async () => {
    let kept: AbortSignal | undefined
    const begins = defineTool({
      name: 'begins',
      description: 'begins something that stays',
      schema: { type: 'object' },
      readOnly: true,
      execute(_args, { signal }) {
        kept = signal
        return ''
      },
    })
    const engine = await engineWith({ tools: [begins], model: saying([{ calls: [call('begins', {})] }]) })
    await collect(startTurn(engine, input()))
    expect(kept?.aborted).toBe(false)
  })
})

describe('approvals', () => {
  const asked: string[] = []
  const answer =
    (...answers: ('y' | 'n' | 'a')[]): Confirm =>
    async (question) => {
      asked.push(question.tool)
      return answers.shift() ?? 'n'
    }
  test('S1-104: the model sees the rejection and nothing runs', async () => {
    const { deeds, result } = await play([{ calls: [call('change')] }], { confirm: answer('n') })
    expect(deeds).toHaveLength(0)
    expect(result.state.messages.at(-2)).toMatchObject({ content: expect.stringContaining('[错误] USER_REJECTED') })
  })
  test('S1-99 S1-101 S1-102: `a` is asked once and holds for this session only', async () => {
    asked.length = 0
    const lines = () => [{ calls: [call('change'), call('change')] }, { text: 'ok' }]
    const first = await play(lines(), { confirm: answer('a') })
    expect(asked).toEqual(['change'])
    expect(first.deeds).toHaveLength(2)
    const again = { ...first.engine, model: saying(lines()) }
    await collect(startTurn(again, input({ sessionId: first.result.sessionId, confirm: answer('n') })))
    expect(asked).toEqual(['change'])
    await collect(startTurn({ ...again, model: saying(lines()) }, input({ confirm: answer('n', 'n') })))
    expect(asked).toEqual(['change', 'change', 'change'])
  })
  test.each([
    ['never answers', () => {}],
    ['answers no because of that', (answer: (no: 'n') => void) => answer('n')],
  ])('a run stopped while it asks a person who %s has no answer in its journal', async (_how, give) => {
    const stop = new AbortController()
    const confirm: Confirm = (_question, signal) => {
      const { promise, resolve } = Promise.withResolvers<'n'>()
      signal.addEventListener('abort', () => give(resolve))
      setImmediate(() => stop.abort())
      return promise
    }
    const { deeds, events, result } = await play([{ calls: [call('change')] }], { confirm, signal: stop.signal })
    expect(deeds).toHaveLength(0)
    expect(result.stopReason).toBe('aborted')
    expect(events.map(({ type }) => type)).toContain('confirm.asked')
    expect(events.map(({ type }) => type)).not.toContain('confirm.answered')
    expect(ofType(events, 'gate.decided').at(-1)?.data).toMatchObject({ decision: 'deny', reason: 'RUN_OVER' })
  })
  test('an approval answered later parks the run; the answer resumes it', async () => {
    const parked = await play([{ calls: [call('change')] }, { text: 'finished' }], { confirm: async () => 'later' })
    expect(parked.result.stopReason).toBe('parked')
    const { runId } = parked.result
    const { signal } = new AbortController()
    const resumed = await collect(resumeTurn(parked.engine, { runId, signal, confirm: answer('y'), stream: false }))
    expect(resumed.result).toMatchObject({ stopReason: 'final', reply: 'finished' })
    expect(parked.deeds).toHaveLength(1)
    expect((await audit(parked.engine.store)).breaches).toEqual([])
  })
})

describe('a run resumed from its journal', () => {
  const lines: Line[] = [
    { calls: [call('look', { n: 1 }, 'k1'), call('write', { n: 2 }, 'k2')] },
    { calls: [call('write', { n: 3 }, 'k3')] },
    { text: 'all done' },
  ]
  function tools(deeds: Deed[]) {
    const execute = (args: unknown, at: { callId: string; runId: string }) => {
      deeds.push({ tool: 'write', args, ...at })
      return 'written'
    }
    const write = defineTool({ name: 'write', description: 'w', schema: {}, risk: 'Low', execute })
    return [...spyTools(deeds), write]
  }

  test('continues from every single event, repeats no started write, and verifies', async () => {
    const whole = await engineWith({ tools: tools([]), model: saying(lines) })
    const { result } = await collect(startTurn(whole, input()))
    const journal = await whole.store.readRun(result.runId)
    const first = journal.findIndex((e) => e.type === 'run.started')
    const last = journal.findIndex((e) => e.type === 'run.stopped')
    for (let cut = first + 1; cut <= last; cut++) {
      const deeds: Deed[] = []
      const kept = journal.slice(0, cut)
      const replies = kept.filter((e) => e.type === 'model.replied' && e.data.purpose === 'main').length
      const engine = await engineWith({
        tools: tools(deeds),
        model: saying(lines.slice(replies)),
        newId: (p) => `${p}_n${++ids}`,
      })
      await engine.store.append(kept)
      const { signal } = new AbortController()
      const resumed = await collect(
        resumeTurn(engine, { runId: result.runId, signal, confirm: undefined, stream: false }),
      )
      expect(resumed.result, `cut at ${kept.at(-1)?.type}`).toMatchObject({ stopReason: 'final', reply: 'all done' })
      const begun = kept.flatMap((e) => (e.type === 'tool.call' && e.data.tool === 'write' ? [e.data.callId] : []))
      for (const deed of deeds.filter((d) => d.tool === 'write')) expect(begun).not.toContain(deed.callId)
      expect((await audit(engine.store)).breaches).toEqual([])
    }
  })

  test('a call that started and has no result is reported as unknown, not repeated', async () => {
    const whole = await engineWith({ tools: tools([]), model: saying(lines) })
    const { result } = await collect(startTurn(whole, input()))
    const journal = await whole.store.readRun(result.runId)
    const at = journal.findIndex((e) => e.type === 'tool.call' && e.data.tool === 'write')
    const engine = await engineWith({ tools: tools([]), model: saying(lines.slice(1)) })
    await engine.store.append(journal.slice(0, at + 1))
    const { signal } = new AbortController()
    const { events } = await collect(
      resumeTurn(engine, { runId: result.runId, signal, confirm: undefined, stream: false }),
    )
    expect(ofType(events, 'tool.result')[0]?.data).toMatchObject({
      tool: 'write',
      observation: { code: 'INTERRUPTED' },
    })
    expect(ofType(events, 'run.interrupted')).toHaveLength(1)
  })

  test('a call whose arguments were masked is proposed again, never rebuilt', async () => {
    const secret = 'sk-abcdefghijklmnopqrstuvwxyz012345'
    const deeds: Deed[] = []
    const model = saying([{ calls: [call('change', { n: 1, text: secret }, 's1')] }])
    const engine = await engineWith({ tools: spyTools(deeds), model })
    const asked = Promise.withResolvers<void>()
    const confirm = () => {
      asked.resolve()
      return new Promise<never>(() => {})
    }
    // Never answered: the process is gone while it asks.
    collect(startTurn(engine, input({ confirm }))).catch(() => {})
    await asked.promise
    const runId = (await engine.store.listRuns())[0]?.runId ?? ''
    const { signal } = new AbortController()
    const again = { ...engine, model: saying([{ text: 'asked again' }]) }
    const { events } = await collect(resumeTurn(again, { runId, signal, confirm: async () => 'y', stream: false }))
    expect(ofType(events, 'tool.result')[0]?.data.observation.code).toBe('ARGS_REDACTED')
    expect(deeds).toHaveLength(0)
    expect(JSON.stringify(await engine.store.readRun(runId))).not.toContain(secret)
  })

  test('a call with a secret does not wait for an approval that could not be used', async () => {
    const secret = 'sk-abcdefghijklmnopqrstuvwxyz012345'
    const deeds: Deed[] = []
    const lines = [
      { calls: [call('change', { n: 1, text: secret }, 's1')] },
      { text: 'it must be named by a variable' },
    ]
    const model = saying(lines)
    const engine = await engineWith({ tools: spyTools(deeds), model })
    const { events, result } = await collect(startTurn(engine, input({ confirm: async () => 'later' })))
    expect(result).toMatchObject({ stopReason: 'final', reply: 'it must be named by a variable' })
    expect(ofType(events, 'confirm.answered')[0]?.data).toMatchObject({ answer: 'n', by: 'journal' })
    expect(ofType(events, 'tool.result')[0]?.data.observation.text).toContain('contains a secret')
    expect(deeds).toHaveLength(0)
  })

  test('an ended or unknown run is not resumed', async () => {
    const { engine, result } = await play([{ text: 'x' }])
    const { signal } = new AbortController()
    const resume = (runId: string) => collect(resumeTurn(engine, { runId, signal, confirm: undefined, stream: false }))
    await expect(resume(result.runId)).rejects.toMatchObject({ code: 'RUN_ENDED' })
    await expect(resume('run_none')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' })
  })

  test('a worker whose run was taken over stops before it acts', async () => {
    const deeds: Deed[] = []
    const engine = await engineWith({ tools: tools(deeds), model: saying([{ calls: [call('write', { n: 1 }, 'z')] }]) })
    const turn = startTurn(engine, input())
    for (;;) {
      const next = await turn.next()
      if (next.done || next.value.type === 'gate.decided') break
    }
    const [run] = await engine.store.listRuns()
    const thief = resumeTurn(
      { ...engine, model: saying([]) },
      { runId: run?.runId ?? '', signal: new AbortController().signal, confirm: undefined, stream: false },
    )
    await collect(thief)
    deeds.length = 0
    await expect(collect(turn)).rejects.toMatchObject({ code: 'RUN_TAKEN' })
    expect(deeds).toHaveLength(0)
  })
})
