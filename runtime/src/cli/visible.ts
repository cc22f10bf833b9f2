/** Text for a terminal: nothing in it may move the cursor, and nothing may look like something else. */

// Control characters but tab and line feed, and the marks that reorder or hide text.
const HIDDEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u

export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, (mark) => `\\u{${mark.charCodeAt(0).toString(16)}}`)
}

export function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim())
}

/** How many columns of a terminal a text takes; a Chinese character takes two. */
export function widthOf(text: string): number {
  let width = 0
  for (const point of text) width += NO_WIDTH.test(point) ? 0 : WIDE.test(point) ? 2 : 1
  return width
}

/** As much of a line as fits, with a mark where it was cut. */
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
