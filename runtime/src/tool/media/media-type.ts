/** What a file is, by its first bytes and never by its name. */
import { Buffer } from 'node:buffer'
import type { MediaType } from '../../protocol/media.ts'

/** Enough for `mediaTypeOf`. */
export const HEAD_BYTES = 16

/** Undefined: text, or a format that no model is shown. SVG is text. */
export function mediaTypeOf(head: Uint8Array): MediaType | undefined {
  const text = Buffer.from(head.subarray(0, HEAD_BYTES)).toString('latin1')
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  if (/^RIFF.{4}WEBP/s.test(text)) return 'image/webp'
  return text.startsWith('%PDF-') ? 'application/pdf' : undefined
}
