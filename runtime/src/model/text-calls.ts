/**
 * Tool calls that a model wrote as text instead of calling the tool. Recognized only where the reply ends with them;
 * text before them is kept as the draft. The gate judges such a call like any other.
 */
import { readPython } from './python-calls.ts'
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

export interface Recognition {
  /** Whether a tool of this name is offered. */
  isTool(name: string): boolean
  /** The answer itself must be JSON: only a marker makes a call. */
  jsonAnswer: boolean
}

/** Undefined: the reply is an ordinary answer. */
export function readTextCalls(reply: string, recognition: Recognition): TextCalls | undefined {
  const text = reply.trimEnd()
  if (text.length > LONGEST) return undefined
  const fence = lastFence(text)
  if (fence !== undefined) {
    const { before, inner, label } = fence
    const calls = readMarked(inner) ?? readBare(inner, { ...recognition, pythonOnly: label === 'tool_code' })
    // A code block with another tool is an example.
    const isCall = calls?.every(({ tool }) => recognition.isTool(tool))
    return isCall ? { before, block: inner, calls: readable(calls) } : undefined
  }
  const bare = readBare(text, recognition)
  if (bare !== undefined) return { before: '', block: text, calls: bare }
  for (const at of textAfterMarkers(text).slice(-MOST_MARKERS)) {
    if (isInFence(text.slice(0, at))) continue
    const block = text.slice(at)
    const calls = readMarked(block)
    // A tool that does not exist is denied by the gate, with the name of a similar one.
    if (calls !== undefined) return { before: text.slice(0, at).trim(), block, calls: readable(calls) }
  }
  return undefined
}

function readable(calls: TextCall[] | undefined): TextCall[] | undefined {
  return calls?.length === 0 ? undefined : calls
}

/** Without a marker it may be an answer; it is a call only if it is nothing else and names an offered tool. */
function readBare(
  text: string,
  { isTool, jsonAnswer, pythonOnly = false }: Recognition & { pythonOnly?: boolean },
): TextCall[] | undefined {
  const trimmed = text.trim()
  if (!pythonOnly && !/^[{[]/.test(trimmed)) return undefined
  const json = jsonAnswer || pythonOnly ? undefined : callsIn(jsonOr(trimmed, undefined), { strict: true })
  const calls = json ?? readPython(pythonOnly ? `[${trimmed}]` : trimmed)
  return calls?.every(({ tool }) => isTool(tool)) ? calls : undefined
}

const FENCE = /^[ \t]*```/gm

/** The code block at the end of a text. */
function lastFence(text: string): { before: string; inner: string; label: string } | undefined {
  if (!/\n[ \t]*```$/.test(text)) return undefined
  const fences = [...text.matchAll(FENCE)].map(({ index }) => index)
  const open = fences.at(-2)
  const close = fences.at(-1)
  if (fences.length % 2 !== 0 || open === undefined || close === undefined) return undefined
  const start = text.indexOf('\n', open)
  const label = text
    .slice(open, start)
    .replace(/^[ \t]*```/, '')
    .trim()
  return { before: text.slice(0, open).trim(), inner: text.slice(start + 1, close), label }
}

function isInFence(before: string): boolean {
  return [...before.matchAll(FENCE)].length % 2 !== 0
}
