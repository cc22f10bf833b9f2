/** The text format of `http_request` results, and its parser. */
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { present } from '../../base/present.ts'
import { jsonIn } from '../outputs.ts'

export interface HttpAnswer {
  status: number
  statusText: string
  headers: readonly (readonly [name: string, value: string])[]
  body: string
  /** Appended when the body was cut. */
  note: string
}

const HEAD = /^HTTP (\d{3})(?: [^\n]*)?\n((?:[^\n]+\n)*)\n/
const CUT_NOTE = /\n\[the body is longer than \d+ bytes; the rest is left out\]$/

export function answerText({ status, statusText, headers, body, note }: HttpAnswer): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return [`HTTP ${status} ${statusText}`.trim(), ...lines, '', body].join('\n') + note
}

/** Undefined: the text is not such a result. */
export function readAnswer(text: string): JsonObject | undefined {
  const head = HEAD.exec(text)
  if (head === null) return undefined
  const [whole, status, lines = ''] = head
  const rest = text.slice(whole.length)
  const body = rest.replace(CUT_NOTE, '')
  const headers = Object.fromEntries(lines.split('\n').flatMap(headerIn))
  const json = body === rest ? dataIn(body, headers['content-type']) : undefined
  return {
    status: Number(status),
    headers,
    body,
    ...present({ json, truncated: body === rest ? undefined : true }),
  }
}

function headerIn(line: string): [string, string][] {
  const colon = line.indexOf(': ')
  return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 2)]]
}

/** Without a JSON content type only lists and objects count as JSON: a page that says `42` is text. */
function dataIn(body: string, contentType = ''): Json | undefined {
  const value = jsonIn(body)
  return /json/i.test(contentType) || Array.isArray(value) || isObject(value) ? value : undefined
}
