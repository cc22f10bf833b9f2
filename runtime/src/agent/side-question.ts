/** A short model call beside the loop, to classify or to route: no tools, low temperature, counted like any other. */

import { messageOf } from '../base/errors.ts'
import { present } from '../base/present.ts'
import { drain } from '../base/wait.ts'
import { ModelError } from '../model/model.ts'
import type { Event } from '../protocol/event.ts'
import type { Message, ModelPurpose } from '../protocol/message.ts'
import { note, type RunContext } from './context.ts'

export interface SideQuestion {
  purpose: Extract<ModelPurpose, 'detect' | 'route'>
  system: string
  messages: readonly Message[]
  signal: AbortSignal
}

const TEMPERATURE = 0.1

/** Asked once, without retries: every caller has a fallback. What happened is added to `events`. */
export async function askSideQuestion(ctx: RunContext, question: SideQuestion, events: Event[]): Promise<string> {
  const { purpose, system, messages, signal } = question
  const { model, clock } = ctx
  events.push(
    note(ctx, 'model.requested', { purpose, model: model.id, messages: messages.length, tools: 0, attempt: 1 }),
  )
  const startedAt = clock.now()
  try {
    const request = { purpose, system, messages, temperature: TEMPERATURE, stream: false }
    const { text, usage } = await drain(model.ask(request, signal))
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
