/** What can be said of a line before its words are read. */

const MAX_LINE = 64 * 1024
/** Characters that are not seen, or that turn around how others are shown. */
const UNSEEN =
  /[\u0001-\u0008\u000b-\u001f\u007f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u

export function lookAt(line: string): { isReadable: boolean; doubts: string[] } {
  if (line.includes('\0')) return { isReadable: false, doubts: ['it holds a NUL byte'] }
  if (line.length > MAX_LINE) return { isReadable: false, doubts: [`it is longer than ${MAX_LINE} characters`] }
  const unseen = UNSEEN.exec(line)?.[0].codePointAt(0)
  const code = unseen?.toString(16).toUpperCase().padStart(4, '0')
  return { isReadable: true, doubts: code === undefined ? [] : [`it holds the unseen character U+${code}`] }
}
