/** `writ mcp serve`: the gateway. */
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { loadWorkspace, type WorkspaceContext } from '../../agent/workspace-context.ts'
import { openGuardAgents } from '../../assembly/guard-agents.ts'
import { systemClock } from '../../base/clock.ts'
import { randomIds } from '../../base/id.ts'
import { present } from '../../base/present.ts'
import { guardHome } from '../../config/places.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { GatewayOptions } from '../../gateway/session.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import { isLoopback } from '../../server/auth.ts'
import { openLog } from '../../server/log.ts'
import { serverTexts } from '../../server/texts.ts'
import { openKeyring } from '../../server/tokens.ts'
import { tokenArchive } from '../../storage/token-archive.ts'
import type { Given } from '../flags.ts'
import { homeOf, type Io } from '../io.ts'
import { mcpTexts } from '../mcp-texts.ts'
import { portOf } from '../port-flag.ts'
import { workspaceFlags } from '../workspace-flags.ts'

export async function mcpServe(given: Given, io: Io): Promise<number> {
  const { values, signal } = given
  const flags = { ...workspaceFlags(given, io), data: values.data ?? guardHome(io.env, homeOf(io)) }
  const context = await loadWorkspace(flags)
  const options = {
    config: values.config,
    cwd: context.workspace,
    lang: context.loaded.lang,
    task: values.task ?? '',
    own: given.switches.has('own'),
    servers: serversOf(given, Object.keys(context.loaded.config.mcp.servers)),
    warn: (line: string) => io.stderr(`${oneLine(line)}\n`),
  }
  if (options.servers.length === 0 && !options.own) {
    io.stderr(`${mcpTexts(io.lang).none}\n`)
    return 2
  }
  const agents = openGuardAgents({ ...present({ config: values.config }), ...flags, onlyTightens: true })
  try {
    if (values.http === undefined) await overStdio({ ...options, agents }, { io, signal })
    else await overHttp({ ...options, agents }, { context, given, io })
    return 0
  } finally {
    agents.shut()
    await agents.close()
  }
}

async function overStdio(options: GatewayOptions, { io, signal }: { io: Io; signal: AbortSignal }): Promise<void> {
  const { serveOverStdio } = await import('../../gateway/stdio.ts')
  const output = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      io.stdout(text)
      done()
    },
  })
  await serveOverStdio(options, { input: io.stdin(), output, signal })
}

async function overHttp(
  options: GatewayOptions,
  { context, given, io }: { context: WorkspaceContext; given: Given; io: Io },
): Promise<void> {
  const { serveOverHttp } = await import('../../gateway/http.ts')
  const { loaded, redact } = context
  const texts = mcpTexts(io.lang)
  const { db } = await options.agents.agentIn(options.cwd)
  const keyring = openKeyring({ archive: tokenArchive(db), clock: systemClock, newId: randomIds })
  const host = given.values.host ?? loaded.config.server.host
  const json = given.switches.has('json')
  const write = json ? io.stdout : io.stderr
  const log = openLog({ write, json, redact, now: () => systemClock.now() })
  const { allowedHosts } = loaded.config.server
  const port = portOf(given, 'http') ?? 0
  const serving = await serveOverHttp(options, { host, port, allowedHosts, keyring, log, lang: io.lang })
  try {
    if (!isLoopback(host)) io.stderr(`${serverTexts(io.lang).network({ host })}\n`)
    io.stderr(`${texts.serving({ url: serving.url })}\n`)
    if ((await keyring.list()).length === 0) io.stderr(`${texts.noToken({ data: options.agents.data })}\n`)
    if (!given.signal.aborted) await once(given.signal, 'abort')
  } finally {
    await serving.stop()
  }
}

/** Those named; without names all, unless Writ's own tools are asked for. */
function serversOf({ words, switches }: Given, known: readonly string[]): readonly string[] {
  const unknown = words.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new WritError('MCP_UNKNOWN', { server: unknown, known })
  if (words.length > 0) return words
  return switches.has('own') ? [] : known
}
