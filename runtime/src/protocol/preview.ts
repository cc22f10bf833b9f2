/** What a person is shown before a yes. What is left out is counted, and the count survives. */
const CUT = /\n\[\+(\d+) lines?, \+(\d+) characters\]$/

/** Whole lines as far as they fit, then how much is missing. */
export function clipPreview(text: string, max: number): string {
  if (text.length <= max) return text
  const end = Math.max(text.lastIndexOf('\n', max), 0)
  const shown = end > max / 2 ? text.slice(0, end) : text.slice(0, max).toWellFormed()
  const rest = text.slice(shown.length)
  return `${shown}\n[+${rest.split('\n').length - (rest.startsWith('\n') ? 1 : 0)} lines, +${rest.length} characters]`
}

/** The first `max` lines, and how many there are besides, also of those that were cut off before. */
export function previewLines(preview: string, max: number): { lines: string[]; hidden: number } {
  const cut = CUT.exec(preview)
  const all = (cut === null ? preview : preview.slice(0, cut.index)).split('\n')
  return { lines: all.slice(0, max), hidden: Math.max(0, all.length - max) + Number(cut?.[1] ?? 0) }
}
