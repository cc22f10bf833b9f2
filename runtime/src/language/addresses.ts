/** Addresses, account numbers and ids in a text. */
import { fitting } from './fitting-pattern.ts'

export const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu

export const ACCOUNT =
  /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b|\b\d{3,4}(?:-\d{3,6}){2,3}\b|\b\d{8,20}\b/g

export const URL_IN_TEXT = /\b(?:https?:\/\/|www\.)[^\s"'<>)\]}]+/gi

/** A host without a scheme; not a file name, not a part of an e-mail address. */
export const HOST_IN_TEXT =
  /(?<![@\w./-])[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?!(?:txt|md|json|csv|pdf|docx?|xlsx?|png|jpe?g|html?|ya?ml|toml|ts|js|py|sh|log|eml|ics|zip)\b)[a-z]{2,12}\b(?![@\w])/gi

/** What a name with a dot ends with when it is a file. */
const FILE_END =
  /\.(?:txt|md|json|jsonl|csv|tsv|pdf|docx?|xlsx?|pptx?|odt|ods|png|jpe?g|gif|svg|webp|html?|xml|ya?ml|toml|ini|conf|cfg|env|lock|tsx?|jsx?|mjs|cjs|py|sh|rs|go|java|rb|php|c|h|cpp|css|sql|db|log|eml|ics|vcf|zip|gz|tar|mp[34]|wav|mov|bak|tmp)$/i
const SCHEME = /^[a-z][a-z0-9+.-]*:[\\/]{2}\S/i
/** With another number of slashes, browsers read the same address. */
const LOOSE_SCHEME = /^(?:(?:https?|wss?|ftp):[\\/]*|[\\/]{2})[^\s\\/]/i
const LABEL = '[\\p{L}\\p{N}_-]+'
const DOT = '[.\u3002\uff0e\uff61]'
const HOST = `(?:${LABEL}${DOT})+(?:\\p{L}{2,}|xn--[a-z0-9-]+)${DOT}?|\\d{1,3}(?:\\.\\d{1,3}){3}|\\[[0-9a-f:.]*:[0-9a-f:.]*\\]|localhost`
const BARE_ADDRESS = new RegExp(`^(?:[^\\s@/\\\\]*@)?(${HOST})(:\\d{1,5})?([/\\\\?#]\\S*)?$`, 'iu')

/** What a whole value is, if a request could be made to it, with a scheme or without. */
export function addressKind(text: string): 'url' | 'host' | undefined {
  const value = text.trim()
  if (SCHEME.test(value) || (LOOSE_SCHEME.test(value) && !/\s/.test(value))) return 'url'
  const [, host = '', port, tail] = fitting(value, BARE_ADDRESS).exec(value) ?? []
  if (host === '') return undefined
  if (tail !== undefined) return 'url'
  // An e-mail address, unless a port follows.
  if (value.includes('@') && port === undefined) return undefined
  return port === undefined && FILE_END.test(host) ? undefined : 'host'
}

const FILE_NAME = /[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.[a-z\d]{1,5}(?![\p{L}\p{N}@/])/giu

/** Names of files in a text. */
export function fileNames(text: string): string[] {
  return (text.match(fitting(text, FILE_NAME)) ?? []).filter((name) => FILE_END.test(name))
}

export const ID = /[\p{L}\p{N}][\p{L}\p{N}._-]*\d[\p{L}\p{N}._-]*|\d+/gu

const DISTINCT_ID = /\p{L}[\p{L}._-]*\d|\d[\d._-]*\p{L}{2}|^\d{5,}$/u

/** Addresses and ids, without amounts, dates and times: what a sentence can be aimed at. */
export function addressesAndIds(text: string): string[] {
  const emails = text.includes('@') ? (text.match(fitting(text, EMAIL)) ?? []) : []
  const addresses = [...emails, ...[URL_IN_TEXT, ACCOUNT].flatMap((pattern) => text.match(pattern) ?? [])]
  const rest = addresses.reduce((left, address) => left.replace(address, ' '), text)
  const ids = ((/\d/.test(rest) && rest.match(fitting(rest, ID))) || []).filter((id) =>
    fitting(id, DISTINCT_ID).test(id),
  )
  return [...addresses, ...ids.map((id) => id.replace(/[.,-]+$/, ''))].filter(
    (one) => !/^\d+(?:st|nd|rd|th|am|pm|eur|usd)$/i.test(one),
  )
}

const NUMBERED =
  /(?:#|\b(?:no\.?|number|nr\.?|issue|pr|ticket|order|invoice|item|bill|case|request|page|step|task)s?\s+#?|\bcomment on |\bon )(\d{1,4})\b(?!\s*(?:%|am|pm|o'clock|st|nd|rd|th|january|february|march|april|may|june|july|august|september|october|november|december)\b)(?![.,:/-]\d)/giu

/** 订单9, 11号订单, 第4项. */
const THING = '(?:订单|工单|发票|账单|单子|条目|任务|问题|预约|预订|快递|包裹|合同)'
const CHINESE_NUMBERED = new RegExp(
  `(?:${THING}|编号|号码)(?:号|第)?\\s*[#＃]?\\s*(\\d{1,4})(?!\\d|[.,:/-]\\d|\\s*[月日年点元块%％天])|(\\d{1,4})\\s*号的?\\s*${THING}|第\\s*(\\d{1,4})\\s*(?:项|条|个|封|份|单|张|号|笔)`,
  'gu',
)

/** "PR 77", "issue #41", 订单9. */
export function namedNumbers(text: string): string[] {
  const numbers = [...text.matchAll(fitting(text, NUMBERED)), ...text.matchAll(CHINESE_NUMBERED)]
  return numbers.flatMap(([, ...groups]) => groups.find((number) => number !== undefined) ?? [])
}
