const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u

/** Terminal columns of a text; a Chinese character takes two. */
export function widthOf(text: string): number {
  let width = 0
  for (const point of text) width += NO_WIDTH.test(point) ? 0 : WIDE.test(point) ? 2 : 1
  return width
}

/** Shortened to fit, with an ellipsis where it was cut. */
export function fit(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let out = ''
  let width = 0
  for (const point of text) {
    width += widthOf(point)
    if (width > columns - 1) break
    out += point
  }
  return `${out}…`
}

export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)))
}
