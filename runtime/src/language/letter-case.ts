/**
 * The same text in small letters, character for character, so that every offset stays what it was. "Don’t" is written in
 * two ways.
 */
export function foldCase(text: string, lower = text.toLowerCase()): string {
  const sameLength = lower.length === text.length
  // The small form of İ is two characters long.
  const folded = sameLength ? lower : text.replace(/[^İ]+/gu, (part) => part.toLowerCase())
  return folded.replaceAll('ſ', 's').replaceAll('’', "'")
}
