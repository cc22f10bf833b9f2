/** Lines of code that hold no sentence: nothing in them can be an order, and most of a source file is such lines. */

/** How lines of code begin that have several words in a row. */
const STATEMENT =
  /[ \t]*(?:export|import|const|let|var|return|function|async|await|class|type|interface|readonly|private|public|static|if|for|while|else|new|throw|def|from) /y
/** What a character of a line shows: a word, a gap between two, an end of words in code, or no code at all. */
const WORD = 1
const BREAK = 2
const PROSE = 3
const LINE = new Uint8Array(0x10000).fill(PROSE, 0x80)
for (let code = 0; code < 0x80; code++) {
  const char = String.fromCharCode(code)
  LINE[code] = /[\w]/.test(char)
    ? WORD
    : '{}()[]=<>;+&?|'.includes(char)
      ? BREAK
      : '@\\%#/*`'.includes(char)
        ? PROSE
        : 0
}

/** So many words in a row are a sentence. */
const SENTENCE = 3
const SENTENCE_OF_STATEMENT = 5

function isStatement(text: string, line: number): boolean {
  STATEMENT.lastIndex = line
  return STATEMENT.test(text)
}

/** Where the first line from here on begins that is to be read. `codes`: the text as numbers. */
export function pastCode(text: string, codes: Uint16Array, from: number): number {
  const size = text.length
  let line = from
  while (line < size) {
    let words = 0
    let inWord = false
    let signs = 0
    let i = line
    for (; i < size; i++) {
      const code = codes[i] ?? 0
      if (code === 10) break
      const kind = LINE[code] ?? PROSE
      if (kind === WORD) {
        if (inWord) continue
        inWord = true
        if (++words === SENTENCE && !isStatement(text, line)) return line
        if (words === SENTENCE_OF_STATEMENT) return line
        continue
      }
      inWord = false
      if (kind === BREAK) {
        words = 0
        signs++
      } else if (kind === PROSE && (code !== 47 || codes[i + 1] === 47 || codes[i + 1] === 42)) return line
    }
    if (signs === 0) return line
    line = Math.min(i + 1, size)
  }
  return line
}
