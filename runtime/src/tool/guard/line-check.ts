/** Checks of a line before it is parsed. */
import { why } from '../../i18n/why.ts'
import type { Why } from '../../protocol/why.ts'

const MAX_LINE = 64 * 1024
/** Invisible characters, and characters that reverse the display of others. */
const UNSEEN =
  /[\u0001-\u0008\u000b-\u001f\u007f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u

export function checkLine(line: string): { isReadable: boolean; doubts: Why[] } {
  if (line.includes('\0')) return { isReadable: false, doubts: [why('nulByte')] }
  if (line.length > MAX_LINE) return { isReadable: false, doubts: [why('lineTooLong', { max: MAX_LINE })] }
  const unseen = UNSEEN.exec(line)?.[0].codePointAt(0)
  const code = unseen?.toString(16).toUpperCase().padStart(4, '0')
  return { isReadable: true, doubts: code === undefined ? [] : [why('invisible', { character: `U+${code}` })] }
}
