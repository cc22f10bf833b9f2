/** Addresses, account numbers and ids in a text. */

export const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu

export const ACCOUNT =
  /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b|\b\d{3,4}(?:-\d{3,6}){2,3}\b|\b\d{8,20}\b/g

export const URL_IN_TEXT = /\b(?:https?:\/\/|www\.)[^\s"'<>)\]}]+/gi

/** A host without a scheme; not a file name, not a part of an e-mail address. */
export const HOST_IN_TEXT =
  /(?<![@\w./-])[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?!(?:txt|md|json|csv|pdf|docx?|xlsx?|png|jpe?g|html?|ya?ml|toml|ts|js|py|sh|log|eml|ics|zip)\b)[a-z]{2,12}\b(?![@\w])/gi

export const ID = /[\p{L}\p{N}][\p{L}\p{N}._-]*\d[\p{L}\p{N}._-]*|\d+/gu

/** Addresses and ids, without amounts, dates and times: what a sentence can be aimed at. */
export function addressesAndIds(text: string): string[] {
  const emails = text.includes('@') ? (text.match(EMAIL) ?? []) : []
  const addresses = [...emails, ...[URL_IN_TEXT, ACCOUNT].flatMap((pattern) => text.match(pattern) ?? [])]
  const rest = addresses.reduce((left, address) => left.replace(address, ' '), text)
  const ids = ((/\d/.test(rest) && rest.match(ID)) || []).filter((id) =>
    /\p{L}[\p{L}._-]*\d|\d[\d._-]*\p{L}{2}|^\d{5,}$/u.test(id),
  )
  return [...addresses, ...ids.map((id) => id.replace(/[.,-]+$/, ''))].filter(
    (one) => !/^\d+(?:st|nd|rd|th|am|pm|eur|usd)$/i.test(one),
  )
}

const NUMBERED =
  /(?:#|\b(?:no\.?|number|nr\.?|issue|pr|ticket|order|invoice|item|bill|case|request|page|step|task)s?\s+#?|\bcomment on |\bon )(\d{1,4})\b(?!\s*(?:%|am|pm|o'clock|st|nd|rd|th|january|february|march|april|may|june|july|august|september|october|november|december)\b)(?![.,:/-]\d)/giu

/** "PR 77", "issue #41". */
export function namedNumbers(text: string): string[] {
  return [...text.matchAll(NUMBERED)].flatMap(([, number]) => number ?? [])
}
