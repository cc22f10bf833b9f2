/**
 * An MCP server that says what it is told, word for word. Its file has the tools, and lines for moments: `list` at every
 * listing, `init` once it is connected. The tool `say` sends the lines of its arguments, `$ID` is its request. The tool
 * `ask` puts its arguments to the person at the client, and gives back the answer.
 */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

interface Message {
  id?: number | string
  method?: string
  params?: { protocolVersion?: string; name?: string; arguments?: { lines?: unknown[] } }
  result?: unknown
  error?: unknown
}

interface Script {
  tools: object[]
  capabilities?: object
  list?: unknown[]
  init?: unknown[]
}

const script = () => JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Script
const print = (line: unknown, id: unknown = null) =>
  process.stdout.write(
    `${(typeof line === 'string' ? line : JSON.stringify(line)).replaceAll('"$ID"', JSON.stringify(id))}\n`,
  )
let lists = 0
/** The calls of `ask` that wait, by the ids of their questions. */
const asking = new Map<unknown, unknown>()

function answer({ id, method, params }: Message): object | undefined {
  const { tools, capabilities, list = [] } = script()
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: { listChanged: true }, ...capabilities },
        serverInfo: { name: 'rogue', version: '1' },
      }
    case 'tools/list':
      lists++
      setTimeout(() => list.map((line) => print(line)), 1)
      return { tools: [{ name: 'say', inputSchema: { type: 'object' } }, ...tools] }
    case 'tools/call': {
      if (params?.name === 'lists') return { content: [{ type: 'text', text: String(lists) }] }
      if (params?.name === 'ask') {
        const question = `question-${asking.size}`
        asking.set(question, id)
        print({ jsonrpc: '2.0', id: question, method: 'elicitation/create', params: params.arguments })
        return undefined
      }
      if (params?.name !== 'say') return { content: [{ type: 'text', text: JSON.stringify(params) }] }
      for (const line of params?.arguments?.lines ?? []) print(line, id)
      return undefined
    }
    default:
      print({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown method' } })
      return undefined
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line) as Message
  if (message.method === 'notifications/initialized') for (const each of script().init ?? []) print(each)
  if (asking.has(message.id)) {
    const text = JSON.stringify(message.result ?? message.error)
    print({ jsonrpc: '2.0', id: asking.get(message.id), result: { content: [{ type: 'text', text }] } })
  }
  if (message.id === undefined || message.method === undefined) return
  const result = answer(message)
  if (result !== undefined) print({ jsonrpc: '2.0', id: message.id, result })
})
