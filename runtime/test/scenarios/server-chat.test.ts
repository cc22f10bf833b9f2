/** S0's `test:server-chat`: starts a server, chats over HTTP, stops it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Frame } from '../../src/server/client.ts'
import { spyTools } from '../support/engine.ts'
import {
  call,
  framesIn,
  makeServerPlace,
  readUntil,
  speaking,
  type TestPlace,
  type TestServer,
} from '../support/server.ts'

let place: TestPlace
beforeEach(() => {
  place = makeServerPlace()
})
afterEach(() => place.remove())

const newSession = async ({ api }: TestServer) => (await api.call('POST /api/sessions', {})).sessionId
const say = (server: TestServer, id: string, text: string) =>
  server.api.call('POST /api/sessions/:id/messages', { params: { id }, body: { text } })
const stored = (frames: readonly Frame[]) => frames.filter((frame) => frame.id !== undefined)
const types = (frames: readonly Frame[]) => frames.map((frame) => frame.event)

describe('messages', () => {
  test('S0-123, S0-124: a message over HTTP gets a reply', async () => {
    writeFileSync(join(place.workspace, 'hello.txt'), 'hi')
    const server = await place.start()
    const id = await newSession(server)
    const result = await say(server, id, 'list the files here')

    expect(result).toMatchObject({ stopReason: 'final', sessionId: id })
    expect(result.reply).toContain('hello.txt')
    expect(result.metadata.execution).toMatchObject({ stopReason: 'final', model: 'rules', toolCalls: 1 })
    expect(result.notices.join()).toMatch(/built-in rules/)
    await server.stop()
    await expect(fetch(server.url)).rejects.toThrow()
  })

  test('a session continues, also after a restart of the server', async () => {
    const first = await place.start({ model: speaking([['My name is Ada.']]) })
    const id = await newSession(first)
    await say(first, id, 'who are you?')
    await first.stop()

    const model = speaking([['You asked who I am.']])
    const second = await place.start({ model, token: first.token })
    await say(second, id, 'what did I ask?')
    expect(model.requests[0]?.messages).toMatchObject([
      { role: 'user', content: 'who are you?' },
      { role: 'assistant', content: 'My name is Ada.' },
      { role: 'user', content: 'what did I ask?' },
    ])
    const view = await second.api.call('GET /api/sessions/:id', { params: { id } })
    expect(view.title).toBe('who are you?')
    expect(view.messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'user: who are you?',
      'assistant: My name is Ada.',
      'user: what did I ask?',
      'assistant: You asked who I am.',
    ])
    const { sessions } = await second.api.call('GET /api/sessions', {})
    expect(sessions).toMatchObject([{ sessionId: id, title: 'who are you?', runs: 2, state: 'idle' }])
  })

  test('a streamed message returns the events of its turn, the text as it is written, and finally the result', async () => {
    const server = await place.start({
      model: speaking([[{ calls: [call('look', { n: 1 })] }], ['all ', 'good']]),
      tools: spyTools([]),
    })
    const id = await newSession(server)
    const input = { params: { id }, body: { text: 'look' } }
    const frames = await framesIn(server.api.stream('POST /api/sessions/:id/messages', input))

    expect(types(frames).at(-1)).toBe('result')
    expect(frames.at(-1)?.data).toMatchObject({ reply: 'all good', stopReason: 'final' })
    const journal = await server.api.call('GET /api/sessions/:id/events', { params: { id } })
    expect(stored(frames).map(({ data }) => data)).toEqual(journal.events)
    const text = frames.flatMap(({ event, data }) =>
      event === 'model.delta' ? [(data as { data: { text: string } }).data.text] : [],
    )
    expect(text.join('')).toBe('all good')
    expect(types(frames).indexOf('model.delta')).toBeLessThan(types(frames).lastIndexOf('model.replied'))
  })
})

describe('streams', () => {
  test('a stream that reconnects neither loses nor repeats stored events; text arrives as one snapshot', async () => {
    const gate = Promise.withResolvers<void>()
    const server = await place.start({
      model: speaking([[{ calls: [call('look', { n: 1 })] }], ['once ', 'upon ', gate.promise, 'a time']]),
      tools: spyTools([]),
    })
    const id = await newSession(server)
    const result = say(server, id, 'tell')
    const first = server.api.stream('GET /api/sessions/:id/events', { params: { id } })
    const before = await readUntil(first, 'model.delta')
    await first.return()
    const lastEventId = stored(before).at(-1)?.id ?? ''

    const second = server.api.stream('GET /api/sessions/:id/events', { params: { id }, lastEventId })
    const middle = await readUntil(second, 'model.snapshot')
    expect(middle.at(-1)?.data).toMatchObject({ text: 'once upon ' })
    gate.resolve()
    const after = await readUntil(second, 'turn.committed')
    await second.return()
    await result

    const journal = await server.api.call('GET /api/sessions/:id/events', { params: { id } })
    expect(stored([...before, ...middle, ...after]).map(({ data }) => data)).toEqual(journal.events)
    const rest = after.flatMap(({ event, data }) =>
      event === 'model.delta' ? [(data as { data: { text: string } }).data.text] : [],
    )
    expect(rest.join('')).toBe('a time')
  })

  test('however often the stream breaks, the received events equal the journal', async () => {
    const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>())
    const steps = gates.map(({ promise }, n) => ['thinking ', promise, { calls: [call('look', { n })] }])
    const server = await place.start({ model: speaking([...steps, ['done']]), tools: spyTools([]) })
    const id = await newSession(server)
    const result = say(server, id, 'work')
    const seen: Frame[] = []
    for (const { resolve } of gates) {
      const lastEventId = stored(seen).at(-1)?.id
      const input = { params: { id }, ...(lastEventId === undefined ? {} : { lastEventId }) }
      const stream = server.api.stream('GET /api/sessions/:id/events', input)
      for await (const frame of stream) {
        seen.push(frame)
        if (frame.event === 'model.snapshot' || frame.event === 'model.delta') break
      }
      resolve()
    }
    await result
    const lastEventId = stored(seen).at(-1)?.id ?? ''
    const rest = await readUntil(
      server.api.stream('GET /api/sessions/:id/events', { params: { id }, lastEventId }),
      'turn.committed',
    )
    const journal = await server.api.call('GET /api/sessions/:id/events', { params: { id } })
    expect(stored([...seen, ...rest]).map(({ data }) => data)).toEqual(journal.events)
  })

  test('a disconnected client does not end the run', async () => {
    const gate = Promise.withResolvers<void>()
    const server = await place.start({ model: speaking([['slow ', gate.promise, 'reply']]) })
    const id = await newSession(server)
    const stream = server.api.stream('POST /api/sessions/:id/messages', { params: { id }, body: { text: 'hello' } })
    await readUntil(stream, 'model.delta')
    await stream.return()
    gate.resolve()
    await readUntil(server.api.stream('GET /api/sessions/:id/events', { params: { id } }), 'turn.committed')
    const { messages } = await server.api.call('GET /api/sessions/:id', { params: { id } })
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', text: 'slow reply', stopReason: 'final' })
  })

  test('messages of two clients in one session run one at a time, and both clients see everything', async () => {
    const gate = Promise.withResolvers<void>()
    const server = await place.start({ model: speaking([[gate.promise, 'first'], ['second']]) })
    const id = await newSession(server)
    const watcher = server.api.stream('GET /api/sessions/:id/events', { params: { id } })
    const one = say(server, id, 'one')
    await readUntil(watcher, 'model.requested')
    const two = say(server, id, 'two')
    gate.resolve()

    expect((await one).reply).toBe('first')
    expect((await two).reply).toBe('second')
    const { messages } = await server.api.call('GET /api/sessions/:id', { params: { id } })
    expect(messages.map(({ text }) => text)).toEqual(['one', 'first', 'two', 'second'])
    await readUntil(watcher, 'turn.committed')
    await readUntil(watcher, 'turn.committed')
    await watcher.return()
  })

  test('events of another server on the same store are visible here, and its questions can be answered here', async () => {
    const gate = Promise.withResolvers<void>()
    const one = await place.start({
      model: speaking([['from afar ', gate.promise, { calls: [call('change', { n: 1 })] }]]),
      tools: spyTools([]),
    })
    const two = await place.start({ model: speaking([['changed here']]), tools: spyTools([]), token: one.token })
    const id = await newSession(one)
    const watcher = two.api.stream('GET /api/sessions/:id/events', { params: { id } })
    const parked = say(one, id, 'change it')
    const before = await readUntil(watcher, 'model.requested')
    gate.resolve()
    const after = await readUntil(watcher, 'run.parked')
    const { runId, question } = await parked
    const body = { callId: question?.callId ?? '', answer: 'y' as const }
    await two.api.call('POST /api/approvals/:runId', { params: { runId }, body })
    const rest = await readUntil(watcher, 'turn.committed')
    await watcher.return()

    const journal = await one.api.call('GET /api/sessions/:id/events', { params: { id } })
    expect(stored([...before, ...after, ...rest]).map(({ data }) => data)).toEqual(journal.events)
    expect((await one.api.call('GET /api/sessions/:id', { params: { id } })).messages.at(-1)?.text).toBe('changed here')
  })

  test('one run can be followed to its end by sequence number', async () => {
    const server = await place.start({ model: speaking([['fine']]) })
    const id = await newSession(server)
    const { runId } = await say(server, id, 'hello')
    const whole = await framesIn(server.api.stream('GET /api/runs/:id/events', { params: { id: runId } }))
    const { events } = await server.api.call('GET /api/runs/:id/events', { params: { id: runId } })
    expect(whole.map(({ data }) => data)).toEqual(events)
    expect(whole.map((frame) => frame.id)).toEqual(events.map(({ seq }) => String(seq)))
    const part = await framesIn(
      server.api.stream('GET /api/runs/:id/events', { params: { id: runId }, lastEventId: '3' }),
    )
    expect(part.map(({ data }) => data)).toEqual(events.slice(3))
  })
})

describe('stopping', () => {
  test('a run can be aborted, and the turn ends with a text', async () => {
    const server = await place.start({ model: speaking([['never ', new Promise(() => {}), 'ends']]) })
    const id = await newSession(server)
    const result = say(server, id, 'go')
    await readUntil(server.api.stream('GET /api/sessions/:id/events', { params: { id } }), 'model.delta')
    const { aborted } = await server.api.call('POST /api/sessions/:id/abort', { params: { id } })

    const { stopReason, runId, reply } = await result
    expect(aborted).toEqual([runId])
    expect(stopReason).toBe('aborted')
    expect(reply).not.toBe('')
    expect((await server.api.call('POST /api/sessions/:id/abort', { params: { id } })).aborted).toEqual([])
  })

  test('too many messages waiting in one session are refused', async () => {
    const gate = Promise.withResolvers<void>()
    const server = await place.start({ model: speaking([[gate.promise, 'first']]) })
    const id = await newSession(server)
    const waiting = Array.from({ length: 9 }, () => say(server, id, 'again'))
    const settled = Promise.allSettled(waiting)
    await readUntil(server.api.stream('GET /api/sessions/:id/events', { params: { id } }), 'model.requested')
    await expect.poll(() => server.running()).toBe(9)
    await expect(say(server, id, 'one more')).rejects.toMatchObject({ status: 409, code: 'SESSION_BUSY' })
    gate.resolve()
    expect((await settled).every(({ status }) => status === 'fulfilled')).toBe(true)
  })

  test('on shutdown the server lets runs finish, accepts no new work, and records the runs it had to abort', async () => {
    const [soon, never] = [Promise.withResolvers<void>(), new Promise(() => {})]
    const server = await place.start({
      model: speaking([
        [soon.promise, 'finished'],
        [never, 'lost'],
      ]),
      drainMs: 3000,
    })
    const [a, b] = [await newSession(server), await newSession(server)]
    const first = say(server, a, 'quick')
    await readUntil(server.api.stream('GET /api/sessions/:id/events', { params: { id: a } }), 'model.requested')
    const second = say(server, b, 'slow')
    const watcher = server.api.stream('GET /api/sessions/:id/events', { params: { id: b } })
    await readUntil(watcher, 'model.requested')
    const stopping = server.stop()
    soon.resolve()

    expect(await first).toMatchObject({ reply: 'finished', stopReason: 'final' })
    expect(await second).toMatchObject({ stopReason: 'aborted' })
    expect(types(await framesIn(watcher))).toContain('turn.committed')
    await stopping
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
  })

  test('during shutdown /readyz and all other requests get 503', async () => {
    const gate = Promise.withResolvers<void>()
    const server = await place.start({ model: speaking([[gate.promise, 'finished']]), drainMs: 60_000 })
    const id = await newSession(server)
    const reply = say(server, id, 'wait')
    await readUntil(server.api.stream('GET /api/sessions/:id/events', { params: { id } }), 'model.requested')
    const stopping = server.stop()
    expect((await server.request('/readyz', { token: null })).status).toBe(503)
    expect((await server.request('/healthz', { token: null })).status).toBe(200)
    const refused = await server.request('/api/sessions', { method: 'POST' })
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    gate.resolve()
    expect(await reply).toMatchObject({ reply: 'finished' })
    await stopping
  })

  test('runs left at shutdown are resumed at the next start', async () => {
    const first = await place.start({ model: speaking([[new Promise(() => {}), 'lost']]), drainMs: 0 })
    const id = await newSession(first)
    const asked = say(first, id, 'something slow').catch((error: unknown) => error)
    await readUntil(first.api.stream('GET /api/sessions/:id/events', { params: { id } }), 'model.requested')
    await first.stop('leave')
    expect(await asked).toMatchObject({ status: 503, code: 'DRAINING' })
    expect(first.log.map(({ what }) => what)).toContain('run.interrupted')

    const second = await place.start({ model: speaking([['went on']]), token: first.token })
    const stream = second.api.stream('GET /api/sessions/:id/events', { params: { id } })
    const seen = types(await readUntil(stream, 'turn.committed'))
    expect(seen).toContain('run.resumed')
    expect(seen.filter((type) => type === 'run.stopped')).toHaveLength(1)
    const { messages } = await second.api.call('GET /api/sessions/:id', { params: { id } })
    expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual(['user: something slow', 'assistant: went on'])
  }, 60_000)
})
