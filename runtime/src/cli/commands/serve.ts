/** `writ serve`: the agent over HTTP, until it is asked to end. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { settingOf } from '../../agent/setting.ts'
import type { AgentOptions } from '../../assembly/agent.ts'
import { WritError } from '../../base/errors.ts'
import { messages } from '../../i18n/locale.ts'
import { isLoopback } from '../../server/auth.ts'
import { type ServerOptions, type Serving, startServer } from '../../server/listen.ts'
import { type Presence, presenceOf } from '../../server/presence.ts'
import { serverTexts } from '../../server/texts.ts'
import { trustedPath } from '../../tool/guard/system-programs.ts'
import { atOnceOf } from '../at-once.ts'
import { buildFromSource } from '../console-build.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { placeTexts } from '../place-texts.ts'
import { sayUnfenced } from '../sandbox-notice.ts'
import { cliTexts } from '../texts.ts'
import { agentOptions } from './run.ts'

/** A browser has read the page by then. */
const READ_MS = 10_000

export async function serve(given: Given, io: Io): Promise<number> {
  const json = given.switches.has('json')
  const { host } = given.values
  const atOnce = atOnceOf(given, io, { min: 0 })
  const { options, close } = await agentOptions(given, io)
  const presence = await presenceFor(options)
  try {
    const serving = await startAlone(presence, io, {
      agent: options,
      write: json ? io.stdout : io.stderr,
      json,
      ...(atOnce === undefined ? {} : { atOnce }),
      ...(host === undefined ? {} : { host }),
      ...(given.values.port === undefined ? {} : { port: portOf(given.values.port, io) }),
    })
    for (const text of serving.warnings) io.stderr(`${messages(io.lang).config.warning({ text })}\n`)
    await sayUnfenced(serving.sandbox, io)
    const token = serving.firstToken ?? (given.switches.has('open') ? serving.lendToken() : undefined)
    // What follows the # is never sent to a server, nor kept in its log.
    const url = token === undefined ? serving.url : `${serving.url}/#token=${token}`
    greet(serving, io, { url: json ? undefined : url })
    const opened = given.switches.has('open') ? await openConsole(url, given.signal) : undefined
    if (!given.signal.aborted) await once(given.signal, 'abort')
    if (serving.running() > 0) io.stderr(`${serving.texts.waitingForRuns({ runs: serving.running() })}\n`)
    await presence?.withdraw()
    await serving.stop(given.terminated.aborted ? 'leave' : 'cancel')
    await opened
    return 0
  } finally {
    close()
  }
}

/** Servers of a fleet share a database; an embedded store has one server. */
async function presenceFor(options: AgentOptions): Promise<Presence | undefined> {
  const { data, loaded, env } = await settingOf(options)
  return data === undefined || loaded.config.store === 'postgres' ? undefined : presenceOf(data, env)
}

async function startAlone(presence: Presence | undefined, io: Io, options: ServerOptions): Promise<Serving> {
  const refuseIfRunning = async () => {
    const url = await presence?.find()
    if (url === undefined) return
    const texts = serverTexts(io.lang)
    throw new WritError('SERVER_RUNNING', texts.alreadyRunning({ url }), { hint: texts.alreadyRunningHint })
  }
  await refuseIfRunning()
  await buildFromSource(io)
  const serving = await startServer(options).catch(async (error: unknown) => {
    // Two that were started together: the other one was faster.
    if (error instanceof WritError && error.code === 'PORT_IN_USE') await refuseIfRunning()
    throw error
  })
  await presence?.announce(serving.url)
  return serving
}

function greet({ texts, host, firstToken }: Serving, io: Io, { url }: { url: string | undefined }): void {
  if (!isLoopback(host)) io.stderr(`${texts.network({ host })}\n`)
  if (firstToken !== undefined) io.stderr(`${texts.firstToken({ token: firstToken })}\n`)
  if (url === undefined) return
  io.stderr(`${texts.openConsole({ url })}\n`)
  if (!url.includes('#')) io.stderr(`${texts.tokenHint}\n`)
}

/** Through a file of the user's own: a command line can be read by everyone on the machine. */
async function openConsole(url: string, signal: AbortSignal): Promise<Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'writ-open-'))
  const page = join(folder, 'console.html')
  await writeFile(page, `<meta http-equiv="refresh" content="0; url=${url}">`, { mode: 0o600 })
  const [program, ...words] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const env = { ...process.env, PATH: trustedPath({ env: process.env, workspace: process.cwd() }) }
  const child = spawn(program ?? '', [...words, pathToFileURL(page).href], { stdio: 'ignore', detached: true, env })
  // Where there is no browser, the address was printed all the same.
  child.on('error', () => {})
  child.unref()
  return delay(READ_MS, undefined, { signal, ref: false })
    .catch(() => {})
    .then(() => rm(folder, { recursive: true, force: true }))
}

function portOf(text: string, io: Io): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  const { usage } = cliTexts(io.lang)
  throw new WritError('USAGE', placeTexts(io.lang).port({ text }), { hint: usage.verbHelp({ verb: 'serve' }) })
}
