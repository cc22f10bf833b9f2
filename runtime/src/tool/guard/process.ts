/** Runs programs in their own process group, with a minimal environment, and ends everything they started. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { present } from '../../base/present.ts'
import { descendants, supervised, withoutInherited } from './supervisor.ts'

const KEPT = new Set(['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TERM', 'TZ', 'TMPDIR'])
const KEEP_BYTES = 128 * 1024
const GRACE_MS = 2_000
/** Set in the environment of every program of a call, to find those that left the process group. */
const MARK = 'WRIT_PROCESS'

export interface ProcessPlan {
  file: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  timeoutMs: number
  signal: AbortSignal
  /** True: it runs in its own namespace, so nothing outlives it. */
  contained?: boolean
}

export interface ProcessEnd {
  /** Null when a signal ended it. */
  exitCode: number | null
  /** Why it was stopped early. */
  cut?: 'timeout' | 'abort'
  signal?: string
  /** Both streams in order of arrival; the middle is dropped when there is too much. */
  output: string
}

/** Files of a clone can imitate a repository; git started by any program must not use its settings. */
const SAFE_GIT_SETTINGS = {
  GIT_NO_LAZY_FETCH: '1',
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'safe.bareRepository',
  GIT_CONFIG_VALUE_0: 'explicit',
  GIT_CONFIG_KEY_1: 'core.fsmonitor',
  GIT_CONFIG_VALUE_1: 'false',
}

/** Only what programs need; keys and tokens of this process are not passed on. */
export function scrubEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {
    ...SAFE_GIT_SETTINGS,
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
  }
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (KEPT.has(name) || name.startsWith('LC_'))) kept[name] = value
  }
  kept.PATH ??= '/usr/local/bin:/usr/bin:/bin'
  return kept
}

export function runProcess(plan: ProcessPlan): Promise<ProcessEnd> {
  if (plan.signal.aborted) return Promise.resolve({ exitCode: null, cut: 'abort', output: '' })
  const mark = randomUUID()
  const { file, args } = withoutInherited(plan.contained === true ? plan : supervised(plan, plan), plan)
  const child = spawn(file, args, {
    cwd: plan.cwd,
    env: { ...plan.env, [MARK]: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const group: Group = { pid: child.pid, mark }
  running.add(group)
  const output = new Excerpt()
  child.stdout.on('data', (chunk: Buffer) => output.add(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.add(chunk))

  return new Promise((resolve, reject) => {
    let cut: ProcessEnd['cut']
    let ended: { exitCode: number | null; signal: string | null } | undefined
    const timers: NodeJS.Timeout[] = []
    const stop = (why: ProcessEnd['cut']): void => {
      if (cut !== undefined || ended !== undefined) return
      cut = why
      signalAll(group, 'SIGTERM')
      timers.push(setTimeout(() => signalAll(group, 'SIGKILL'), GRACE_MS))
    }
    const onAbort = (): void => stop('abort')
    const settle = (): void => {
      for (const timer of timers) clearTimeout(timer)
      plan.signal.removeEventListener('abort', onAbort)
      running.delete(group)
      child.stdout.destroy()
      child.stderr.destroy()
    }
    timers.push(setTimeout(() => stop('timeout'), plan.timeoutMs))
    plan.signal.addEventListener('abort', onAbort, { once: true })
    child.once('error', (error) => {
      settle()
      reject(error)
    })
    child.once('exit', (exitCode, signal) => {
      ended = { exitCode, signal }
      // Processes left running would keep the pipes open and outlive the call.
      signalAll(group, 'SIGKILL')
    })
    child.once('close', () => {
      settle()
      resolve({
        exitCode: ended?.exitCode ?? null,
        ...present({ cut, signal: ended?.signal ?? undefined }),
        output: output.text(),
      })
    })
  })
}

interface Group {
  pid: number | undefined
  mark: string
}

const running = new Set<Group>()
process.on('exit', () => {
  for (const group of running) signalAll(group, 'SIGKILL')
})

function signalAll(group: Group, signal: NodeJS.Signals): void {
  if (group.pid === undefined) return
  if (process.platform !== 'linux') {
    signalGroup(group.pid, signal)
    return
  }
  // Descendants first: once the parent is gone, they can no longer be found.
  const below = [...descendants(group.pid), ...strays(group.mark).filter((pid) => pid !== group.pid)]
  for (const pid of new Set(below)) send(pid, signal)
  signalGroup(group.pid, signal)
}

export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  send(-pid, signal)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // Already gone, or another user's: throwing would interrupt the shutdown of this process.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** Programs in another group or session (`setsid`) that still carry the mark. */
function strays(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${MARK}=${mark}`)
      } catch {
        return false
      }
    })
    .map(Number)
}

/** The head and tail of a stream; the middle is counted and dropped. */
class Excerpt {
  #head: Buffer[] = []
  #headBytes = 0
  #tail: Buffer[] = []
  #tailBytes = 0
  #dropped = 0

  add(chunk: Buffer): void {
    const room = KEEP_BYTES - this.#headBytes
    if (room > 0) {
      const part = chunk.subarray(0, room)
      this.#head.push(part)
      this.#headBytes += part.length
    }
    if (chunk.length <= room) return
    const rest = chunk.subarray(Math.max(0, room))
    this.#tail.push(rest)
    this.#tailBytes += rest.length
    // Trimmed at twice its size, so that many small chunks cost one copy per 128 KB.
    if (this.#tailBytes > 2 * KEEP_BYTES) this.#trim()
  }

  #trim(): void {
    const all = Buffer.concat(this.#tail)
    const kept = all.subarray(Math.max(0, all.length - KEEP_BYTES))
    this.#dropped += all.length - kept.length
    this.#tail = [kept]
    this.#tailBytes = kept.length
  }

  text(): string {
    this.#trim()
    const head = Buffer.concat(this.#head)
    const tail = Buffer.concat(this.#tail)
    if (this.#dropped === 0) return Buffer.concat([head, tail]).toString('utf8')
    return `${head.toString('utf8')}\n[… ${this.#dropped} bytes left out …]\n${tail.toString('utf8')}`
  }
}
