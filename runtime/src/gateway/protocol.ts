/** The protocol side of a client: its requests, as calls of its session. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type Progress,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { atMost } from '../base/at-most.ts'
import { messageOf } from '../base/errors.ts'
import type { Lang } from '../base/lang.ts'
import { packageVersion } from '../base/package.ts'
import { causes } from '../tool/mcp/failure.ts'
import { isClean } from './inspection.ts'
import type { Pending } from './pending.ts'
import type { GatewaySession, RequestSide } from './session.ts'
import { gatewayTexts } from './texts.ts'

const ASKED = 'person'
/** Of one call in a second. */
const MOST_PROGRESS = 50

type PassedMethod = 'completion/complete' | 'resources/subscribe' | 'resources/unsubscribe'

/** `announces`: whether it is the whole connection, and tells of changes. */
export function serverFor(session: GatewaySession, { lang, announces }: { lang: Lang; announces: boolean }): Server {
  const late = gatewayTexts(lang).lateAnswer
  const { catalogue } = session
  const { capabilities, instructions } = catalogue
  const server = new Server(
    { name: 'writ', version: packageVersion() },
    { capabilities, ...(instructions !== undefined && { instructions }) },
  )
  server.setRequestHandler('tools/list', async () => ({ tools: await catalogue.tools() }))
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const result = await serve(session, ctx, { late, start: () => session.call(params, sideOf(server, ctx)) })
    if ('resultType' in result) return result as InputRequiredResult
    const { outputSchema } = catalogue.tool(params.name)?.wire ?? {}
    return server.projectCallToolResult(result as never, outputSchema as Record<string, unknown> | undefined)
  })
  if (capabilities.resources !== undefined) serveResources(server, session, { late, lang })
  if (capabilities.prompts !== undefined) {
    server.setRequestHandler(
      'prompts/list',
      ({ params }, ctx) => catalogue.list('prompts/list', params?.cursor, ctx.mcpReq.signal) as never,
    )
    server.setRequestHandler(
      'prompts/get',
      ({ params }, ctx) =>
        serve(session, ctx, {
          late,
          start: () => session.read('prompts/get', given(params), sideOf(server, ctx)),
        }) as never,
    )
  }
  if (capabilities.completions !== undefined) {
    server.setRequestHandler('completion/complete', async ({ params }, ctx) => {
      const result = await passed(session, { method: 'completion/complete', params: given(params), lang }, ctx)
      return (isClean(result) ? result : { completion: { values: [] } }) as never
    })
  }
  if (capabilities.logging !== undefined) {
    server.setRequestHandler('logging/setLevel', async ({ params }, ctx) => {
      await catalogue.setLevel(params.level, ctx.mcpReq.signal)
      return {}
    })
  }
  if (!announces) return server
  server.onclose = catalogue.onNotice((notice) => {
    // A client that has just left is told nothing.
    server.notification(notice as never).catch(() => {})
  })
  return server
}

function serveResources(server: Server, session: GatewaySession, { late, lang }: { late: string; lang: Lang }): void {
  const { catalogue } = session
  server.setRequestHandler(
    'resources/list',
    ({ params }, ctx) => catalogue.list('resources/list', params?.cursor, ctx.mcpReq.signal) as never,
  )
  server.setRequestHandler(
    'resources/templates/list',
    ({ params }, ctx) => catalogue.list('resources/templates/list', params?.cursor, ctx.mcpReq.signal) as never,
  )
  server.setRequestHandler(
    'resources/read',
    ({ params }, ctx) =>
      serve(session, ctx, {
        late,
        start: () => session.read('resources/read', given(params), sideOf(server, ctx)),
      }) as never,
  )
  if (catalogue.capabilities.resources?.subscribe !== true) return
  for (const method of ['resources/subscribe', 'resources/unsubscribe'] as const) {
    server.setRequestHandler(method, async ({ params }, ctx) => {
      await passed(session, { method, params: given(params), lang }, ctx)
      return {}
    })
  }
}

/** Parameters without the client's metadata, which is for this connection. */
function given(params: object): Record<string, unknown> {
  const { _meta, ...rest } = params as Record<string, unknown>
  return rest
}

async function passed(
  { catalogue }: GatewaySession,
  { method, params, lang }: { method: PassedMethod; params: Record<string, unknown>; lang: Lang },
  { mcpReq: { signal } }: ServerContext,
): Promise<Result> {
  await catalogue.renew()
  const { server, params: own } = catalogue.source(method === 'completion/complete' ? method : 'resources/read', params)
  try {
    return await (await server.watch.peer(signal)).request(method, own, { signal })
  } catch (error) {
    signal.throwIfAborted()
    // The message is the server's, and so is whatever else the error carries.
    const isShown = isClean(causes(error).map(messageOf))
    const shown = isShown ? messageOf(error) : gatewayTexts(lang).withheld({ what: server.name })
    throw new ProtocolError(ProtocolErrorCode.InternalError, shown)
  }
}

/** The first round of a request, or the one that brings an answer. */
async function serve(
  session: GatewaySession,
  { mcpReq }: ServerContext,
  { late, start }: { late: string; start(): Pending<Result> },
): Promise<Result> {
  const key = mcpReq.requestState<string>()
  const pending = key === undefined ? start() : session.take(key)
  if (pending === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, late)
  if (key !== undefined) pending.answer(mcpReq.inputResponses?.[ASKED])
  const onAbort = () => pending.abandon()
  mcpReq.signal.addEventListener('abort', onAbort, { once: true })
  if (mcpReq.signal.aborted) onAbort()
  const step = await pending.next()
  // In the older protocol the request goes on while its client is asked, and can still be cancelled.
  const goesOn = 'request' in step && mcpReq.envelope === undefined
  if (!goesOn) mcpReq.signal.removeEventListener('abort', onAbort)
  if ('result' in step) return step.result
  return inputRequired({ inputRequests: { [ASKED]: step.request }, requestState: session.keep(pending) })
}

function sideOf(server: Server, { mcpReq }: ServerContext): RequestSide {
  const { _meta: { progressToken } = {}, notify } = mcpReq
  const envelope: Record<string, unknown> | undefined = mcpReq.envelope
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined
  const { elicitation, sampling } = declared ?? server.getClientCapabilities() ?? {}
  // A client that names no mode has forms.
  const forms = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  const may = atMost(MOST_PROGRESS)
  const onProgress = (progress: Progress) => {
    if (!may()) return
    const params = isClean(progress) ? progress : { progress: progress.progress, total: progress.total }
    notify({ method: 'notifications/progress', params: { ...params, progressToken } }).catch(() => {})
  }
  return {
    forms,
    sampling: sampling !== undefined,
    samplingTools: sampling?.tools !== undefined,
    onProgress: progressToken === undefined ? undefined : onProgress,
  }
}
