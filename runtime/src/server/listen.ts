/** Starts and stops the HTTP server. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { loadWorkspace } from '../agent/workspace-context.ts'
import type { AgentOptions } from '../assembly/agent.ts'
import { systemClock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import { randomIds } from '../base/id.ts'
import { packagePath, packageVersion } from '../base/package.ts'
import { present } from '../base/present.ts'
import type { LoadedConfig } from '../config/load.ts'
import { untrustedWarning } from '../config/untrusted.ts'
import { PRICES } from '../journal/prices.ts'
import { leasesOn } from '../storage/leases.ts'
import { sessionOwners } from '../storage/session-owners.ts'
import { sessionTitles } from '../storage/session-titles.ts'
import { tokenArchive } from '../storage/token-archive.ts'
import type { World } from '../tool/tool.ts'
import { openAccess } from './access.ts'
import { createApp } from './app.ts'
import { SCOPES } from './contract/route.ts'
import { eraser } from './conversations.ts'
import { type CurrentAgent, openCurrentAgent } from './current-agent.ts'
import { createHttpServer, listen } from './http-server.ts'
import { openJobs } from './jobs.ts'
import { LiveRuns } from './live-runs.ts'
import { openLog } from './log.ts'
import { openMetrics } from './metrics.ts'
import { type RoutineWatch, watchRoutines } from './routine-watch.ts'
import type { ServerDeps } from './server-deps.ts'
import { openTelemetry, type Telemetry } from './telemetry.ts'
import { type ServerTexts, serverTexts } from './texts.ts'
import { openKeyring } from './tokens.ts'

/** How long runs may continue after shutdown begins. */
const DRAIN_MS = 10_000
/** How long clients may take to receive the last responses. */
const FLUSH_MS = 2000
const FIRST_TOKEN = 'admin'

export interface ServerOptions {
  agent: AgentOptions
  host?: string
  port?: number
  /** Writes one line of the log. */
  write(line: string): void
  json: boolean
  /** Max concurrent jobs; 0 leaves them to other workers. */
  atOnce?: number
  drainMs?: number
  arrivalMs?: number
  /** The built console; by default the one in the package. */
  consoleFolder?: string
  /** The built documentation; by default the one in the package. */
  docsFolder?: string
}

export interface Serving {
  url: string
  host: string
  /** Created because there was none. It is not stored. */
  firstToken?: string
  /** A token for the user who started the server, valid until it stops. */
  temporaryToken(): string
  texts: ServerTexts
  warnings: readonly string[]
  sandbox: World['sandbox']
  /** Number of live runs. */
  running(): number
  /**
   * Accepts no new work, gives runs some time to finish, and closes everything. Runs that are still live then are
   * cancelled, or left to be resumed by this server after a restart or by other workers.
   */
  stop(rest?: 'cancel' | 'leave'): Promise<void>
}

export async function startServer(options: ServerOptions): Promise<Serving> {
  const opened = await openDeps(options)
  const { deps, loaded } = opened
  const { current, jobs, keyring, liveRuns, log, lang } = deps
  const { config } = loaded
  const host = options.host ?? config.server.host
  const app = createApp(deps, {
    allowedHosts: [...config.server.allowedHosts, host],
    consoleFolder: options.consoleFolder ?? packagePath('dist', 'console'),
    docsFolder: options.docsFolder ?? packagePath('dist', 'docs'),
  })
  const server = createHttpServer(app, options.arrivalMs)
  try {
    await listen(server, { host, port: options.port ?? config.server.port })
  } catch (error) {
    await jobs.stop()
    await jobs.close()
    await current.close()
    throw error
  }
  const routines = jobs.works ? watchRoutines(deps) : undefined
  const first = (await keyring.list()).length === 0 ? await keyring.add(FIRST_TOKEN, SCOPES) : undefined
  const { port } = server.address() as AddressInfo
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  log('info', 'listening', { url })
  const { warnings, identityWarnings, untrusted, engine } = current.agent
  return {
    url,
    host,
    ...present({ firstToken: first?.secret }),
    temporaryToken: () => keyring.addTemporary(),
    texts: serverTexts(lang),
    warnings: [
      ...loaded.warnings,
      ...untrustedWarning(loaded, [...untrusted.identity, ...untrusted.skills]),
      ...warnings,
      ...identityWarnings,
    ],
    sandbox: engine.world.sandbox,
    running: () => liveRuns.size,
    stop: (rest = 'cancel') => shutDown(opened, { server, routines, rest, drainMs: options.drainMs ?? DRAIN_MS }),
  }
}

interface Opened {
  deps: ServerDeps
  loaded: LoadedConfig
  telemetry: Telemetry | undefined
  /** Aborted at shutdown when runs are left to be resumed. */
  suspending: AbortController
}

async function openDeps(options: ServerOptions): Promise<Opened> {
  const { loaded, redact, workspace, data, env } = await loadWorkspace(options.agent)
  const log = openLog({ write: options.write, json: options.json, redact, now: () => systemClock.now() })
  const onEnd = (runId: string) => {
    telemetry?.record(runId)
    if (liveRuns.size === 0 && !liveRuns.draining)
      void current
        .closeUnused(() => liveRuns.size === 0)
        .catch((error) => log('warn', 'tidy.failed', { error: messageOf(error) }))
  }
  const liveRuns: LiveRuns = new LiveRuns({ log, onEnd })
  const metrics = openMetrics(
    () => new Set(current.agent.tools.map(({ name }) => name)),
    () => ({ ...PRICES, ...current.agent.config.config.prices }),
  )
  const suspending = new AbortController()
  const current: CurrentAgent = await openCurrentAgent(
    { ...options.agent, suspended: suspending.signal },
    (events, from) => {
      liveRuns.stored(events)
      // Each process counts only its own events; otherwise the sum over all processes would count them several times.
      if (from === 'here') metrics.stored(events)
    },
  )
  const { store, db } = current.agent
  const telemetry = await openTelemetry({ env, store, log })
  const keyring = openKeyring({ archive: tokenArchive(db), clock: systemClock, newId: randomIds })
  const access = openAccess({ store, owners: sessionOwners(db), clock: systemClock })
  const jobs = await openJobs({ current, liveRuns, log, env, atOnce: options.atOnce }).catch(async (error: unknown) => {
    await current.close()
    throw error
  })
  const leases = leasesOn(db)
  const deps: ServerDeps = {
    current,
    store,
    liveRuns,
    jobs,
    leases,
    keyring,
    access,
    titles: sessionTitles(db),
    erase: eraser({ current, store, leases, db, data }),
    log,
    metrics,
    lang: loaded.lang,
    version: packageVersion(),
    startedAt: systemClock.now(),
    workflows: join(data ?? workspace, 'workflows'),
  }
  return { deps, loaded, telemetry, suspending }
}

async function shutDown(
  { deps: { current, jobs, liveRuns, log }, telemetry, suspending }: Opened,
  how: { server: Server; routines: RoutineWatch | undefined; rest: 'cancel' | 'leave'; drainMs: number },
): Promise<void> {
  const { server, routines, rest, drainMs } = how
  log('info', 'draining', { runs: liveRuns.size })
  // Still listening: requests, including /readyz, get 503 rather than a closed port.
  const drained = liveRuns.drain(drainMs)
  routines?.pause()
  // Other workers take over the waiting jobs.
  if (jobs.shared) await jobs.stop()
  await drained
  await jobs.stop()
  if (jobs.shared || rest === 'leave') suspending.abort()
  await Promise.all([liveRuns.abortAll(), routines?.stop()])
  liveRuns.closeStreams()
  const closed = once(server, 'close')
  server.close()
  await flushResponses(server, closed)
  server.closeAllConnections()
  await telemetry?.close()
  await jobs.close()
  await current.close()
  log('info', 'stopped')
}

/** Waits until the last response is sent; idle keep-alive connections are closed. */
async function flushResponses(server: Server, closed: Promise<unknown>): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 20)
  await Promise.race([closed, delay(FLUSH_MS)])
  clearInterval(idle)
}
