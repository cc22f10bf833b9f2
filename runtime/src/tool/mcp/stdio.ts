/** A server that is a program of this machine: in a group of its own, with a bare environment, gone when we are. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { type JSONRPCMessage, ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import { WritError } from '../../base/errors.ts'
import { clip } from '../../base/text.ts'
import { signalGroup } from '../guard/process.ts'
import { withoutInherited } from '../guard/supervisor.ts'

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024
const KEEP_STDERR = 500
const GRACE_MS = 1_000
/** What a program wrote before its end may still be on its way. */
const LAST_WORDS_MS = 100

export interface Program {
  command: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

const living = new Set<number>()
process.on('exit', () => {
  for (const pid of living) signalGroup(pid, 'SIGKILL')
})

export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** The client library knows a program by these two. */
  readonly stderr = null
  pid: number | null = null
  readonly #program: Program
  readonly #buffer = new ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES })
  #child: Child | undefined
  #ended: Promise<void> = Promise.resolve()
  #said = ''

  constructor(program: Program) {
    this.#program = program
  }

  /** The last words on its standard error. */
  get said(): string {
    return clip(this.#said.trim(), KEEP_STDERR)
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
      this.#said = `${this.#said}${chunk.toString('utf8')}`.slice(-KEEP_STDERR)
    })
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on('error', (error: Error) => this.onerror?.(error))
    }
    return new Promise((resolve, reject) => {
      child.once('spawn', () => {
        this.pid = child.pid ?? null
        if (child.pid !== undefined) living.add(child.pid)
        resolve()
      })
      child.once('error', reject)
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (stdin === undefined || !stdin.writable) {
      return Promise.reject(new WritError('MCP_LOST', `${this.#program.command} is not running`))
    }
    return new Promise((resolve, reject) => {
      stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()))
    })
  }

  /** Asked by the end of its input, then by signal; what it started goes with it. */
  async close(): Promise<void> {
    const { pid } = this
    this.#child?.stdin.end()
    if (pid !== null && !(await this.#gone())) {
      signalGroup(pid, 'SIGTERM')
      if (!(await this.#gone())) signalGroup(pid, 'SIGKILL')
    }
    await this.#ended
    this.#buffer.clear()
  }

  async #gone(): Promise<boolean> {
    const timer = new AbortController()
    const late = delay(GRACE_MS, false, { signal: timer.signal }).catch(() => false)
    const gone = await Promise.race([this.#ended.then(() => true), late])
    timer.abort()
    return gone
  }

  // A helper that outlives the server, in its group or out of it, would hold its pipes open, and the end would never
  // be heard.
  #sweep(child: Child): void {
    if (child.pid === undefined) return
    signalGroup(child.pid, 'SIGKILL')
    living.delete(child.pid)
    setTimeout(() => {
      child.stdout.destroy()
      child.stderr.destroy()
    }, LAST_WORDS_MS)
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk)
    } catch (error) {
      this.onerror?.(error as Error)
      void this.close()
      return
    }
    for (let more = true; more; ) {
      try {
        const message = this.#buffer.readMessage()
        more = message !== null
        if (message !== null) this.onmessage?.(message)
      } catch (error) {
        this.onerror?.(error as Error)
      }
    }
  }
}
