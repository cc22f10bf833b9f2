/** A long bad day: a model and tools that fail in every way, people who cancel, and a look at what is left afterwards. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Agent, createAgent } from '../../src/assembly/agent.ts'
import { defineTool, type Tool } from '../../src/index.ts'
import { audit } from '../../src/journal/verify.ts'
import { type Completion, type Model, ModelError, type RawCall } from '../../src/model/model.ts'
import { LOCAL } from '../../src/protocol/principal.ts'
import { sessionOwners } from '../../src/storage/session-owners.ts'
import { until } from '../support/until.ts'

export interface SoakReport {
  turns: number
  stops: Record<string, number>
  /** What came out of a turn other than its result. */
  thrown: string[]
  unhandled: string[]
  breaches: number
  /** Runs that neither ended nor wait for an answer. */
  lost: number
  leftover: { processes: number; handles: number }
  /** Live memory in MB, more than at the start: after a fifth of the turns, and at the end. */
  heap: { early: number; late: number }
}

/** Most turns wait: for a model that hangs, or before another attempt. */
const AT_ONCE = 12
const SESSIONS = 2 * AT_ONCE

export async function soak(options: { turns: number; seed: number }): Promise<SoakReport> {
  const random = mulberry(options.seed)
  const folder = mkdtempSync(join(tmpdir(), 'writ-soak-'))
  const unhandled: string[] = []
  const onUnhandled = (reason: unknown) => unhandled.push(String(reason))
  process.on('unhandledRejection', onUnhandled)
  // The first child process opens a handle that Node keeps for the next ones.
  await once(spawn('true', { stdio: ['ignore', 'pipe', 'pipe'] }), 'close')
  // Other tests may have used this process before.
  const before = { processes: childProcesses(), handles: openHandles(), megabytes: liveMegabytes() }
  const report: SoakReport = {
    turns: 0,
    stops: {},
    thrown: [],
    unhandled,
    breaches: 0,
    lost: 0,
    leftover: { processes: 0, handles: 0 },
    heap: { early: 0, late: 0 },
  }
  const agent = await createAgent({
    workspace: folder,
    data: join(folder, 'data'),
    model: badModel(random),
    tools: badTools(random),
    lang: 'en',
    env: { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: tmpdir() },
    config: {
      agent: {
        security: { autonomy: 'Full', allowedCommands: ['*'], sandbox: 'off' },
        limits: { maxSteps: 6, runMs: 3_000, callMs: 300, modelAttempts: 2 },
      },
    },
    confirm: async () => pick(random, ['y', 'n', 'a', 'later'] as const),
  })
  let begun = 0
  const idle = Array.from({ length: SESSIONS }, (_, i) => `ses_soak${i}`)
  for (const id of idle) await sessionOwners(agent.db).claim(id, LOCAL, 0)

  async function work(): Promise<void> {
    while (begun++ < options.turns) {
      const sessionId = idle.shift() as string
      await turn(agent, { sessionId, random, report })
      idle.push(sessionId)
      if (report.heap.early === 0 && report.turns >= options.turns * 0.2)
        report.heap.early = liveMegabytes() - before.megabytes
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  report.heap.late = liveMegabytes() - before.megabytes
  const checked = await audit(agent.store)
  report.breaches = checked.breaches.length
  for (const { runId } of await agent.store.listRuns({ open: true, limit: 10_000 })) {
    const last = (await agent.store.readRun(runId)).at(-1)
    if (last?.type !== 'run.parked') report.lost++
  }
  await agent.close()
  const leftover = () => ({
    processes: Math.max(0, childProcesses() - before.processes),
    handles: Math.max(0, openHandles() - before.handles),
  })
  // What ends takes a moment; what does not is reported.
  await until(() => leftover().processes + leftover().handles === 0).catch(() => {})
  report.leftover = leftover()
  process.off('unhandledRejection', onUnhandled)
  rmSync(folder, { recursive: true, force: true })
  return report
}

async function turn(
  agent: Agent,
  { sessionId, random, report }: { sessionId: string; random: () => number; report: SoakReport },
): Promise<void> {
  const cancel = new AbortController()
  const timer = random() < 0.2 ? setTimeout(() => cancel.abort(), random() * 400) : undefined
  try {
    let result = await agent.run(pick(random, TASKS), { sessionId, signal: cancel.signal })
    for (let asked = 0; result.stopReason === 'parked' && asked < 3; asked++) {
      const again = agent.resume(result.runId, { signal: cancel.signal })
      for (let next = await again.next(); ; next = await again.next()) {
        if (!next.done) continue
        result = next.value
        break
      }
    }
    report.stops[result.stopReason] = (report.stops[result.stopReason] ?? 0) + 1
  } catch (error) {
    report.thrown.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
  } finally {
    clearTimeout(timer)
    report.turns++
  }
}

const TASKS = ['do what is needed', '看看目录里有什么', 'read notes.txt and tell me', 'remember that the sky is blue']

function badModel(random: () => number): Model {
  const usage = { inputTokens: 50, outputTokens: 10 }
  const call = (): RawCall => {
    const id = random() < 0.1 ? '' : `c${Math.floor(random() * 1e6)}`
    if (random() < 0.05) return { id, tool: 'steady', rawArgs: '{"n":' }
    const tool = pick(random, ['steady', 'throws', 'hangs', 'deaf', 'floods', 'process', 'shell', 'file_list', 'ghost'])
    const args =
      tool === 'shell' ? { command: pick(random, COMMANDS) } : tool === 'file_list' ? { path: '.' } : { n: 1 }
    return { id, tool, args: random() < 0.05 ? { nonsense: true } : args }
  }
  return {
    id: 'soak',
    route: 'CloudLlm',
    reasoning: 'clear',
    async *ask(request, signal): AsyncGenerator<string, Completion> {
      const luck = random()
      await delay(random() * 15, undefined, { signal })
      if (luck < 0.04) throw new ModelError('overloaded', { status: 529, retryable: true, retryAfterMs: 1 })
      if (luck < 0.06) throw new ModelError('no such model', { status: 404, retryable: false })
      if (luck < 0.08) throw new TypeError('a bug in the adapter')
      if (luck < 0.1) await delay(60_000, undefined, { signal })
      if (request.purpose === 'route') return { text: '{"direct":true}', calls: [], usage, truncated: false }
      yield 'let me see'
      if (luck < 0.12) throw new ModelError('the stream broke', { retryable: true })
      if (luck < 0.35) return { text: 'done', calls: [], usage, truncated: luck < 0.13 }
      const calls = Array.from({ length: 1 + Math.floor(random() * 3) }, call)
      return { text: 'let me see', calls, usage, truncated: false }
    },
  }
}

const COMMANDS = ['echo hi', 'sleep 30', 'sleep 30 & echo left', 'exit 3', 'yes | head -c 300000']

function badTools(random: () => number): Tool[] {
  const tool = (name: string, execute: Parameters<typeof defineTool>[0]['execute'], readOnly = true) =>
    defineTool({ name, description: name, schema: { type: 'object' }, family: 'task', risk: 'Low', readOnly, execute })
  return [
    tool('steady', () => 'fine', false),
    tool('throws', () => {
      throw new Error('broken')
    }),
    tool('hangs', async (_, { signal }) => {
      await delay(60_000, undefined, { signal })
      return 'never'
    }),
    // Rejects after everybody has stopped listening.
    tool('deaf', async (_, { signal }) => {
      await delay(20 + random() * 30)
      if (signal.aborted) throw new Error('too late')
      return 'ok'
    }),
    tool('floods', () => 'x'.repeat(200_000)),
    tool('process', () => ({ ok: false as const, error: 'exit 1', partial: 'half' })),
  ]
}

function pick<T>(random: () => number, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T
}

/** A small repeatable source of chance. */
function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

function liveMegabytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed / 1e6
}

function openHandles(): number {
  return readdirSync('/proc/self/fd').length
}

function childProcesses(): number {
  const tasks = readdirSync('/proc/self/task')
  const children = tasks.flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' '))
  return children.filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'esbuild').length
}
