/** The text `http_request` answers with, and how a program reads it. */
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { jsonIn } from '../outputs.ts'

export interface HttpAnswer {
  status: number
  statusText: string
  headers: readonly (readonly [name: string, value: string])[]
  body: string
  /** Said after the body where not all of it is there. */
  note: string
}

const HEAD = /^HTTP (\d{3})(?: [^\n]*)?\n((?:[^\n]+\n)*)\n/
const CUT_NOTE = /\n\[the body is longer than \d+ bytes; the rest is left out\]$/

export function answerText({ status, statusText, headers, body, note }: HttpAnswer): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return [`HTTP ${status} ${statusText}`.trim(), ...lines, '', body].join('\n') + note
}

/** Undefined: the text is not such an answer. */
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
    ...(json === undefined ? {} : { json }),
    ...(body === rest ? {} : { truncated: true }),
  }
}

function headerIn(line: string): [string, string][] {
  const colon = line.indexOf(': ')
  return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 2)]]
}

/** Of an answer that does not call itself JSON, lists and objects only: a page that says `42` is text. */
function dataIn(body: string, contentType = ''): Json | undefined {
  const value = jsonIn(body)
  return /json/i.test(contentType) || Array.isArray(value) || isObject(value) ? value : undefined
}
