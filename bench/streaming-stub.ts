/**
 * A model server on loopback, in its own process, with realistic delays: a pause, then text in pieces. In each turn it
 * requests one tool call, then answers. It records its own time, which is subtracted from the result.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { MODEL } from './contender.ts'

/** Time to the first token. */
const PAUSE_MS = 1000
const PIECES = 60
const PIECE_MS = 100

/** Milliseconds by the turn's mark, such as `#17.3`. */
const spent: Record<string, number> = {}

const head = { id: 'reply', object: 'chat.completion.chunk', created: 0, model: MODEL }

function send(response: ServerResponse, delta: object, finish: string | null = null): void {
  response.write(`data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`)
}

async function answer(body: string, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  await delay(PAUSE_MS)
  if (body.lastIndexOf('"role":"tool"') < body.lastIndexOf('"role":"user"')) {
    const call = { index: 0, id: `call_${Math.random()}`, type: 'function' }
    send(response, { tool_calls: [{ ...call, function: { name: 'file_list', arguments: '{"path":"."}' } }] })
    send(response, {}, 'tool_calls')
  } else {
    for (let i = 0; i < PIECES; i++) {
      await delay(PIECE_MS)
      send(response, { content: 'a few more words ' })
    }
    send(response, {}, 'stop')
  }
  const usage = { prompt_tokens: 100, completion_tokens: 100, total_tokens: 200 }
  response.end(`data: ${JSON.stringify({ ...head, choices: [], usage })}\n\ndata: [DONE]\n\n`)
}

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const began = performance.now()
    const body = Buffer.concat(parts).toString()
    const mark = body.match(/#\d+\.\d+/g)?.at(-1) ?? ''
    response.on('finish', () => {
      spent[mark] = (spent[mark] ?? 0) + performance.now() - began
    })
    void answer(body, response)
  })
})

server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
})
process.on('message', () => process.send?.(spent))
process.on('disconnect', () => process.exit())
