/**
 * A short model call beside the loop, to classify, to route, to summarize or to review: no tools, low temperature, counted like any
 * other.
 */

import { messageOf } from '../base/errors.ts'
import { present } from '../base/present.ts'
import { drain } from '../base/wait.ts'
import { prepaid, UNMETERED } from '../model/meter.ts'
import { ModelError } from '../model/model.ts'
import { askWithRetry } from '../model/retry.ts'
import type { Event } from '../protocol/event.ts'
import type { Message, ModelPurpose } from '../protocol/message.ts'
import { note, type RunContext } from './context.ts'
import { runMeter } from './run-payment.ts'

export interface SideQuestion {
  purpose: Extract<ModelPurpose, 'detect' | 'route' | 'summary' | 'review'>
  system: string
  messages: readonly Message[]
  signal: AbortSignal
  maxOutputTokens?: number
}

const TEMPERATURE = 0.1

/**
 * Asked once, without retries: every caller has a fallback. What happened is added to `events`. What the money budget
 * does not cover is not asked; the call of the loop that follows asks a person or ends the run.
 */
export async function askSideQuestion(ctx: RunContext, question: SideQuestion, events: Event[]): Promise<string> {
  const { purpose, system, messages, signal, maxOutputTokens } = question
  const { model, clock } = ctx
  const limit = present({ maxOutputTokens })
  const request = { purpose, system, messages, temperature: TEMPERATURE, stream: false, ...limit }
  const charge = await runMeter(ctx, events).reserve(request)
  const about = { purpose, model: model.id, messages: messages.length, tools: 0, attempt: 1 }
  events.push(note(ctx, 'model.requested', { ...about, ...present({ reservedUsd: charge.usd }) }))
  const startedAt = clock.now()
  try {
    const meter = prepaid(charge, UNMETERED)
    const { text, usage } = await drain(askWithRetry(model, request, { signal, meter, maxAttempts: 1 }))
    const elapsedMs = Math.max(0, clock.now() - startedAt)
    events.push(note(ctx, 'model.replied', { purpose, reply: { kind: 'final', text }, usage, elapsedMs }))
    return text
  } catch (error) {
    const { why, status } = error instanceof ModelError ? error : {}
    const about = { purpose, message: messageOf(error), attempt: 1 }
    events.push(note(ctx, 'model.failed', { ...about, ...present({ why, status }) }))
    throw error
  }
}
