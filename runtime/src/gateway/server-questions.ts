/** What servers ask in the middle of a call: the person at the client, or the client's model. */
import {
  type CreateMessageRequest,
  type CreateMessageResult,
  type ElicitRequest,
  type ElicitResult,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import type { Lang } from '../base/lang.ts'
import { visible } from '../protocol/visible-text.ts'
import { formOf } from '../tool/mcp/elicited-form.ts'
import { isClean } from './inspection.ts'
import type { PendingWork } from './pending.ts'
import { gatewayTexts } from './texts.ts'

/** What a client can answer. */
export interface Abilities {
  forms: boolean
  sampling: boolean
  /** Whether its model may be given tools with such a request. */
  samplingTools: boolean
}

interface Running extends Abilities {
  ask: PendingWork['ask']
}

export class ServerQuestions {
  readonly #running = new Map<string, Set<Running>>()
  readonly #lang: Lang

  constructor(lang: Lang) {
    this.#lang = lang
  }

  /** A call that runs now. Returns how to leave. */
  enter(server: string, call: Running): () => void {
    const running = this.#running.get(server) ?? new Set()
    this.#running.set(server, running.add(call))
    return () => running.delete(call)
  }

  readonly elicit = async (server: string, request: ElicitRequest['params']): Promise<ElicitResult> => {
    const form = formOf(request)
    const call = this.#asker(server)
    if (form === undefined || call?.forms !== true) return { action: 'decline' }
    const message = visible(gatewayTexts(this.#lang).fromServer({ server, message: form.message }))
    const answer = await call.ask({ method: 'elicitation/create', params: { ...form, message } })
    const view = inputResponse({ answer }, 'answer')
    if (view.kind !== 'elicit') return { action: 'cancel' }
    const content = view.content as ElicitResult['content']
    return { action: view.action, ...(content && { content }) }
  }

  /** The client asks its user. What other servers have said stays with it. */
  readonly sample = async (server: string, request: CreateMessageRequest['params']): Promise<CreateMessageResult> => {
    const call = this.#asker(server)
    const { includeContext: _, ...params } = request
    const needsTools = params.tools !== undefined || params.toolChoice !== undefined
    const isAble = call?.sampling === true && (!needsTools || call.samplingTools)
    if (!isAble || !isClean(params)) throw refused()
    const view = inputResponse({ answer: await call.ask({ method: 'sampling/createMessage', params }) }, 'answer')
    if (view.kind !== 'sampling') throw refused()
    return view.result as CreateMessageResult
  }

  /** Of several calls it is unknown which one asks: then none is asked. */
  #asker(server: string): Running | undefined {
    const [call, another] = this.#running.get(server) ?? []
    return another === undefined ? call : undefined
  }
}

function refused(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidRequest, 'the client does not answer this request')
}
