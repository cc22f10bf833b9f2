/** The daemon behind the hooks: answers one event after the other on a socket that only its user can reach. */
import { Buffer } from 'node:buffer'
import { chmodSync } from 'node:fs'
import { lstat, mkdir, open, readFile, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isObject } from '../base/json.ts'
import type { Lang } from '../base/lang.ts'
import { isAlive } from '../base/process.ts'
import { WritError, whyOf } from '../errors/writ-error.ts'
import { whyText } from '../i18n/why.ts'
import { isAgent } from '../outside/agents.ts'
import { answerAfter, answerBefore, denial, type HookAnswer, NO_ANSWER } from '../outside/hook-answer.ts'
import { type HookReport, readReport } from '../outside/hook-event.ts'
import { outsideTexts } from '../outside/texts.ts'
import { argsInTranscript, lastWords } from '../outside/transcripts.ts'
import type { Guard, GuardedSession } from './guard.ts'

export interface DaemonOptions {
  guard: Guard
  /** The folder of the socket. */
  folder: string
  lang: Lang
  /** Called when there was no event for this long. */
  idleMs?: number
  onIdle?(): void
}

export interface Daemon {
  stop(): Promise<void>
}

const MAX_BYTES = 64 * 1024 * 1024
const START_MS = 10_000
const LOOK_MS = 100

/** Undefined where another daemon already answers on this socket. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon | undefined> {
  const { folder, idleMs, onIdle } = options
  await claimFolder(folder)
  const lock = await takeLock(folder)
  if (lock === undefined) return undefined
  const sessions = new Map<string, Held>()
  const busy = new Set<Promise<void>>()
  const timer = idleMs === undefined ? undefined : setTimeout(() => onIdle?.(), idleMs)
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    timer?.refresh()
    const work = serve(socket, options, sessions).catch(() => {})
    busy.add(work)
    work.finally(() => busy.delete(work))
  })
  try {
    await listen(server, join(folder, 'socket'))
  } catch (error) {
    await lock()
    throw error
  }
  return {
    async stop() {
      clearTimeout(timer)
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all(busy)
      await closed
      await lock()
    },
  }
}

/** Made here, or this user's alone: the socket of another user could be anything. */
async function claimFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { uid, mode } = await lstat(folder)
  const isOurs = process.getuid === undefined || uid === process.getuid()
  if (!isOurs || (mode & 0o170077) !== 0o040000) throw new WritError('HOOKS_FOLDER', { folder })
}

/** Two daemons would hold the sessions of each other's clients. Returns how to give the lock back. */
async function takeLock(folder: string): Promise<(() => Promise<void>) | undefined> {
  const file = join(folder, 'lock')
  const socket = join(folder, 'socket')
  const started = Date.now()
  for (;;) {
    try {
      const handle = await open(file, 'wx', 0o600)
      await handle.writeFile(String(process.pid))
      await handle.close()
      return async () => {
        await rm(socket, { force: true })
        await rm(file, { force: true })
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = Number(await readFile(file, 'utf8').catch(() => ''))
    if (holder > 0 && isAlive(holder) && (await answers(socket))) return undefined
    // Its process is gone, or has the number of one that is; one that is just starting gets time.
    const isGone = !(holder > 0 && isAlive(holder))
    if (isGone || Date.now() - started > START_MS) {
      await rm(file, { force: true })
      await rm(socket, { force: true })
    } else await delay(LOOK_MS)
  }
}

/** The process of the daemon that answers in this folder. */
export async function isRunning(folder: string): Promise<number | undefined> {
  const pid = Number(await readFile(join(folder, 'lock'), 'utf8').catch(() => ''))
  return pid > 0 && (await answers(join(folder, 'socket'))) ? pid : undefined
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.on('connect', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    const before = process.umask(0o177)
    server.listen(path, () => {
      chmodSync(path, 0o600)
      resolve()
    })
    process.umask(before)
  })
}

interface Held {
  session: GuardedSession
  /** The user's words of this turn are known. */
  hasWords: boolean
}

async function serve(socket: Socket, options: DaemonOptions, sessions: Map<string, Held>): Promise<void> {
  const { lang } = options
  let agent = ''
  let name = ''
  let answer: HookAnswer
  try {
    const request: unknown = JSON.parse(await lineFrom(socket))
    if (!isObject(request)) throw new WritError('HOOK_UNREADABLE')
    agent = String(request.agent)
    const given = isObject(request.event) ? request.event.hook_event_name : undefined
    if (typeof given === 'string') name = given
    const report = isAgent(agent)
      ? readReport(agent, request.event, isObject(request.env) ? request.env : {})
      : undefined
    if (report === undefined) throw new WritError('HOOK_UNREADABLE')
    answer = await answerTo(report, options, sessions)
  } catch (error) {
    answer = failure(agent, name, whyText(whyOf(error), lang), lang)
  }
  socket.end(JSON.stringify(answer))
}

/** What could not be judged must not run, and what was not inspected must not be read. */
function failure(agent: string, name: string, why: string, lang: Lang): HookAnswer {
  const reason = outsideTexts(lang).failed({ why, agent })
  if (!isAgent(agent)) return { exit: 2, stderr: reason, deny: reason }
  if (name === 'PreToolUse') return denial(agent, name, reason, false)
  if (agent === 'opencode') return { exit: 0, deny: reason }
  if (name === 'PostToolUse' || name === 'PostToolUseFailure') {
    return { exit: 0, stdout: JSON.stringify({ continue: false, stopReason: reason, decision: 'block', reason }) }
  }
  return name === '' ? { exit: 2, stderr: reason } : { exit: 0, stdout: JSON.stringify({ systemMessage: reason }) }
}

async function answerTo(report: HookReport, options: DaemonOptions, sessions: Map<string, Held>): Promise<HookAnswer> {
  const { guard } = options
  const { agent, id, project: cwd, isAttended, event, transcript } = report
  const key = `${agent} ${id}`
  const held = sessions.get(key) ?? { session: guard.session({ id, agent, cwd, isAttended }), hasWords: false }
  sessions.set(key, held)
  const { session } = held
  switch (event.kind) {
    case 'prompt':
      await session.say(event.text)
      held.hasWords = true
      return NO_ANSWER
    case 'before': {
      if (!held.hasWords && transcript !== undefined) await session.say(await lastWords(transcript))
      held.hasWords = true
      const verdict = await session.propose({ ...event, cwd: report.cwd, args: await wholeArgs(report) })
      return answerBefore(report, verdict, { lang: options.lang, data: guard.data })
    }
    case 'after':
      return answerAfter(report, await session.observe(event.callId, event.result, event.tool))
    case 'stop':
      await session.end(event.text)
      return NO_ANSWER
    case 'end':
      await session.end()
      sessions.delete(key)
      return NO_ANSWER
    case 'other':
      return NO_ANSWER
  }
}

/** Codex tells its hooks only the line. Without the rest, the line is not fully known. */
async function wholeArgs({ agent, event, transcript }: HookReport): Promise<unknown> {
  if (event.kind !== 'before' || agent !== 'codex' || event.tool !== 'Bash' || !isObject(event.args)) {
    return event.kind === 'before' ? event.args : undefined
  }
  const given = transcript === undefined ? undefined : await argsInTranscript(transcript, event.callId)
  if (given === undefined) return { ...event.args, unseen: true }
  const { workdir, tty } = given
  return { ...event.args, ...(typeof workdir === 'string' && { workdir }), ...(tty === true && { tty }) }
}

/** The socket stays open for the answer. */
function lineFrom(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    socket.on('error', reject)
    socket.on('close', () => reject(new WritError('HOOK_UNREADABLE')))
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes > MAX_BYTES) reject(new WritError('HOOK_UNREADABLE'))
      else if (chunk.at(-1) === 10) resolve(Buffer.concat(chunks).toString('utf8'))
    })
  })
}
