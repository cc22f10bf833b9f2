/**
 * A short model call beside the loop, to classify, to route or to summarize: no tools, low temperature, counted like any
 * other.
 */

import { messageOf } from '../base/errors.ts'
import { present } from '../base/present.ts'
import { drain } from '../base/wait.ts'
import { ModelError } from '../model/model.ts'
import type { Event } from '../protocol/event.ts'
import type { Message, ModelPurpose } from '../protocol/message.ts'
import { note, type RunContext } from './context.ts'

export interface SideQuestion {
  purpose: Extract<ModelPurpose, 'detect' | 'route' | 'summary'>
  system: string
  messages: readonly Message[]
  signal: AbortSignal
  maxOutputTokens?: number
}

const TEMPERATURE = 0.1

/** Asked once, without retries: every caller has a fallback. What happened is added to `events`. */
export async function askSideQuestion(ctx: RunContext, question: SideQuestion, events: Event[]): Promise<string> {
  const { purpose, system, messages, signal, maxOutputTokens } = question
  const { model, clock } = ctx
  events.push(
    note(ctx, 'model.requested', { purpose, model: model.id, messages: messages.length, tools: 0, attempt: 1 }),
  )
  const startedAt = clock.now()
  try {
    const limit = present({ maxOutputTokens })
    const request = { purpose, system, messages, temperature: TEMPERATURE, stream: false, ...limit }
    const { text, usage } = await drain(model.ask(request, signal))
    const elapsedMs = Math.max(0, clock.now() - startedAt)
    events.push(note(ctx, 'model.replied', { purpose, reply: { kind: 'final', text }, usage, elapsedMs }))
    return text
  } catch (error) {
    const status = error instanceof ModelError ? error.status : undefined
    events.push(note(ctx, 'model.failed', { purpose, message: messageOf(error), attempt: 1, ...present({ status }) }))
    throw error
  }
}
