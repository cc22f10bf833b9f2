/**
 * Makes text safe to show: characters that move the cursor, are invisible, reorder their neighbours or imitate other
 * letters are escaped. The terminal and the console use the same rules.
 */

/** Control characters except tab and line feed, zero-width characters, and marks that reorder text. */
const HIDDEN =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cs}\p{Co}]/gu
/** Zero-width marks that belong to the character before them: emoji, and scripts written with joiners. */
const JOINED =
  /(?<=\p{Emoji}\p{Emoji_Modifier}?)\ufe0f|(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Malayalam}\p{Script=Sinhala}])[\u200c\u200d](?=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Malayalam}\p{Script=Sinhala}])/gu
/** Scripts with letters that look like Latin ones, and styled Latin letters. */
const LIKE_LATIN =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}\u0131\u0237\u0251\u0261]/gu
/** Letters that cannot be distinguished from Latin; a word made only of them looks like another word. */
const TWINS = /^[аеорсухѕіјһӏԁԛԝɡАВЕЅІЈКМНОРСТХУԌαοινυρΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]+$/u
/** Unusual spaces, and characters that look like a slash, a dot, a colon or an at sign in an address. */
const LIKE_ASCII =
  /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u2044\u2215\u2216\u29f5\u29f8\u29f9\ufe68\uff0f\uff3c\uff20\uff0e\u2024\u2236\ua789]/gu
/** The host part of an address, as far as a reader may take it to reach. */
const AUTHORITY = /(?<=:\/\/)[^\s/\\]+/gu
const TOKEN = /[\p{L}\p{M}\p{N}._@:/\\-]+/gu
const WORD = /[\p{L}\p{M}\p{N}_]+/gu

export function visible(text: string): string {
  const plain = text.replaceAll('\r\n', '\n')
  // Most texts are ASCII.
  return /^[\n\t\x20-\x7e]*$/.test(plain)
    ? plain
    : escapeHidden(plain).replace(LIKE_ASCII, escaped).replace(AUTHORITY, plainHost).replace(TOKEN, plainToken)
}

/**
 * For schemas: some character that can be seen, not only spaces, zero-width characters and fillers. Short, because it is
 * sent to the model with every request; without property escapes, which not every provider's schema reader knows.
 */
export const VISIBLE_PATTERN = '[^\\s\\u200b-\\u206f\\u2800\\u3164]'

export function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim())
}

/** The escapes `visible` inserts, for highlighting. */
export const ESCAPE = /(\\u\{[0-9a-f]{1,6}\}|[⏎␠]×\d+)/

function escapeHidden(text: string): string {
  const kept = new Set<number>()
  for (const { index } of text.matchAll(JOINED)) kept.add(index)
  return text.replace(HIDDEN, (mark, at: number) => (kept.has(at) ? mark : escaped(mark)))
}

function plainHost(host: string): string {
  // An ellipsis alone is no host: it stands for one that is left out.
  if (host === '…') return host
  return host.replace(/[^\x00-\x7f\p{L}\p{M}\p{N}]/gu, escaped)
}

function plainToken(token: string): string {
  if (token.search(LIKE_LATIN) < 0) return token
  const hasLatin = /[A-Za-z]/.test(token)
  const host = /:\/\/[^/\\]*/.exec(token)
  return token.replace(WORD, (word, at: number) => {
    const inHost = host !== null && at >= host.index && at < host.index + host[0].length
    const isMixed = /[A-Za-z]/.test(word) || inHost || (hasLatin && TWINS.test(word))
    return isMixed ? word.replace(LIKE_LATIN, escaped) : word
  })
}

function escaped(mark: string): string {
  return `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`
}
