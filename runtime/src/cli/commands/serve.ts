/** `writ serve`: the agent over HTTP, until Ctrl-C or SIGTERM. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { loadWorkspace } from '../../agent/workspace-context.ts'
import type { AgentOptions } from '../../assembly/agent.ts'
import { present } from '../../base/present.ts'
import { WritError } from '../../errors/writ-error.ts'
import { messages } from '../../i18n/locale.ts'
import { isLoopback } from '../../server/auth.ts'
import { type ServerOptions, type Serving, startServer } from '../../server/listen.ts'
import { type Presence, presenceOf } from '../../server/presence.ts'
import { trustedPath } from '../../tool/guard/system-programs.ts'
import { concurrencyOf } from '../concurrency-flag.ts'
import { buildFromSource } from '../console-build.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { portOf } from '../port-flag.ts'
import { warnUnsandboxed } from '../sandbox-notice.ts'
import { agentOptions } from './run.ts'

/** Time for the browser to read the page. */
const READ_MS = 10_000

export async function serve(given: Given, io: Io): Promise<number> {
  const json = given.switches.has('json')
  const { host } = given.values
  const atOnce = concurrencyOf(given, { min: 0 })
  const { options, close } = await agentOptions(given, io)
  const presence = await presenceFor(options)
  try {
    const serving = await startOnlyServer(presence, io, {
      agent: options,
      write: json ? io.stdout : io.stderr,
      json,
      ...present({ atOnce, host, port: portOf(given, 'port') }),
    })
    for (const text of serving.warnings) io.stderr(`${messages(io.lang).config.warning({ text })}\n`)
    await warnUnsandboxed(serving.sandbox, io)
    const token = serving.firstToken ?? (given.switches.has('open') ? serving.temporaryToken() : undefined)
    // The part after # is never sent to a server or logged.
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

/** Servers can share a PostgreSQL database; an embedded store has only one. */
async function presenceFor(options: AgentOptions): Promise<Presence | undefined> {
  const { data, loaded, env } = await loadWorkspace(options)
  return data === undefined || loaded.config.store === 'postgres' ? undefined : presenceOf(data, env)
}

async function startOnlyServer(presence: Presence | undefined, io: Io, options: ServerOptions): Promise<Serving> {
  const refuseIfRunning = async () => {
    const url = await presence?.find()
    if (url === undefined) return
    throw new WritError('SERVER_RUNNING', { url })
  }
  await refuseIfRunning()
  await buildFromSource(io)
  const serving = await startServer(options).catch(async (error: unknown) => {
    // Two servers started together: the other one was first.
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

/** Through a private file: every user of the machine can read a command line. */
async function openConsole(url: string, signal: AbortSignal): Promise<Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'writ-open-'))
  const page = join(folder, 'console.html')
  await writeFile(page, `<meta http-equiv="refresh" content="0; url=${url}">`, { mode: 0o600 })
  const [program, ...words] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const env = { ...process.env, PATH: trustedPath({ env: process.env, workspace: process.cwd() }) }
  const child = spawn(program ?? '', [...words, pathToFileURL(page).href], { stdio: 'ignore', detached: true, env })
  // Without a browser: the address was printed too.
  child.on('error', () => {})
  child.unref()
  return delay(READ_MS, undefined, { signal, ref: false })
    .catch(() => {})
    .then(() => rm(folder, { recursive: true, force: true }))
}
