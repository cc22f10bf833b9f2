/** A short model call beside the loop, to label or to route: no tools, low temperature, counted like any other. */

import { drain } from '../base/wait.ts'
import { ModelError } from '../model/model.ts'
import type { Event } from '../protocol/event.ts'
import type { Message, ModelPurpose } from '../protocol/message.ts'
import { note, type RunContext } from './context.ts'

export interface Aside {
  purpose: Extract<ModelPurpose, 'detect' | 'route'>
  system: string
  messages: readonly Message[]
  signal: AbortSignal
}

const TEMPERATURE = 0.1

/** Asked once: who asks has something to fall back on. What happened is added to `events`. */
export async function askAside(ctx: RunContext, aside: Aside, events: Event[]): Promise<string> {
  const { purpose, system, messages, signal } = aside
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
    const message = error instanceof Error ? error.message : String(error)
    const status = error instanceof ModelError && error.status !== undefined ? { status: error.status } : {}
    events.push(note(ctx, 'model.failed', { purpose, message, attempt: 1, ...status }))
    throw error
  }
}
