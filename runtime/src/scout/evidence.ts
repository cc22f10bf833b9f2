/**
 * Grounding. A quote counts only if it occurs in what this scout read and is long enough to be specific; a source without
 * a quote counts only if it was read. Other evidence is dropped and counted, and the confidence is at most the share of
 * evidence that was kept. A report without a verified quote is not grounded.
 */
import { posix } from 'node:path'
import { closeCjk, unifyRadicals } from '../base/cjk.ts'
import { isObject } from '../base/json.ts'
import { clip } from '../base/text.ts'
import type { Evidence, Findings } from './contracts.ts'

/** The confidence of a scout without a verified quote, or without a report: it has read something, but proves nothing. */
export const UNQUOTED_CONFIDENCE = 0.3

/** One successful `read_doc`: the requested id, and the text the scout was shown. */
export interface Reading {
  source: string
  text: string
}

export interface Grounded extends Findings {
  grounding: { kept: number; dropped: number }
  /** Whether any quote was verified. */
  quoted: boolean
}

export function ground(findings: Findings, readings: readonly Reading[]): Grounded {
  const folded = readings.map(({ source, text }) => ({ source, text: foldText(text) }))
  const verified = findings.evidence.flatMap((item) => verify(item, folded) ?? [])
  const kept = verified.length
  const offered = findings.evidence.length
  const quoted = verified.some(({ quote }) => quote !== undefined)
  const share = offered === 0 ? 0 : kept / offered
  return {
    summary: findings.summary,
    evidence: verified,
    confidence: Math.min(findings.confidence, share, quoted ? 1 : UNQUOTED_CONFIDENCE),
    grounding: { kept, dropped: offered - kept },
    quoted,
  }
}

/** A quote under the wrong source is moved to the document it comes from. */
function verify({ source, quote, note }: Evidence, readings: readonly Reading[]): Evidence | undefined {
  const words = foldText(quote ?? '')
  const named = readings.filter((reading) => samePlace(reading.source, source))
  // Without a quote, the evidence only says that the document was read.
  if (words === '') return named[0] && { source: named[0].source, note }
  const found = [...named, ...readings].find(({ text }) => occursIn(words, text))
  return found && { source: found.source, quote: quote ?? '', note }
}

/** A letter or a common word occurs in every document, so it proves nothing about this one. */
function occursIn(words: string, text: string): boolean {
  return text.includes(words) && (text === words || isSpecific(words))
}

const CHARACTERS = /[\p{L}\p{N}]/gu
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** About a word of six letters or three Chinese characters; less with digits, which are more specific. */
function isSpecific(words: string): boolean {
  const characters = words.match(CHARACTERS) ?? []
  const weight = characters.reduce((sum, character) => sum + (CJK.test(character) ? 2 : 1), 0)
  return weight >= (/\p{N}/u.test(words) ? 4 : 6)
}

function samePlace(read: string, named: string): boolean {
  return plainPlace(read) === plainPlace(named)
}

/** `./docs/a.md#intro` and `docs/a.md:12` are both docs/a.md. */
function plainPlace(source: string): string {
  const path = source
    .trim()
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/(?:#.*|(?::L?\d+(?:-L?\d+)?)+)$/u, '')
  return posix.normalize(path)
}

const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g
const QUOTES: readonly [RegExp, string][] = [
  [/[‘’‚‛′`´]/g, "'"],
  [/[“”„‟″«»「」『』]/g, '"'],
  [/[‐‑‒–—―−]/g, '-'],
]

/** Normalizes characters, spaces, quotation marks and dashes. Keeps case. */
export function foldText(text: string): string {
  let folded = unifyRadicals(text).normalize('NFKC').replace(INVISIBLE, '')
  for (const [marks, one] of QUOTES) folded = folded.replace(marks, one)
  return closeCjk(folded).replace(/\s+/g, ' ').trim()
}

/** The text in the output of `read_doc`, which may have been cut for the model and is then no longer JSON. */
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

/** Limits a report to what the main session should have to read. */
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
