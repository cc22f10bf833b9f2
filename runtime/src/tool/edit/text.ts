/** Text files as bytes and as lines, without losing a byte on the way. */
import { WritError } from '../../errors/writ-error.ts'

/** The largest file that is edited; `file_search` reads as much. */
export const MAX_FILE = 10 * 1024 * 1024
export const BOM = '\ufeff'

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** All of it, byte order mark included. Throws for what does not return to the same bytes. */
export function decodeText(content: Uint8Array, path: string): string {
  if (content.includes(0)) throw new WritError('FILE_NOT_TEXT', { path })
  try {
    return UTF8.decode(content)
  } catch {
    throw new WritError('FILE_NOT_TEXT', { path })
  }
}

/** Each line with its ending; only the last may have none. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  const whole = lines.map((line) => `${line}\n`)
  return last === '' ? whole : [...whole, last]
}
