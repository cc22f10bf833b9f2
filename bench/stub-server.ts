/**
 * A model server on loopback, in its own process so that its CPU time is not counted. It keeps no state and parses no
 * JSON: the step is the number of tool messages in the request, the number of steps is in the task.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LAST_WORDS, LOOKUP, MODEL } from './contender.ts'

const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }

function countToolMessages(body: string): number {
  let count = 0
  for (let at = body.indexOf('"role":"tool"'); at !== -1; at = body.indexOf('"role":"tool"', at + 1)) count++
  return count
}

/** Every reply has a unique id: LangGraph treats messages with the same id as one message. */
function answer(body: string): { id: string; message: object; finish: string } {
  const step = countToolMessages(body) + 1
  const id = `reply-${step}`
  const steps = Number(/Take exactly (\d+) steps/.exec(body)?.[1] ?? 0)
  if (step > steps) return { id, message: { role: 'assistant', content: LAST_WORDS }, finish: 'stop' }
  const call = {
    id: `call_${step}`,
    type: 'function',
    function: { name: LOOKUP.name, arguments: `{"n":${step}}` },
  }
  return { id, message: { role: 'assistant', content: null, tool_calls: [call] }, finish: 'tool_calls' }
}

function writeWhole(body: string): string {
  const { id, message, finish } = answer(body)
  return JSON.stringify({
    id,
    object: 'chat.completion',
    created: 0,
    model: MODEL,
    choices: [{ index: 0, message, finish_reason: finish }],
    usage,
  })
}

function writeStream(body: string): string {
  const { id, message, finish } = answer(body)
  const calls = 'tool_calls' in message ? (message.tool_calls as object[]) : []
  const delta = calls.length === 0 ? message : { ...message, tool_calls: calls.map((call) => ({ index: 0, ...call })) }
  const head = { id, object: 'chat.completion.chunk', created: 0, model: MODEL }
  const chunks = [
    { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: finish }], usage },
  ]
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
}

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = Buffer.concat(parts).toString()
    const streams = body.includes('"stream":true')
    const text = streams ? writeStream(body) : writeWhole(body)
    response.writeHead(200, {
      'content-type': streams ? 'text/event-stream' : 'application/json',
      'content-length': Buffer.byteLength(text),
    })
    response.end(text)
  })
})

server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
})
process.on('disconnect', () => process.exit())
