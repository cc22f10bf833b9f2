/**
 * `npm run bench:start`: from the start of a process to the first model request, `writ run` with one tool, and
 * `writ --help`, for the package and for this checkout, compared with a bare fetch and with `node -e 0`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { figureOf } from './figures.ts'

const ROUNDS = Number(process.argv[2] ?? 15)
const WARM_UPS = 2
const RUNTIME = join(import.meta.dirname, '../runtime')
const PLACE = join(import.meta.dirname, 'results/start')
const [HOME, WORKSPACE] = [join(PLACE, 'home'), join(PLACE, 'workspace')]
/** Measured before the bundle: 750 ms for `writ run` with one tool, 78 ms for the bare loop. */
const RUN_BEFORE = 750 / 78

interface Contender {
  name: string
  command(data: string): string[]
  /** What it is compared with. */
  base: string
  /** Until the first model request, or until the process ends. */
  until: 'request' | 'exit'
  target?: number
}

const BARE = `
const messages = [{ role: 'user', content: 'Read a.txt.' }]
const body = JSON.stringify({ model: 'stub', messages })
const headers = { 'content-type': 'application/json' }
const response = await fetch(process.env.STUB + '/chat/completions', { method: 'POST', headers, body })
await response.json()
`

const LIBRARY = `
import { createAgent, defineTool } from 'writ'
const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
const lookup = defineTool({ name: 'lookup', description: 'Returns an entry.', schema, readOnly: true, execute: () => 'x' })
const agent = await createAgent({ model: 'compatible/stub', baseURL: process.env.STUB, data: process.argv[2], tools: [lookup] })
await agent.run('Take a step.')
await agent.close()
`

function contenders(installed: string): Contender[] {
  const writ = (folder: string, ...args: string[]) => [join(folder, 'bin/writ.js'), ...args]
  const run = (folder: string) => (data: string) =>
    writ(folder, 'run', 'Read a.txt.', '--model', 'compatible/stub', '--data', data)
  const [bare, node] = ['bare fetch', 'node -e 0']
  const runTarget = 0.4 * RUN_BEFORE
  return [
    { name: bare, command: () => ['bare.mjs'], base: bare, until: 'request' },
    { name: 'library', command: (data) => ['library.mjs', data], base: bare, until: 'request', target: 2.6 },
    { name: 'writ run', command: run(installed), base: bare, until: 'request' },
    { name: 'writ run, checkout', command: run(RUNTIME), base: 'writ run', until: 'request', target: 2 },
    { name: 'writ run, one tool, to the end', command: run(installed), base: bare, until: 'exit', target: runTarget },
    { name: node, command: () => ['-e', '0'], base: node, until: 'exit' },
    { name: 'writ --help', command: () => writ(installed, '--help'), base: node, until: 'exit', target: 2 },
    {
      name: 'writ --help, checkout',
      command: () => writ(RUNTIME, '--help'),
      base: 'writ --help',
      until: 'exit',
      target: 2,
    },
  ]
}

/** Installed as npm would: without sources, in a `node_modules`. The other packages are those of this checkout. */
async function install(): Promise<string> {
  const build = spawn(process.execPath, [join(import.meta.dirname, '../scripts/build.ts')], { stdio: 'inherit' })
  const [code] = await once(build, 'exit')
  if (code !== 0) throw new Error('the package cannot be built')
  rmSync(PLACE, { recursive: true, force: true })
  const folder = join(WORKSPACE, 'node_modules/writ')
  mkdirSync(folder, { recursive: true })
  mkdirSync(HOME)
  for (const part of ['bin', 'dist', 'templates', 'package.json']) {
    cpSync(join(RUNTIME, part), join(folder, part), { recursive: true })
  }
  for (const [name, text] of Object.entries({ 'bare.mjs': BARE, 'library.mjs': LIBRARY, 'a.txt': 'hello' })) {
    writeFileSync(join(WORKSPACE, name), text)
  }
  return folder
}

/** Requests one read of a file where that tool is offered, then answers. */
function answer(body: string): { message: object; finish_reason: string } {
  const asks = body.includes('"file_read"') && !body.includes('"role":"tool"')
  const call = { id: 'c1', type: 'function', function: { name: 'file_read', arguments: '{"path":"a.txt"}' } }
  return asks
    ? { message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }
    : { message: { role: 'assistant', content: 'It says hello.' }, finish_reason: 'stop' }
}

let onRequest: () => void = () => {}
const server = createServer(async (request, response) => {
  onRequest()
  const body = Buffer.concat(await request.toArray()).toString()
  const head = { id: 'r', object: 'chat.completion', created: 0, model: 'stub' }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const choice = { index: 0, ...answer(body) }
  if (!body.includes('"stream":true')) return response.end(JSON.stringify({ ...head, choices: [choice], usage }))
  const calls = 'tool_calls' in choice.message ? (choice.message.tool_calls as object[]) : []
  const delta = { ...choice.message, tool_calls: calls.map((call) => ({ index: 0, ...call })) }
  const chunk = { ...head, object: 'chat.completion.chunk', choices: [{ ...choice, delta }], usage }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
})

async function time({ name, command, until }: Contender): Promise<number> {
  const data = join(mkdtempSync(join(PLACE, 'data-')), 'data')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const env = { PATH: process.env.PATH, HOME, LANG: 'en', STUB: url, WRIT_BASE_URL: url }
  let firstRequest: number | undefined
  const start = performance.now()
  onRequest = () => {
    firstRequest ??= performance.now() - start
  }
  const child = spawn(process.execPath, command(data), { cwd: WORKSPACE, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const said: Buffer[] = []
  child.stderr.on('data', (part: Buffer) => said.push(part))
  const [code] = await once(child, 'exit')
  const ended = performance.now() - start
  if (code !== 0) throw new Error(`${name} ended with code ${code}: ${Buffer.concat(said)}`)
  if (until === 'exit') return ended
  if (firstRequest === undefined) throw new Error(`${name} sent no request`)
  return firstRequest
}

const all = contenders(await install())
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const samples = new Map(all.map(({ name }) => [name, [] as number[]]))
for (let round = -WARM_UPS; round < ROUNDS; round++) {
  for (const contender of all) {
    const ms = await time(contender)
    if (round >= 0) samples.get(contender.name)?.push(ms)
  }
}
server.close()
rmSync(PLACE, { recursive: true, force: true })

const [median, least] = [(name: string) => figureOf(of(name)).median, (name: string) => Math.min(...of(name))]
console.log(`${'milliseconds'.padEnd(32)}   median     least   ratio of medians, of the least`)
for (const { name, base, target } of all) {
  const ratio = median(name) / median(base)
  const best = least(name) / least(base)
  const goal = target === undefined ? '' : `  (${best <= target ? 'met' : 'NOT MET'}: at most ${target.toFixed(1)}×)`
  const figures = [median(name), least(name)].map((ms) => ms.toFixed(0).padStart(9)).join('')
  const compared = name === base ? '' : `${ratio.toFixed(2)}×  ${best.toFixed(2)}× ${base}${goal}`
  console.log(`${name.padEnd(32)}${figures}   ${compared}`)
}

function of(name: string): number[] {
  return samples.get(name) ?? []
}
