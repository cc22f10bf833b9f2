/** Long results: head and tail are shown, all of it is kept in a file, and `result_read` reads it again. */
import { Buffer } from 'node:buffer'
import { sha256 } from '../base/hash.ts'
import { present } from '../base/present.ts'
import { clip } from '../base/text.ts'
import { headAndTail, markOf, nextResultId, resultWithId } from '../context/prompt-messages.ts'
import { loadTokenizer } from '../model/tokens.ts'
import { RESULT_TOOL, type ToolCall } from '../protocol/message.ts'
import { type Observation, render } from '../protocol/observation.ts'
import type { Profile } from '../protocol/profile.ts'
import type { EarlierResult } from '../tool/tool.ts'
import type { RunContext } from './context.ts'
import { roomFor } from './context-room.ts'

/** Tools limit their output themselves, most of them to less. All of it is inspected. */
export const KEPT_MAX = 1_000_000
/** Stands for the call in the place of a file with the text of attachments. */
export const ATTACHED = 'attachments'
/** Of what is shown. */
export const HEAD_SHARE = 0.75
/** Of the room in the context window, for one result. */
const ROOM_SHARE = 0.25

export function canReadResults({ registry, state }: Pick<RunContext, 'registry' | 'state'>): boolean {
  return registry.exposedTo(state.profile).some(({ name }) => name === RESULT_TOOL)
}

function keepsResults(ctx: RunContext): boolean {
  return ctx.results !== undefined && canReadResults(ctx)
}

/** The most that is taken over from a tool, before inspection. */
export function observationLimit(ctx: RunContext): number {
  // An outside agent reads all of it, whatever is kept here.
  if (ctx.state.profile.mode === 'guard') return Number.POSITIVE_INFINITY
  return keepsResults(ctx) ? KEPT_MAX : ctx.state.profile.observationMaxLen
}

/** After inspection: what was withheld is not in the file either. */
export async function fitObservation(ctx: RunContext, call: ToolCall, given: Observation): Promise<Observation> {
  if (!keepsResults(ctx) || given.told !== undefined) return cut(given, ctx.state.profile.observationMaxLen)
  const observation = ctx.log.masked(given)
  const { outcome, text, partial } = observation
  const whole = outcome === 'ok' ? text : render(observation)
  const max = await shownChars(ctx, whole)
  if (whole.length <= max) return observation
  if (call.tool === RESULT_TOOL || outcome === 'error' || outcome === 'denied') return cut(observation, max)
  const { sessionId, runId, messages, lang } = ctx.state
  await ctx.results?.write({ sessionId, runId, callId: call.id }, whole)
  const mark = markOf({ id: nextResultId(messages), chars: whole.length, lang })
  const short = (long: string, most: number) => {
    const head = Math.floor(most * HEAD_SHARE)
    return headAndTail(long, { head, tail: most - head, mark })
  }
  const full = { runId, chars: whole.length, sha256: sha256(whole) }
  if (outcome === 'ok') return { ...observation, text: short(text, max), full }
  const error = clip(text, Math.floor(max / 4))
  return { ...observation, text: error, partial: short(partial ?? text, max - error.length), full }
}

function cut(observation: Observation, max: number): Observation {
  const { text, partial } = observation
  if (text.length + (partial?.length ?? 0) <= max) return observation
  const shown = clip(text, max)
  const rest = Math.max(0, max - shown.length)
  return { ...observation, text: shown, ...(partial !== undefined && { partial: clip(partial, rest) }) }
}

type Shown = Parameters<typeof roomFor>[0] & { state: { profile: Pick<Profile, 'observationMaxLen'> } }

/** Less than `observationMaxLen` where the context window is small. */
export async function shownChars(ctx: Shown, text: string): Promise<number> {
  const max = ctx.state.profile.observationMaxLen
  const share = Math.max(1, Math.floor(roomFor(ctx) * ROOM_SHARE))
  const shown = text.slice(0, max)
  if (Buffer.byteLength(shown) <= share) return max
  const tokens = (await loadTokenizer())(shown)
  return tokens <= share ? max : Math.floor((shown.length * share) / tokens)
}

/** Only what the conversation of this run has: results of other sessions have no id here. */
export async function readResult(ctx: RunContext, id: string): Promise<EarlierResult | undefined> {
  const { sessionId, messages } = ctx.state
  const message = resultWithId(messages, id)
  if (message === undefined) return undefined
  const isResult = message.role === 'tool'
  const { full, media } = message
  const callId = isResult ? message.callId : ATTACHED
  const shown = isResult ? message.content : message.content.slice((message.own ?? '').length).trimStart()
  const text = full && (await ctx.results?.read({ sessionId, runId: full.runId, callId }, full))
  for (const file of media ?? []) await ctx.media.files.read(sessionId, file)
  return {
    tool: isResult ? message.tool : 'attachments',
    text: text ?? shown,
    isGone: full !== undefined && text === undefined,
    ...present({ media }),
  }
}
