/** One client of the gateway: what it is offered, and its calls, judged, made and inspected one by one. */
import { randomUUID } from 'node:crypto'
import {
  type CallToolResult,
  type InputRequest,
  type Progress,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
} from '@modelcontextprotocol/server'
import type { Agent } from '../assembly/agent.ts'
import { type Governed, type GovernedSession, governedSession } from '../assembly/governed-session.ts'
import type { GuardAgents } from '../assembly/guard-agents.ts'
import { messageOf } from '../base/errors.ts'
import { canonical } from '../base/json.ts'
import type { Lang } from '../base/lang.ts'
import type { AgentConfig } from '../config/schema.ts'
import { keepsBoundary } from '../config/tightened.ts'
import { whyOf } from '../errors/writ-error.ts'
import { resultWords } from '../i18n/result-words.ts'
import { whyText } from '../i18n/why.ts'
import { render } from '../protocol/observation.ts'
import type { Principal } from '../protocol/principal.ts'
import type { OpenServer } from '../tool/mcp/open.ts'
import { type ReadMethod, readTool } from '../tool/mcp/reads.ts'
import { shownOf } from '../tool/mcp/result.ts'
import { aloneIn } from '../tool/mcp/server-text.ts'
import { mcpTool, type Offer, type Relay, type Untimed } from '../tool/mcp/tools.ts'
import { Registry } from '../tool/registry.ts'
import type { Tool } from '../tool/tool.ts'
import { approvalBy } from './approval.ts'
import { type Catalogue, type CatalogueOptions, openCatalogue } from './catalogue.ts'
import { readable } from './inspection.ts'
import { openPending, type Pending, type PendingWork } from './pending.ts'
import { type Abilities, ServerQuestions } from './server-questions.ts'
import { gatewayTexts } from './texts.ts'

export interface GatewayOptions extends Omit<CatalogueOptions, 'host' | 'isBusy'> {
  agents: GuardAgents
  /** What the person who started this says that the clients' users want. */
  task: string
  lang: Lang
}

export interface Client {
  /** As the client names itself, once it has. */
  name(): string | undefined
  principal: Principal
  /** Whether an answer of this client counts as an approval. */
  mayApprove: boolean
}

/** What a client can do while one of its requests runs. */
export interface RequestSide extends Abilities {
  onProgress: ((progress: Progress) => void) | undefined
}

export interface GatewaySession {
  readonly catalogue: Catalogue
  call(
    params: { name: string; arguments?: Record<string, unknown> | undefined },
    side: RequestSide,
  ): Pending<CallToolResult>
  read(method: ReadMethod, params: Record<string, unknown>, side: RequestSide): Pending<Result>
  /** Until the client answers. Returns what it has to name then. */
  keep(pending: Pending<Result>): string
  take(key: string): Pending<Result> | undefined
  /** Whether a call is running, or waits for an answer. */
  isBusy(): boolean
  close(): Promise<void>
}

/** A question that is not answered for so long waits in the journal instead. */
const ANSWER_MS = 600_000
const MOST_NAME = 40
/** Of one client at once, with those that wait for an answer. */
const MOST_CALLS = 64

export async function openGatewaySession(options: GatewayOptions, client: Client): Promise<GatewaySession> {
  const { agents, cwd, task, lang } = options
  const questions = new ServerQuestions(lang)
  const running = new Set<object>()
  const catalogue = await openCatalogue({ ...options, host: questions, isBusy: () => running.size > 0 })
  let opened: GovernedSession | undefined
  /** Nothing is recorded of a client that calls nothing. */
  const governed = () => {
    const id = `${client.name() ?? 'client'}`.slice(0, MOST_NAME).concat('-', randomUUID().slice(0, 8))
    opened ??= governedSession(agents, { id, agent: 'mcp', cwd, principal: client.principal, task })
    return opened
  }
  const kept = new Map<string, { pending: Pending<Result>; timer: NodeJS.Timeout }>()
  const make = { client, governed, questions, options, running }
  let open = 0
  const counted = <R extends Result>(work: (at: PendingWork) => Promise<R>) =>
    openPending(async (at) => {
      const message = gatewayTexts(lang).tooMany({ most: MOST_CALLS })
      if (open >= MOST_CALLS) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, message)
      open++
      return work(at).finally(() => open--)
    })
  return {
    catalogue,
    call({ name, arguments: args = {} }, side) {
      return counted(async (work) => {
        const failed = await catalogue.renew().then(
          () => undefined,
          (error: unknown) => told(messageOf(error)),
        )
        if (failed !== undefined) return failed
        const entry = catalogue.tool(name)
        if (entry === undefined) {
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, gatewayTexts(lang).unknownTool({ tool: name }))
        }
        const { offer, own } = entry
        const making = { ...make, side, work }
        return offer === undefined ? callOwn(making, own, args) : callServer(making, offer, args)
      })
    },
    read(method, params, side) {
      return counted(async (work) => {
        await catalogue.renew()
        const { server, params: given } = catalogue.source(method, params)
        let result: Result | undefined
        const tool = readTool(server, method, {
          enter: (untimed) => questions.enter(server.name, sideIn(side, work, untimed)),
          signal: work.signal,
          onProgress: side.onProgress,
          read(raw) {
            result = raw
            return readable('', raw)
          },
        })
        const whole = withAlone(tool as Tool, () => result)
        const done = await perform({ ...make, side, work }, { server, tool: whole, args: given })
        const text = refusalOf(done, options)
        if (text !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, text)
        if (done.observed?.text !== undefined || result === undefined)
          throw new ProtocolError(ProtocolErrorCode.InternalError, textOf(done, options))
        return done.masked(plainResult(result))
      })
    },
    keep(pending) {
      const key = randomUUID()
      const timer = setTimeout(() => {
        kept.delete(key)
        pending.abandon()
      }, ANSWER_MS).unref()
      kept.set(key, { pending, timer })
      return key
    },
    take(key) {
      const found = kept.get(key)
      kept.delete(key)
      clearTimeout(found?.timer)
      return found?.pending
    },
    isBusy: () => running.size > 0,
    async close() {
      for (const { pending, timer } of kept.values()) {
        clearTimeout(timer)
        pending.abandon()
      }
      await catalogue.close()
      // Its calls have ended; what is lost here is only the end of its run.
      await opened?.end().catch((error: unknown) => options.warn(whyText(whyOf(error), lang)))
    },
  }
}

interface Making {
  client: Client
  governed(): GovernedSession
  questions: ServerQuestions
  options: GatewayOptions
  running: Set<object>
  side: RequestSide
  work: PendingWork
}

async function callServer(making: Making, offer: Offer, args: Record<string, unknown>): Promise<CallToolResult> {
  const { side, work, options, questions } = making
  let result: CallToolResult | undefined
  const relay: Relay = {
    enter: (untimed) => questions.enter(offer.server, sideIn(side, work, untimed)),
    signal: work.signal,
    onProgress: side.onProgress,
    read(raw: CallToolResult) {
      result = raw
      return readable(shownOf(raw), raw)
    },
  }
  const tool = withAlone(mcpTool(offer, relay) as Tool, () => result)
  const done = await perform(making, { server: { name: offer.server, config: offer.config }, tool, args })
  const refusal = refusalOf(done, options)
  if (refusal !== undefined) return told(refusal)
  if (done.observed?.text !== undefined || result === undefined) {
    return told(textOf(done, options))
  }
  // The server has answered, but the call did not end well: it changed the agent's own files.
  if (done.observation?.outcome !== 'ok' && result.isError !== true) {
    return told(textOf(done, options))
  }
  return done.masked(plainResult(result))
}

/** What a server can ask while its call runs. */
function sideIn(side: RequestSide, work: PendingWork, untimed: Untimed) {
  return { ...side, ask: (request: InputRequest) => untimed(() => work.ask(request)) }
}

/** Each text of a result is also inspected by itself. */
function withAlone(tool: Tool, result: () => Result | undefined): Tool {
  return { ...tool, alone: (shown) => aloneIn(shown, result()) }
}

/** Only the gateway itself asks the client for more: the answer would go past it. */
function plainResult<R extends Result>({ resultType: _, inputRequests: _1, requestState: _2, ...result }: R): R {
  return result as R
}

/** What was observed in the place of a result, in words: the marks of the protocol are for Writ's own models. */
function textOf({ observed, observation }: Made, { lang }: Pick<GatewayOptions, 'lang'>): string {
  const text = observed?.text ?? (observation === undefined ? '' : render(observation))
  return observation?.outcome === 'ok' ? text : resultWords(text, lang)
}

async function callOwn(making: Making, tool: string, args: Record<string, unknown>): Promise<CallToolResult> {
  const done = await perform(making, { tool, args })
  const refusal = refusalOf(done, making.options)
  if (refusal !== undefined || done.observation === undefined) return told(refusal ?? '')
  const isError = done.observation.outcome !== 'ok'
  return { content: [{ type: 'text', text: textOf({ ...done, observed: undefined }, making.options) }], isError }
}

type Server = Pick<OpenServer, 'name' | 'config'>

function isOffered({ mcp, tools }: AgentConfig, { name, config, tool }: Server & { tool: string }): boolean {
  return canonical(mcp.servers[name]) === canonical(config) && !tools.disabled.includes(tool)
}

interface Made extends Partial<Governed> {
  masked: <T>(value: T) => T
  failed?: string
}

/** Whatever fails here, nothing has run that was not allowed, and the client is told why. */
async function perform(
  making: Making,
  { server, tool, args }: { server?: Server; tool: Tool | string; args: Record<string, unknown> },
): Promise<Made> {
  const { governed, client, options, running, side, work } = making
  const { lang } = options
  running.add(making)
  let masked: Made['masked'] = (value) => value
  const registryIn = ({ engine }: Agent) => {
    masked = engine.redact
    return typeof tool === 'string' ? engine.registry : new Registry([tool])
  }
  const ask = approvalBy(client, { forms: side.forms, ask: work.ask, lang })
  try {
    const name = typeof tool === 'string' ? tool : tool.name
    const isLocal = server?.config.url === undefined
    // Our own tools keep the boundary of the settings they were opened with.
    const isSameIn = (now: AgentConfig, before: AgentConfig) =>
      server === undefined ? keepsBoundary(now, before) : isOffered(now, { ...server, tool: name })
    const done = await governed().call({ registryIn, tool: name, args, ask, isLocal, isSameIn })
    return { ...done, masked }
  } catch (error) {
    return { masked, failed: gatewayTexts(lang).failed({ why: whyText(whyOf(error), lang) }) }
  } finally {
    running.delete(making)
  }
}

/** What the client is told when its call was not made. */
function refusalOf({ failed, verdict, isTightened }: Made, { agents, lang }: GatewayOptions): string | undefined {
  if (verdict === undefined) return failed ?? ''
  if (verdict.decision === 'allow') return undefined
  const texts = gatewayTexts(lang)
  const { message, hint = '', runId } = verdict
  const note = isTightened === true ? `\n${texts.tightened}` : ''
  if (verdict.isParked === true) return `${texts.parked({ message, run: runId, data: agents.data })}${note}`
  return `${texts.denied({ message, hint })}${note}`
}

function told(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
