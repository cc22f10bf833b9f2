/** The daemon behind the hooks: answers one event after the other on a socket that only its user can reach. */
import { Buffer } from 'node:buffer'
import { chmodSync } from 'node:fs'
import { link, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isObject } from '../base/json.ts'
import type { Lang } from '../base/lang.ts'
import { isAlive } from '../base/process.ts'
import { WritError, whyOf } from '../errors/writ-error.ts'
import { whyText } from '../i18n/why.ts'
import { isAgent } from '../outside/agents.ts'
import { answerAfter, answerBatch, answerBefore, denial, type HookAnswer, NO_ANSWER } from '../outside/hook-answer.ts'
import { type HookReport, readReport } from '../outside/hook-event.ts'
import { answersQuestions } from '../outside/hook-switches.ts'
import { outsideTexts } from '../outside/texts.ts'
import { argsInTranscript, lastWords, outputInTranscript } from '../outside/transcripts.ts'
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
  const desk: Desk = { ...options, sessions: new Map(), reading: new Set() }
  const busy = new Set<Promise<void>>()
  const timer = idleMs === undefined ? undefined : setTimeout(() => onIdle?.(), idleMs)
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    timer?.refresh()
    const work = serve(socket, desk).catch(() => {})
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
      // Who has not asked yet would keep the daemon from ending.
      for (const socket of desk.reading) socket.destroy()
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
    if (await ownLock(file)) {
      await rm(socket, { force: true })
      return async () => {
        await rm(socket, { force: true })
        await rm(file, { force: true })
      }
    }
    const written = await readFile(file, 'utf8').catch(() => '')
    const holder = Number(written)
    if (holder > 0 && isAlive(holder) && (await answers(socket))) return undefined
    // Its process is gone, or has the number of one that is; one that is just starting gets time.
    const isGone = !(holder > 0 && isAlive(holder))
    if (isGone || Date.now() - started > START_MS) await dropLock(file, written)
    else await delay(LOOK_MS)
  }
}

/** With its content at once: an empty lock would look like one whose process is gone. */
async function ownLock(file: string): Promise<boolean> {
  const own = `${file}.${process.pid}`
  await writeFile(own, String(process.pid), { mode: 0o600 })
  try {
    await link(own, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    await rm(own, { force: true })
  }
}

/** Moved aside first: another daemon may have replaced it since it was read, and that one is put back. */
async function dropLock(file: string, written: string): Promise<void> {
  const aside = `${file}.${process.pid}.old`
  await rename(file, aside).catch(() => {})
  const found = await readFile(aside, 'utf8').catch(() => written)
  if (found !== written) await link(aside, file).catch(() => {})
  await rm(aside, { force: true })
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
  project: string
  isAttended: boolean
  /** Resolves once the user's words of this turn are known: calls that come at once must not each begin a turn. */
  words: Promise<void> | undefined
  /** A failed call had an order in its result, which its agent shows the model unless the turn ends. */
  endsTurn: string | undefined
  /** Allowed calls of MCP servers whose results no hook has reported, with their tools. */
  unreported: Map<string, string>
}

interface Desk extends Pick<DaemonOptions, 'guard' | 'lang'> {
  sessions: Map<string, Held>
  /** Connections whose event has not come yet. */
  reading: Set<Socket>
}

async function serve(socket: Socket, desk: Desk): Promise<void> {
  const { lang, reading } = desk
  let agent = ''
  let name = ''
  let answer: HookAnswer
  try {
    reading.add(socket)
    const request: unknown = JSON.parse(await lineFrom(socket).finally(() => reading.delete(socket)))
    if (!isObject(request)) throw new WritError('HOOK_UNREADABLE')
    agent = String(request.agent)
    const given = isObject(request.event) ? request.event.hook_event_name : undefined
    if (typeof given === 'string') name = given
    const report = isAgent(agent)
      ? readReport(agent, request.event, isObject(request.env) ? request.env : {})
      : undefined
    if (report === undefined) throw new WritError('HOOK_UNREADABLE')
    answer = await answerTo(report, desk)
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
  if (name === 'PostToolUse' || name === 'PostToolUseFailure' || name === 'PostToolBatch') {
    return { exit: 0, stdout: JSON.stringify({ continue: false, stopReason: reason, decision: 'block', reason }) }
  }
  return name === '' ? { exit: 2, stderr: reason } : { exit: 0, stdout: JSON.stringify({ systemMessage: reason }) }
}

async function answerTo(report: HookReport, { guard, lang, sessions }: Desk): Promise<HookAnswer> {
  const { agent, id, event, transcript } = report
  const key = `${agent} ${id}`
  const held = await heldSession(report, guard, sessions)
  const { session } = held
  await observeFailed(report, held)
  switch (event.kind) {
    case 'prompt':
      held.endsTurn = undefined
      await learn(held, session.say(event.text))
      return NO_ANSWER
    case 'before': {
      if (held.words !== undefined) await held.words
      else if (transcript !== undefined) await learn(held, lastWords(transcript).then(session.say))
      if (agent === 'codex' && held.endsTurn !== undefined) {
        return denial(agent, report.name, outsideTexts(lang).orderRead({ agent }), true)
      }
      const verdict = await session.propose({ ...event, cwd: report.cwd, args: await wholeArgs(report) })
      if (verdict.decision === 'allow' && event.tool.startsWith('mcp__')) held.unreported.set(event.callId, event.tool)
      return answerBefore(report, verdict, { lang, data: guard.data })
    }
    case 'after': {
      held.unreported.delete(event.callId)
      const seen = await session.observe(event.callId, event.result, event.tool)
      if (event.isFailure) held.endsTurn ??= seen.text
      return answerAfter(report, seen)
    }
    case 'batch':
      return answerBatch(held.endsTurn)
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

/** Codex has no hook for a failed call of an MCP server: what its model has read is in the transcript. */
async function observeFailed({ agent, event, transcript }: HookReport, held: Held): Promise<void> {
  if (agent !== 'codex' || transcript === undefined || event.kind === 'after') return
  for (const [callId, tool] of [...held.unreported]) {
    const text = await outputInTranscript(transcript, callId)
    // Another event may have taken it meanwhile.
    if (text === undefined || !held.unreported.delete(callId)) continue
    const seen = await held.session.observe(callId, { ok: false, text }, tool)
    held.endsTurn ??= seen.text
  }
}

/** A session that is continued in another folder, or where a person now is, begins again with the next message. */
async function heldSession(report: HookReport, guard: Guard, sessions: Map<string, Held>): Promise<Held> {
  const { agent, id, project, event } = report
  const isAttended = report.isAttended && !(await answersQuestions(project))
  const key = `${agent} ${id}`
  const known = sessions.get(key)
  const isSame = known?.project === project && known.isAttended === isAttended
  if (known !== undefined && (isSame || event.kind !== 'prompt')) return known
  const session = guard.session({ id, agent, cwd: project, isAttended })
  const held: Held = { session, project, isAttended, words: undefined, endsTurn: undefined, unreported: new Map() }
  sessions.set(key, held)
  await known?.session.end()
  return held
}

/** A turn that could not begin is tried again with the next call. */
function learn(held: Held, words: Promise<void>): Promise<void> {
  held.words = words
  words.catch(() => {
    if (held.words === words) held.words = undefined
  })
  return words
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
      if (bytes > MAX_BYTES) {
        chunks.length = 0
        reject(new WritError('HOOK_UNREADABLE'))
        socket.removeAllListeners('data').resume()
      } else if (chunk.at(-1) === 10) resolve(Buffer.concat(chunks).toString('utf8'))
    })
  })
}
