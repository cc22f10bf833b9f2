/**
 * `npm run bench:hooks`: the time of a verdict through the daemon of the hooks (p95 at most 15 ms), and of the hook's
 * command (at most twice `node -e 0` plus that).
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask } from '../runtime/bin/hook-client.js'
import { figureOf } from './figures.ts'

const VERDICTS = 400
const WARM_UPS = 40
const PAIRS = 30
const MOST_MS = 15
const BIN = join(import.meta.dirname, '../runtime/bin')

const home = realpathSync(mkdtempSync(join(tmpdir(), 'writ-bench-')))
const project = join(home, 'project')
const folder = join(home, '.local/state/writ/hooks')
mkdirSync(project)
mkdirSync(join(home, '.config/writ'), { recursive: true })
writeFileSync(join(project, 'a.ts'), 'export const a = 1\n')
const policy = { agent: { security: { autonomy: 'Full', allowedCommands: ['*'] } } }
writeFileSync(join(home, '.config/writ/agent.config.json'), JSON.stringify(policy))

const file = join(project, 'a.ts')
const CALLS: readonly [string, object, unknown][] = [
  ['Bash', { command: 'git status --short && git diff --stat | head -20' }, { stdout: 'M a.ts\n'.repeat(20) }],
  ['Read', { file_path: file }, { type: 'text', file: { content: 'export const a = 1\n'.repeat(200) } }],
  ['Edit', { file_path: file, old_string: 'a = 1', new_string: 'a = 2' }, { filePath: file }],
  ['Bash', { command: "grep -rn 'const a' src | sort | uniq -c" }, { stdout: '' }],
  ['Glob', { pattern: '**/*.ts' }, { filenames: [file] }],
]
let count = 0

function eventOf(name: string, own: object = {}): object {
  return { hook_event_name: name, session_id: 'bench', cwd: project, ...own }
}

/** The time until a call may begin. Its result is reported too, but not counted. */
async function verdict(): Promise<number> {
  const [tool, input, response] = CALLS[count % CALLS.length] as (typeof CALLS)[number]
  const call = { tool_name: tool, tool_input: input, tool_use_id: `call_${count++}` }
  const start = performance.now()
  const { stdout } = await ask(folder, { agent: 'claude', event: eventOf('PreToolUse', call) })
  const elapsed = performance.now() - start
  if (stdout !== undefined) throw new Error(`not allowed: ${stdout}`)
  await ask(folder, { agent: 'claude', event: eventOf('PostToolUse', { ...call, tool_response: response }) })
  return elapsed
}

function timeOf(args: readonly string[], input: string): number {
  const start = performance.now()
  const { status, stdout } = spawnSync(process.execPath, args, { input, encoding: 'utf8' })
  const elapsed = performance.now() - start
  if (status !== 0 || stdout !== '') throw new Error(`node ${args.join(' ')}: ${status} ${stdout}`)
  return elapsed
}

const daemon = spawn(process.execPath, [join(BIN, 'writ.js'), 'hooks', 'serve'], {
  env: { PATH: process.env.PATH, HOME: home },
  stdio: ['ignore', 'ignore', 'pipe'],
})
const daemonEnded = new Promise((resolve) => daemon.on('close', resolve))
try {
  await new Promise((resolve) => daemon.stderr.once('data', resolve))
  await ask(folder, { agent: 'claude', event: eventOf('UserPromptSubmit', { prompt: 'look at a.ts' }) })
  for (let i = 0; i < WARM_UPS; i++) await verdict()
  const times: number[] = []
  const before = cpuMsOf(daemon.pid ?? 0)
  for (let i = 0; i < VERDICTS; i++) times.push(await verdict())
  const cpu = (cpuMsOf(daemon.pid ?? 0) - before) / VERDICTS
  times.sort((a, b) => a - b)
  const p95 = times[Math.floor(times.length * 0.95)] ?? 0
  const median = times[Math.floor(times.length / 2)] ?? 0
  console.log(
    `verdict      median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms  (${met(p95 <= MOST_MS)}: at most ${MOST_MS} ms)`,
  )
  console.log(`CPU          ${cpu.toFixed(1)} ms of the daemon per call, with its result`)

  const bare: number[] = []
  const hook: number[] = []
  for (let i = 0; i < PAIRS; i++) {
    bare.push(timeOf(['-e', '0'], ''))
    const event = eventOf('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: `hook_${i}` })
    hook.push(timeOf([join(BIN, 'hook.js'), 'claude', folder], JSON.stringify(event)))
  }
  const [floor, own] = [figureOf(bare), figureOf(hook)]
  const most = 2 * floor.median + MOST_MS
  console.log(`node -e 0    ${floor.median.toFixed(1)} ±${floor.spread.toFixed(1)} ms`)
  console.log(
    `hook         ${own.median.toFixed(1)} ±${own.spread.toFixed(1)} ms, ${(own.median / floor.median).toFixed(2)}×  (${met(own.median <= most)}: at most ${most.toFixed(1)} ms)`,
  )
} finally {
  daemon.kill()
  await daemonEnded
  rmSync(home, { recursive: true, force: true })
}

/** Of a process, on Linux; the clock of the kernel has 100 ticks a second. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function met(is: boolean): string {
  return is ? 'met' : 'NOT MET'
}
