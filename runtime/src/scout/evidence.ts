/**
 * Grounding. A quote counts only if it stands in what this scout read, and a source without one only if it was read at
 * all; the rest is left out and counted, and no report is surer than the share of its evidence that stands.
 */
import { isObject } from '../base/json.ts'
import { clip } from '../base/text.ts'
import type { Evidence, Findings } from './contracts.ts'

/** One successful `read_doc`: what was asked for, and the text the scout was shown. */
export interface Reading {
  source: string
  text: string
}

export interface Grounded extends Findings {
  grounding: { kept: number; dropped: number }
}

export function ground(findings: Findings, readings: readonly Reading[]): Grounded {
  const folded = readings.map(({ source, text }) => ({ source, text: foldText(text) }))
  const standing = findings.evidence.flatMap((item) => {
    const source = sourceOf(item, folded)
    return source === undefined ? [] : [{ ...item, source }]
  })
  const kept = standing.length
  const offered = findings.evidence.length
  const share = offered === 0 ? 1 : kept / offered
  return {
    summary: findings.summary,
    evidence: standing,
    confidence: Math.min(findings.confidence, share),
    grounding: { kept, dropped: offered - kept },
  }
}

/** The document the evidence really comes from; a quote under the wrong name is put under the right one. */
function sourceOf({ source, quote }: Evidence, readings: readonly Reading[]): string | undefined {
  const words = foldText(quote ?? '')
  const named = readings.filter((reading) => samePlace(reading.source, source))
  if (words === '') return named.length > 0 ? source : undefined
  if (named.some(({ text }) => text.includes(words))) return source
  return readings.find(({ text }) => text.includes(words))?.source
}

function samePlace(read: string, named: string): boolean {
  return plainPlace(read) === plainPlace(named)
}

/** `./docs/a.md#intro` and `docs/a.md:12` are both docs/a.md. */
function plainPlace(source: string): string {
  return source
    .trim()
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/(?:#.*|:\d+(?:-\d+)?)$/u, '')
}

const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g
const QUOTES: readonly [RegExp, string][] = [
  [/[‘’‚‛′`´]/g, "'"],
  [/[“”„‟″«»「」『』]/g, '"'],
  [/[‐‑‒–—―−]/g, '-'],
]

/** As a reader sees it: forms, spaces, quotation marks and dashes of one kind. Case stays. */
export function foldText(text: string): string {
  let folded = text.normalize('NFKC').replace(INVISIBLE, '')
  for (const [marks, one] of QUOTES) folded = folded.replace(marks, one)
  return folded.replace(/\s+/g, ' ').trim()
}

/** The text inside what `read_doc` returns. It may have been cut for the model, and is then no JSON any more. */
export function textRead(output: string): string {
  try {
    const value: unknown = JSON.parse(output)
    return isObject(value) && typeof value.text === 'string' ? value.text : output
  } catch {
    const start = /"text" *: *"/.exec(output)
    return start === null ? output : unescapeHead(output.slice(start.index + start[0].length))
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

function unescapeHead(json: string): string {
  return json
    .replace(/…\(\+\d+\)$/u, '')
    .replace(/\\(?:u[\da-f]{0,3})?$/i, '')
    .replace(/\\(u[\da-f]{4}|.)/gi, (_, code: string) =>
      code.length === 5 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (ESCAPES[code] ?? code),
    )
}

export interface Clips {
  summary: number
  evidence: number
  quote: number
  note: number
}

/** No more of a report than the main session should have to read. */
export function clipFindings<F extends Findings>(findings: F, max: Clips): F {
  return {
    ...findings,
    summary: clip(findings.summary, max.summary),
    evidence: findings.evidence.slice(0, max.evidence).map(({ source, quote, note }) => ({
      source: clip(source, max.note),
      ...(quote === undefined ? {} : { quote: clip(quote, max.quote) }),
      note: clip(note, max.note),
    })),
  }
}
