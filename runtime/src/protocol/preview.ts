/** Previews for approval questions. Omitted lines are counted, and the count is kept when a preview is cut again. */
const CUT = /\n\[\+(\d+) lines?, \+(\d+) characters\]$/

/** A mark of something left out, anywhere: text that looks like one counts too. */
export function isCut(preview: string): boolean {
  return /…\(\+\d+\)|\[\+\d+ lines?, \+\d+ characters\]/.test(preview)
}

/** As many whole lines as fit, then how much is missing. */
export function clipPreview(text: string, max: number): string {
  if (text.length <= max) return text
  const end = Math.max(text.lastIndexOf('\n', max), 0)
  const shown = end > max / 2 ? text.slice(0, end) : text.slice(0, max).toWellFormed()
  const rest = text.slice(shown.length)
  return `${shown}\n[+${rest.split('\n').length - (rest.startsWith('\n') ? 1 : 0)} lines, +${rest.length} characters]`
}

export interface PreviewParts {
  head: string[]
  /** Lines between the two, shown on demand. */
  middle: string[]
  tail: string[]
  /** How many lines an earlier cut removed. */
  cut: number
}

/** The first and last lines, `max` at most, those between them, and how many an earlier cut removed. */
export function previewParts(preview: string, max: number): PreviewParts {
  const cut = CUT.exec(preview)
  const all = (cut === null ? preview : preview.slice(0, cut.index)).split('\n')
  const first = all.length > max ? Math.ceil(max / 2) : all.length
  const last = all.length > max ? all.length - Math.floor(max / 2) : all.length
  return {
    head: all.slice(0, first),
    middle: all.slice(first, last),
    tail: all.slice(last),
    cut: Number(cut?.[1] ?? 0),
  }
}

const BLANK_LINES = /\n(?:[^\S\n]*\n){3,}/g
const BLANKS = /[^\S\n]{80,}/g

/** Long runs of blank lines or spaces would push the rest out of sight: they become a mark with their count. */
export function foldBlanks(text: string): string {
  return text
    .replace(BLANKS, (run) => ` ␠×${run.length} `)
    .replace(BLANK_LINES, (run) => `\n⏎×${run.split('\n').length - 2}\n`)
}

/** The real host of a URL: the part before an `@` can look like a host. */
export function hostOf(url: string): string | undefined {
  return URL.parse(url)?.host || undefined
}
