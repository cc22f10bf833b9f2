/** What servers ask the person at a client, in the middle of a call. */
import { type ElicitRequest, type ElicitResult, inputResponse } from '@modelcontextprotocol/server'
import type { Lang } from '../base/lang.ts'
import { visible } from '../protocol/visible-text.ts'
import { formOf } from '../tool/mcp/elicited-form.ts'
import type { PendingWork } from './pending.ts'
import { gatewayTexts } from './texts.ts'

const DECLINED: ElicitResult = { action: 'decline' }

export class Elicitations {
  /** The calls that run now, by server. */
  readonly #running = new Map<string, Set<PendingWork['ask']>>()
  readonly #lang: Lang

  constructor(lang: Lang) {
    this.#lang = lang
  }

  /** Returns how to leave. */
  enter(server: string, ask: PendingWork['ask']): () => void {
    const running = this.#running.get(server) ?? new Set()
    this.#running.set(server, running.add(ask))
    return () => running.delete(ask)
  }

  /** Of several calls it is unknown which one asks: then nobody is. */
  readonly elicit = async (server: string, request: ElicitRequest['params']): Promise<ElicitResult> => {
    const form = formOf(request)
    const [ask, another] = this.#running.get(server) ?? []
    if (form === undefined || ask === undefined || another !== undefined) return DECLINED
    const message = visible(gatewayTexts(this.#lang).fromServer({ server, message: form.message }))
    const answer = await ask({ method: 'elicitation/create', params: { ...form, message } })
    const view = inputResponse({ answer }, 'answer')
    if (view.kind !== 'elicit') return { action: 'cancel' }
    return {
      action: view.action,
      ...(view.content && { content: view.content as NonNullable<ElicitResult['content']> }),
    }
  }
}
