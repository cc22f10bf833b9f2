/** Whether a request contains a piece of a text, also base64- or hex-encoded, reversed or split. */
import { Buffer } from 'node:buffer'

/** In letters and digits. Shorter pieces occur in any two texts by chance. */
const PIECE = 12
const MAX_DEPTH = 3
const PACKED_MIN = 16

export function carriesPiece(
  sent: string,
  { of, known }: { of: readonly string[]; known: readonly string[] },
): boolean {
  const texts = of.map(letters).filter((text) => text.length >= PIECE)
  if (texts.length === 0) return false
  const knownText = known.map(letters).join('\n')
  return formsOf(sent).some((form) =>
    [form, [...form].reverse().join('')].some((one) => {
      for (let at = 0; at + PIECE <= one.length; at++) {
        const piece = one.slice(at, at + PIECE)
        if (texts.some((text) => text.includes(piece)) && !knownText.includes(piece)) return true
      }
      return false
    }),
  )
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/** The text and everything it decodes to. */
function formsOf(sent: string, depth = 0): string[] {
  if (depth > MAX_DEPTH) return []
  const plain = unescaped(sent)
  const packed = new Set<string>()
  // A payload may be split over labels, path segments or parameters.
  for (const source of [plain, plain.replace(/[^A-Za-z0-9+/_-]+/g, '')]) {
    for (const run of source.match(/[A-Za-z0-9+/_-]{16,}/g) ?? []) {
      for (const text of unpack(run)) packed.add(text)
    }
  }
  return [letters(plain), ...[...packed].flatMap((text) => formsOf(text, depth + 1))]
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  }
}

function unpack(run: string): string[] {
  const reversed = [...run].reverse().join('')
  return [run, reversed].flatMap((text) => {
    const found = [0, 1, 2, 3].map((skip) => Buffer.from(text.slice(skip), 'base64url').toString('utf8'))
    const hex = text.match(/[0-9a-f]{16,}/gi) ?? []
    return [...found, ...hex.map((digits) => Buffer.from(digits, 'hex').toString('utf8'))].filter(isText)
  })
}

function isText(text: string): boolean {
  const shown = text.match(/[\p{L}\p{N}\p{P}\p{Zs}\n=]/gu)?.length ?? 0
  return text.length >= PACKED_MIN / 2 && shown >= text.length * 0.8 && !text.includes('\u0000')
}
