/**
 * A server that runs as a local program: in its own process group, with a minimal environment, ended together with
 * Writ.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import { atMost } from '../../base/at-most.ts'
import { isObject } from '../../base/json.ts'
import { clip } from '../../base/text.ts'
import { WritError } from '../../errors/writ-error.ts'
import { signalGroup } from '../guard/process.ts'
import { withoutInherited } from '../guard/supervisor.ts'

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024
const KEEP_STDERR = 500
const NEWLINE = 10
const GRACE_MS = 1_000
/** Of messages that are no answers, in a second. More are dropped before they are looked at: that costs most. */
const MOST_MESSAGES = 500
/** Output written just before exit may still be in the pipe. */
const DRAIN_MS = 100

export interface Program {
  command: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

const running = new Set<number>()
process.on('exit', () => {
  for (const pid of running) signalGroup(pid, 'SIGKILL')
})

export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** The client library detects a local program by these two fields. */
  readonly stderr = null
  pid: number | null = null
  readonly #program: Program
  readonly #may = atMost(MOST_MESSAGES)
  /** The beginning of a line whose end has not come. */
  #partial: Buffer[] = []
  #partialBytes = 0
  #child: Child | undefined
  #ended: Promise<void> = Promise.resolve()
  #stderrTail = ''

  constructor(program: Program) {
    this.#program = program
  }

  /** The end of its standard error. */
  get lastStderr(): string {
    return clip(this.#stderrTail.trim(), KEEP_STDERR)
  }

  start(): Promise<void> {
    const { command, cwd, env } = this.#program
    const { file, args } = withoutInherited({ file: command, args: this.#program.args }, { cwd, env })
    const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
    this.#child = child
    this.#ended = new Promise((resolve) => {
      child.once('error', () => resolve())
      child.once('close', () => resolve())
    })
    child.once('exit', () => this.#sweep(child))
    child.once('close', () => {
      this.#child = undefined
      this.onclose?.()
    })
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderrTail = `${this.#stderrTail}${chunk.toString('utf8')}`.slice(-KEEP_STDERR)
    })
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on('error', (error: Error) => this.onerror?.(error))
    }
    return new Promise((resolve, reject) => {
      child.once('spawn', () => {
        this.pid = child.pid ?? null
        if (child.pid !== undefined) running.add(child.pid)
        resolve()
      })
      child.once('error', reject)
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (stdin === undefined || !stdin.writable) {
      return Promise.reject(new WritError('MCP_LOST.notRunning', { command: this.#program.command }))
    }
    return new Promise((resolve, reject) => {
      stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()))
    })
  }

  /** Closes its input first, then sends signals. Its child processes end with it. */
  async close(): Promise<void> {
    const { pid } = this
    this.#child?.stdin.end()
    if (pid !== null && !(await this.#gone())) {
      signalGroup(pid, 'SIGTERM')
      if (!(await this.#gone())) signalGroup(pid, 'SIGKILL')
    }
    await this.#ended
    this.#partial = []
  }

  async #gone(): Promise<boolean> {
    const timer = new AbortController()
    const late = delay(GRACE_MS, false, { signal: timer.signal }).catch(() => false)
    const gone = await Promise.race([this.#ended.then(() => true), late])
    timer.abort()
    return gone
  }

  // A child process that outlives the server would keep the pipes open, and `close` would never fire.
  #sweep(child: Child): void {
    if (child.pid === undefined) return
    signalGroup(child.pid, 'SIGKILL')
    running.delete(child.pid)
    setTimeout(() => {
      child.stdout.destroy()
      child.stderr.destroy()
    }, DRAIN_MS)
  }

  #read(chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...this.#partial, chunk.subarray(from, end)]).toString('utf8')
      this.#partial = []
      this.#partialBytes = 0
      from = end + 1
      this.#readLine(line)
    }
    this.#partial.push(chunk.subarray(from))
    this.#partialBytes += chunk.length - from
    if (this.#partialBytes <= MAX_MESSAGE_BYTES) return
    this.#partial = []
    this.#partialBytes = 0
    this.onerror?.(new Error(`a message is longer than ${MAX_MESSAGE_BYTES} bytes`))
    void this.close()
  }

  #readLine(line: string): void {
    try {
      const value: unknown = JSON.parse(line)
      if (isObject(value) && 'method' in value && !this.#may()) return
      this.onmessage?.(parseJSONRPCMessage(value))
    } catch (error) {
      // A program may print lines that are no messages.
      if (!(error instanceof SyntaxError)) this.onerror?.(error as Error)
    }
  }
}
