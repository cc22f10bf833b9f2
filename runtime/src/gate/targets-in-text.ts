/** Where a target is named in a text, and what else there could be meant instead. */

import { ACCOUNT, EMAIL, HOST_IN_TEXT, ID, URL_IN_TEXT } from '../language/addresses.ts'
import { fitting } from '../language/fitting-pattern.ts'
import type { TargetFact } from '../protocol/facts.ts'
import { type PatternFor, ReadText } from './read-text.ts'

/** A URL is matched by its host, anything else by its own words, however they are spaced. */
export function mentions(text: ReadText, target: TargetFact): boolean {
  return text.holds(hostOf(target) ?? target.value)
}

/** The host that a connection would be made to, whatever else the address pretends. */
export function hostOf({ kind, value }: TargetFact): string | undefined {
  if (kind !== 'url' && kind !== 'host') return undefined
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value.trim()) ? value.trim() : `http://${value.trim()}`
  const host = URL.parse(address)?.hostname.toLowerCase()
  if (host === undefined || host === '') return undefined
  // As it was written, if that is the same host: texts do not contain the encoded form of an international name.
  const written = /^[a-z][a-z0-9+.-]*:\/\/([^/:?#@\\\s]+)/i.exec(address)?.[1]?.toLowerCase()
  return written !== undefined && URL.parse(`http://${written}`)?.hostname === host ? written : host
}

/** The sentences that name the target, each with its neighbours. */
export function namingSentences(text: ReadText, target: TargetFact): { own: ReadText; beside: ReadText[] }[] {
  const { sentences } = text
  return text.naming(hostOf(target) ?? target.value).flatMap((i) => {
    const beside = [sentences[i - 1], sentences[i + 1]].filter((one) => one !== undefined)
    return sentences.slice(i, i + 1).map((own) => ({ own, beside }))
  })
}

const emails: PatternFor = (text) => fitting(text, EMAIL)
const accounts: PatternFor = (text) => fitting(text, ACCOUNT)
const urls: PatternFor = (text) => fitting(text, URL_IN_TEXT)
const hosts: PatternFor = (text) => fitting(text, HOST_IN_TEXT)
const ids: PatternFor = (text) => fitting(text, ID)
const handles: PatternFor = (text) => fitting(text, HANDLES)

/** Other targets of the same kind in a text: addresses, accounts, or ids of the same shape. */
export function similarTargets(text: ReadText, target: TargetFact): string[] {
  const found = (pattern: PatternFor, sign?: string) =>
    text.matches(pattern, sign).filter((one) => !new ReadText(one).holds(target.value))
  switch (target.kind) {
    case 'email':
      return found(emails, '@')
    case 'account':
      return found(accounts)
    case 'url':
    case 'host':
      return [...found(urls), ...found(hosts)].filter((url) => hostOf({ kind: 'url', value: url }) !== hostOf(target))
    default: {
      // "#lunch", "@jo".
      if (fitting(target.value, HANDLE).test(target.value)) return found(handles)
      const shape = shapeOf(target.value)
      const similar = /\d/.test(shape) ? found(ids).filter((one) => shapeOf(one) === shape) : []
      // Bare digits are as often an hour, a day or an amount: only long ones of the same length count.
      const { length } = target.value
      return shape === '9' ? similar.filter((one) => length >= 5 && one.length === length) : similar
    }
  }
}

const HANDLE = /^[#@][\p{L}\d]/u
const HANDLES = /(?<![\p{L}\d.])[#@][\p{L}][\p{L}\d._-]*/gu

/** T-1055 and T-1060 have the same shape; D-3 has another. */
function shapeOf(id: string): string {
  return id
    .toLowerCase()
    .replace(/[.,]+$/, '')
    .replace(/\d+/g, '9')
}
