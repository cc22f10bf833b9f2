/** Who can be asked when a server wants to know something in the middle of a call. */
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client'
import type { ElicitedAnswer, ElicitedForm, FormField } from '../../protocol/elicited.ts'
import { formOf } from './elicited-form.ts'

export type AskPerson = (form: ElicitedForm) => Promise<ElicitedAnswer>

export class Askers {
  /** The calls that run now, by server. Undefined: a call without a person to ask. */
  readonly #running = new Map<string, Set<{ ask: AskPerson | undefined }>>()

  /** Returns how to leave. */
  enter(server: string, ask: AskPerson | undefined): () => void {
    const call = { ask }
    const running = this.#running.get(server) ?? new Set()
    this.#running.set(server, running.add(call))
    return () => running.delete(call)
  }

  /** Of several calls it is unknown which one asks: then it is declined. */
  readonly elicit = async (server: string, request: ElicitRequest['params']): Promise<ElicitResult> => {
    const [call, another] = this.#running.get(server) ?? []
    const form = formOf(request)
    if (form === undefined || call?.ask === undefined || another !== undefined) return { action: 'decline' }
    const { properties, required = [] } = form.requestedSchema
    const fields = properties as Readonly<Record<string, FormField>>
    return { ...(await call.ask({ server, message: form.message, fields, required })) }
  }
}
