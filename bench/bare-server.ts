/**
 * What `writ serve` is compared with: a conversation over Hono and server-sent events with the same model and the same
 * tool, and nothing else. No gate, no journal, no tokens; conversations are in memory.
 */
import { readdirSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { MODEL } from './contender.ts'

interface Call {
  id: string
  function: { name: string; arguments: string }
}
interface Chunk {
  choices: { delta: { content?: string; tool_calls?: Call[] } }[]
}

const [baseURL] = process.argv.slice(2)
const parameters = { type: 'object', properties: { path: { type: 'string' } } }
const tools = [
  { type: 'function', function: { name: 'file_list', description: 'List a folder.', parameters } },
] as const
const conversations = new Map<string, object[]>()

const app = new Hono()
app.get('/healthz', (c) => c.json({ status: 'ok' }))
app.post('/messages/:id', async (c) => {
  const id = c.req.param('id')
  const { text } = await c.req.json<{ text: string }>()
  const messages = conversations.get(id) ?? []
  conversations.set(id, messages)
  messages.push({ role: 'user', content: text })
  return streamSSE(c, async (stream) => {
    await stream.write(': open\n\n')
    for (let isDone = false; !isDone; ) {
      let content = ''
      let call: Call | undefined
      for await (const { choices } of ask(messages)) {
        const { content: text, tool_calls } = choices[0]?.delta ?? {}
        call ??= tool_calls?.[0]
        if (text === undefined) continue
        content += text
        await stream.writeSSE({ event: 'model.delta', data: JSON.stringify({ text }) })
      }
      messages.push({ role: 'assistant', content, ...(call && { tool_calls: [{ ...call, type: 'function' }] }) })
      isDone = call === undefined
      if (call !== undefined)
        messages.push({ role: 'tool', tool_call_id: call.id, content: readdirSync('.').join('\n') })
    }
    await stream.writeSSE({ event: 'result', data: '{}' })
  })
})

async function* ask(messages: readonly object[]): AsyncGenerator<Chunk> {
  const { body } = await fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages, tools, stream: true }),
  })
  let rest = ''
  for await (const part of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const frames = `${rest}${part}`.split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) if (frame !== 'data: [DONE]') yield JSON.parse(frame.slice('data: '.length))
  }
}

const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  process.send?.(`http://127.0.0.1:${port}`),
)
process.on('disconnect', () => {
  server.close()
  process.exit()
})
