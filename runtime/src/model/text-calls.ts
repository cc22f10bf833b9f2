/**
 * Tool calls that a model wrote as text instead of calling the tool. Recognized only where the reply ends with them;
 * text before them is kept as the draft. The gate judges such a call like any other.
 */
import { callsIn, jsonOr, readMarked, type TextCall, textAfterMarkers } from './text-call-forms.ts'

/** `block`: the part of the reply with the calls. `calls` is undefined where it cannot be read. */
export interface TextCalls {
  before: string
  block: string
  calls: TextCall[] | undefined
}

// Bounds the work for hostile text: each marker may be read to the end.
const LONGEST = 50_000
const MOST_MARKERS = 50

/** `isTool`: whether a tool of this name is offered. Undefined: the reply is an ordinary answer. */
export function readTextCalls(reply: string, isTool: (name: string) => boolean): TextCalls | undefined {
  const text = reply.trimEnd()
  if (text.length > LONGEST) return undefined
  const fence = lastFence(text)
  if (fence !== undefined) {
    const inner = readMarked(fence.inner) ?? readJson(fence.inner, isTool)
    return inner === undefined ? undefined : known({ before: fence.before, block: fence.inner, calls: inner }, isTool)
  }
  const json = readJson(text, isTool)
  if (json !== undefined) return { before: '', block: text, calls: json }
  for (const at of textAfterMarkers(text).slice(-MOST_MARKERS)) {
    if (isInFence(text.slice(0, at))) continue
    const block = text.slice(at)
    const calls = readMarked(block)
    if (calls !== undefined) return known({ before: text.slice(0, at).trim(), block, calls }, isTool)
  }
  return undefined
}

/** Calls of tools that are not offered count as unreadable: the model is told how to call one. */
function known(
  { before, block, calls }: TextCalls & { calls: TextCall[] },
  isTool: (name: string) => boolean,
): TextCalls {
  const isReadable = calls.length > 0 && calls.every(({ tool }) => isTool(tool))
  return { before, block, calls: isReadable ? calls : undefined }
}

/** JSON without a marker may be an answer; it is a call only if it has no other keys and names an offered tool. */
function readJson(text: string, isTool: (name: string) => boolean): TextCall[] | undefined {
  const trimmed = text.trim()
  if (!/^[{[]/.test(trimmed)) return undefined
  const calls = callsIn(jsonOr(trimmed, undefined), { strict: true })
  return calls?.every(({ tool }) => isTool(tool)) ? calls : undefined
}

const FENCE = /^[ \t]*```/gm

/** The code block at the end of a text. */
function lastFence(text: string): { before: string; inner: string } | undefined {
  if (!/\n[ \t]*```$/.test(text)) return undefined
  const fences = [...text.matchAll(FENCE)].map(({ index }) => index)
  const open = fences.at(-2)
  const close = fences.at(-1)
  if (fences.length % 2 !== 0 || open === undefined || close === undefined) return undefined
  const inner = text.slice(text.indexOf('\n', open) + 1, close)
  return { before: text.slice(0, open).trim(), inner }
}

function isInFence(before: string): boolean {
  return [...before.matchAll(FENCE)].length % 2 !== 0
}
