/** A running server, from its first token to its last run. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createAdaptorServer } from '@hono/node-server'
import { settingOf } from '../agent/setting.ts'
import type { AgentOptions } from '../assembly/agent.ts'
import { systemClock } from '../base/clock.ts'
import { messageOf, WritError } from '../base/errors.ts'
import { randomIds } from '../base/id.ts'
import { untrustedWarning } from '../config/untrusted.ts'
import { PRICES } from '../journal/prices.ts'
import { leasesOn } from '../storage/leases.ts'
import { sessionOwners } from '../storage/session-owners.ts'
import { tokenArchive } from '../storage/token-archive.ts'
import type { World } from '../tool/tool.ts'
import { openAccess } from './access.ts'
import { createApp } from './app.ts'
import { SCOPES } from './contract/route.ts'
import { type Desk, openDesk } from './desk.ts'
import { Hub } from './hub.ts'
import { openJobs } from './jobs.ts'
import { openLog } from './log.ts'
import { openMetrics } from './metrics.ts'
import { watchRoutines } from './routine-watch.ts'
import type { Setup } from './setup.ts'
import { openTelemetry } from './telemetry.ts'
import { type ServerTexts, serverTexts } from './texts.ts'
import { openKeyring } from './tokens.ts'

/** How long runs may go on after the server was asked to end. */
const DRAIN_MS = 10_000
/** How long clients may take to fetch what is left. */
const FETCH_MS = 2000
/** How long a request may take to arrive, and its headers alone. */
const ARRIVAL_MS = 30_000
const HEADERS_MS = 10_000
const FIRST_TOKEN = 'admin'

export interface ServerOptions {
  agent: AgentOptions
  host?: string
  port?: number
  /** Lines of the log. */
  write(line: string): void
  json: boolean
  /** Jobs of the fleet done here at a time; 0 leaves them all to others. */
  atOnce?: number
  drainMs?: number
  arrivalMs?: number
  /** Where the built console is; in the package, unless told otherwise. */
  consoleFolder?: string
}

export interface Serving {
  url: string
  host: string
  /** Made because there was none; it cannot be had again. */
  firstToken?: string
  /** A key to the console for whoever started the server; it ends with the server. */
  lendToken(): string
  texts: ServerTexts
  warnings: readonly string[]
  sandbox: World['sandbox']
  /** Runs under way. */
  running(): number
  /**
   * Takes no more, lets runs finish for a while, and closes everything. What is not over by then is cancelled, or
   * left to be resumed: by this server when it starts again, or by others of its fleet.
   */
  stop(rest?: 'cancel' | 'leave'): Promise<void>
}

export async function startServer(options: ServerOptions): Promise<Serving> {
  const { loaded, redact, workspace, data, env } = await settingOf(options.agent)
  const { lang, config } = loaded
  const texts = serverTexts(lang)
  const log = openLog({ write: options.write, json: options.json, redact, now: () => systemClock.now() })
  const onEnd = (runId: string) => {
    telemetry?.record(runId)
    if (hub.size === 0 && !hub.draining)
      void desk.tidy(() => hub.size === 0).catch((error) => log('warn', 'tidy.failed', { error: messageOf(error) }))
  }
  const hub: Hub = new Hub({ log, onEnd })
  const metrics = openMetrics(
    () => new Set(desk.agent.tools.map(({ name }) => name)),
    () => ({ ...PRICES, ...desk.agent.config.config.prices }),
  )
  const leaving = new AbortController()
  const desk: Desk = await openDesk({ ...options.agent, suspended: leaving.signal }, (events, from) => {
    hub.stored(events)
    // Each process of a fleet counts its own, or the sum over all would count everything many times.
    if (from === 'here') metrics.stored(events)
  })
  const { store, db, warnings, identityWarnings, untrusted } = desk.agent
  const telemetry = await openTelemetry({ env, store, log })
  const archive = tokenArchive(db)
  const keyring = openKeyring({ archive, clock: systemClock, newId: randomIds, texts })
  const access = openAccess({ store, owners: sessionOwners(db), clock: systemClock })
  const workflows = join(data ?? workspace, 'workflows')
  const about = { version: versionOf(), startedAt: systemClock.now(), lang, workflows }
  const leases = leasesOn(db)
  const jobs = await openJobs({ desk, hub, log, texts, env, atOnce: options.atOnce }).catch(async (error: unknown) => {
    await desk.close()
    throw error
  })
  const setup: Setup = { desk, store, hub, jobs, leases, keyring, access, log, metrics, ...about }
  const host = options.host ?? config.server.host
  const app = createApp(setup, {
    allowedHosts: [...config.server.allowedHosts, host],
    consoleFolder: options.consoleFolder ?? fileURLToPath(new URL('../../dist/console', import.meta.url)),
  })
  const { arrivalMs = ARRIVAL_MS } = options
  const server = createAdaptorServer({
    fetch: app.fetch,
    // Whoever sends a request a byte at a time is not waited for.
    serverOptions: {
      headersTimeout: Math.min(HEADERS_MS, arrivalMs),
      requestTimeout: arrivalMs,
      keepAliveTimeout: 5000,
      connectionsCheckingInterval: Math.min(2000, arrivalMs),
      maxHeaderSize: 16_384,
    },
  }) as Server
  try {
    await listen(server, { host, port: options.port ?? config.server.port, texts })
  } catch (error) {
    await jobs.stop()
    await jobs.close()
    await desk.close()
    throw error
  }
  const routines = jobs.works ? watchRoutines(setup) : undefined
  const first = (await keyring.list()).length === 0 ? await keyring.add(FIRST_TOKEN, SCOPES) : undefined
  const { port } = server.address() as AddressInfo
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  log('info', 'listening', { url })
  return {
    url,
    host,
    ...(first === undefined ? {} : { firstToken: first.secret }),
    lendToken: () => keyring.lend(),
    texts,
    warnings: [
      ...loaded.warnings,
      ...untrustedWarning(loaded, [...untrusted.identity, ...untrusted.skills]),
      ...warnings,
      ...identityWarnings,
    ],
    sandbox: desk.agent.engine.world.sandbox,
    running: () => hub.size,
    async stop(rest = 'cancel') {
      log('info', 'draining', { runs: hub.size })
      // It goes on listening: what comes meanwhile, /readyz too, is answered with 503 instead of a closed port.
      const drained = hub.drain(options.drainMs ?? DRAIN_MS)
      routines?.rest()
      // Others of a fleet go on with what is waiting.
      if (jobs.shared) await jobs.stop()
      await drained
      await jobs.stop()
      if (jobs.shared || rest === 'leave') leaving.abort()
      await Promise.all([hub.cut(), routines?.stop()])
      hub.dismiss()
      const closed = once(server, 'close')
      server.close()
      await fetched(server, closed)
      server.closeAllConnections()
      await telemetry?.close()
      await jobs.close()
      await desk.close()
      log('info', 'stopped')
    },
  }
}

/** Until the last answer is on its way; a connection that only waits for another request is not waited for. */
async function fetched(server: Server, closed: Promise<unknown>): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 20)
  await Promise.race([closed, delay(FETCH_MS)])
  clearInterval(idle)
}

async function listen(
  server: Server,
  { host, port, texts }: { host: string; port: number; texts: ServerTexts },
): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') {
      throw new WritError('PORT_IN_USE', texts.portTaken({ port }), { hint: texts.portHint, cause: error })
    }
    const fact = texts.hostUnusable({ host, why: messageOf(error) })
    throw new WritError('HOST_UNUSABLE', fact, { hint: texts.hostUnusableHint, cause: error })
  })
}

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return version
}
