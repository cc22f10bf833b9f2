/**
 * Makes the prompt fit the model's context window. First old results are shortened, then the earlier part is summarized
 * by the model; the task always stays. Each cut is journaled, so a resumed run builds the same prompt. A cut frees more
 * than is needed at once: every change of an old message costs the provider's cache.
 */

import { isTask } from '../context/window.ts'
import { messages as texts } from '../i18n/locale.ts'
import type { ModelRequest } from '../model/model.ts'
import { type CountTokens, loadTokenizer, mostTokens, requestTokens } from '../model/tokens.ts'
import type { Event } from '../protocol/event.ts'
import type { Cuts } from '../protocol/state.ts'
import { note, type RunContext } from './context.ts'
import { roomFor } from './context-room.ts'
import { SUMMARY_TOKENS, summarise } from './summarise.ts'

/** Shares of the room. */
const AFTER_SHORTENING = 0.6
const TOO_FULL = 0.8
const AFTER_SUMMARY = 0.5
/** Tokens that a summary must be able to spare. */
const LEAST_GAIN = 200

/** The request that these cuts would give. */
export type BuildRequest = (cuts: Cuts) => ModelRequest

/** Cheap, and never true of a prompt that is too long: most prompts are not tokenized at all. */
export function surelyFits(ctx: RunContext, request: ModelRequest): boolean {
  return mostTokens(request) <= roomFor(ctx)
}

/** For prompts that may be too long. */
export async function* fitContext(ctx: RunContext, build: BuildRequest): AsyncGenerator<Event> {
  const room = roomFor(ctx)
  const count = await loadTokenizer()
  const sizer = { ctx, size: (cuts: Cuts) => requestTokens(build(cuts), count), room }
  if (sizer.size(ctx.state.cuts) <= room) return
  yield* shorten(sizer, { upTo: newestStep(ctx), target: room * AFTER_SHORTENING })
  if (sizer.size(ctx.state.cuts) <= room * TOO_FULL) return
  yield* replaceWithSummary(sizer, count)
  // Only now the newest results too: the model has not read them yet.
  if (sizer.size(ctx.state.cuts) > room) yield* shorten(sizer, { upTo: ctx.state.messages.length, target: room })
}

interface Sizer {
  ctx: RunContext
  size(cuts: Cuts): number
  room: number
}

/** Where the last reply with its results begins; the task when there is none yet. */
function newestStep({ state: { messages } }: RunContext): number {
  return messages.findLastIndex((message) => message.role === 'assistant' || isTask(message))
}

function* shorten({ ctx, size }: Sizer, { upTo, target }: { upTo: number; target: number }): Generator<Event> {
  const { cuts, messages } = ctx.state
  if (upTo <= cuts.shortened) return
  const before = firstThat(cuts.shortened + 1, upTo, (at) => size({ ...cuts, shortened: at }) <= target)
  const tokens = { from: size(cuts), to: size({ ...cuts, shortened: before }) }
  if (tokens.to >= tokens.from) return
  const results = messages.slice(cuts.shortened, before).filter(({ role }) => role === 'tool').length
  yield note(ctx, 'context.shortened', { before, results, tokens })
}

async function* replaceWithSummary({ ctx, size, room }: Sizer, count: CountTokens): AsyncGenerator<Event> {
  const { cuts, messages, lang } = ctx.state
  const places = boundaries(ctx)
  if (places.length === 0) return
  const without = (before: number) => ({ ...cuts, summary: { before, text: '' } })
  const fits = (at: number) => size(without(places[at] ?? 0)) + SUMMARY_TOKENS <= room * AFTER_SUMMARY
  const before = places[firstThat(0, places.length - 1, fits)] ?? 0
  const from = size(cuts)
  // The summary would be about as long as what it replaces.
  if (from - size(without(before)) < LEAST_GAIN) return
  const text = yield* summarise(ctx, { before, count, room })
  if (text === undefined) return
  const to = size({ ...cuts, summary: { before, text } })
  const replaced = messages.slice(cuts.summary?.before ?? 0, before).length
  const reason = text === '' ? texts(lang).prompt.summaryParts.leftOut : ''
  yield note(ctx, 'context.summarised', { before, messages: replaced, text, tokens: { from, to } }, reason)
}

/** Where the kept part can begin: at a turn, or at a reply of the current turn, never between a call and its result. */
function boundaries({ state: { messages, cuts } }: RunContext): number[] {
  const task = messages.findLastIndex(isTask)
  return messages.flatMap((message, at) => {
    const isStart = at <= task ? isTask(message) : message.role === 'assistant'
    return isStart && at > (cuts.summary?.before ?? 0) ? [at] : []
  })
}

/** The first number from `low` to `high` that fits; `high` when none does. What fits stays fitting above it. */
function firstThat(low: number, high: number, fits: (n: number) => boolean): number {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (fits(middle)) to = middle
    else from = middle + 1
  }
  return from
}
