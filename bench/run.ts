/**
 * `npm run bench [-- --quick] [-- --json] [-- --only a,b]`: all contenders against one stub model server, round by
 * round, so that a slow minute of the machine affects all of them.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { summarise } from './figures.ts'
import type { Answer, Order, Plan, Sample } from './measure.ts'
import { printTable, printVerdicts, type Result } from './report.ts'

const here = import.meta.dirname
const results = join(here, 'results')

const CONTENDERS = [
  { name: 'bare-fetch', kind: 'bare' },
  { name: 'bare-http', kind: 'bare' },
  { name: 'reference', kind: 'bare' },
  { name: 'writ', kind: 'writ', manifest: '../runtime/package.json' },
  { name: 'ai', kind: 'peer', manifest: 'node_modules/ai/package.json' },
  { name: 'openai-agents', kind: 'peer', manifest: 'node_modules/@openai/agents/package.json' },
  { name: 'langgraph', kind: 'peer', manifest: 'node_modules/@langchain/langgraph/package.json' },
  { name: 'mastra', kind: 'peer', manifest: 'node_modules/@mastra/core/package.json' },
] as const
type Entry = (typeof CONTENDERS)[number]

const cycle = [
  { steps: 10, runs: 4 },
  { steps: 50, runs: 2 },
  { steps: 200, runs: 1 },
]
const crowd = { runs: 50, steps: 10, times: 5 }
const FULL = { rounds: 4, plan: { cycle, warmUp: 2, measured: 5, crowd } }
const QUICK = { rounds: 1, plan: { cycle, warmUp: 1, measured: 4, crowd } }

function install(): void {
  if (existsSync(join(here, 'node_modules'))) return
  console.error('bench/node_modules is missing: running `npm ci` in bench/ (only this benchmark needs the peers)…')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: ['ignore', 2, 2] })
  if (status !== 0) console.error('`npm ci` failed; peers will be listed without a result.')
}

function versionOf(entry: Entry): string {
  if (!('manifest' in entry)) return ''
  const file = join(here, entry.manifest)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : ''
}

/** A clean environment: no keys, no user configuration, and telemetry of the peers switched off. */
function cleanEnv(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: home,
    TMPDIR: home,
    NODE_ENV: 'production',
    MASTRA_TELEMETRY_DISABLED: '1',
    LANGSMITH_TRACING: 'false',
    OPENAI_AGENTS_DISABLE_TRACING: '1',
  }
}

function start(file: string, home: string): ChildProcess {
  const execArgv = ['--disable-warning=ExperimentalWarning', '--import', join(here, 'loopback-only.ts')]
  return fork(join(here, file), [], {
    cwd: home,
    env: cleanEnv(home),
    execArgv,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

async function measure(entry: Entry, baseURL: string, plan: Plan): Promise<Answer> {
  const home = mkdtempSync(join(results, 'home-'))
  // Not the home itself: Writ does not use a data folder in which it finds files that it did not create.
  const data = join(home, 'data')
  mkdirSync(data)
  const child = start('measure.ts', home)
  let complaint = ''
  child.stderr?.on('data', (part) => {
    complaint = (complaint + part).slice(-2000)
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), 180_000)
  const exited = once(child, 'exit')
  const answered = once(child, 'message') as Promise<[Answer]>
  child.send({ name: entry.name, baseURL, data, plan } satisfies Order)
  const died = exited.then(([code, signal]): [Answer] => [
    { error: `ended with ${signal ?? `code ${code}`}: ${complaint.trim().split('\n').at(-1) ?? ''}` },
  ])
  const [answer] = await Promise.race([answered, died])
  await exited
  clearTimeout(timer)
  rmSync(home, { recursive: true, force: true })
  return answer
}

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, only: { type: 'string' } },
})
install()
mkdirSync(results, { recursive: true })
const wanted = values.only?.split(',')
const entries = CONTENDERS.filter(({ name }) => wanted === undefined || wanted.includes(name))
const { rounds, plan } = values.quick ? QUICK : FULL
const stub = start('stub-server.ts', results)
const [baseURL] = (await once(stub, 'message')) as [string]

const samples = new Map<string, Sample[]>()
const crowds = new Map<string, number[]>()
const errors = new Map<string, string>()
const refused = new Map<string, Set<string>>()
for (let round = 1; round <= rounds; round++) {
  for (const entry of entries) {
    if (errors.has(entry.name)) continue
    process.stderr.write(`round ${round}/${rounds} ${entry.name}\n`)
    const answer = await measure(entry, baseURL, plan)
    if ('error' in answer) errors.set(entry.name, answer.error)
    else {
      samples.set(entry.name, [...(samples.get(entry.name) ?? []), ...answer.samples])
      crowds.set(entry.name, [...(crowds.get(entry.name) ?? []), ...answer.crowd])
      refused.set(entry.name, new Set([...(refused.get(entry.name) ?? []), ...answer.refused]))
    }
  }
}
stub.disconnect()

const table = entries.map((entry): Result => {
  const error = errors.get(entry.name)
  return {
    name: entry.name,
    kind: entry.kind,
    version: versionOf(entry),
    outcome: error === undefined ? summarise(samples.get(entry.name) ?? [], crowds.get(entry.name) ?? []) : { error },
    refused: [...(refused.get(entry.name) ?? [])],
  }
})
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}; milliseconds per step, median ± half the middle half\n`,
)
console.log(printTable(table))
console.log(`\n${printVerdicts(table)}`)
if (values.json) {
  const file = join(results, `${new Date().toISOString().replaceAll(':', '-')}.json`)
  const facts = { at: new Date().toISOString(), node: process.version, cpus: cpus().map(({ model }) => model) }
  writeFileSync(
    file,
    `${JSON.stringify({ ...facts, results: table, samples: Object.fromEntries(samples), crowds: Object.fromEntries(crowds) }, null, 2)}\n`,
  )
  console.log(`\nwritten: ${file}`)
}
if (errors.has('writ') || errors.has('bare-fetch')) process.exitCode = 1
