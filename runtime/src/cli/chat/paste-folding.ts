/** Multi-line pastes in a one-line prompt: short ones show marks for line ends, long ones a placeholder. */
const MARKS: readonly [string, string][] = [
  ['\n', '␤'],
  ['\t', '␉'],
]
const MAX_CHARS = 400
const MAX_LINES = 8

export interface Folding {
  /** As shown in the line being edited. */
  fold(text: string): string
  /** As it was pasted. */
  unfold(line: string): string
}

export function makeFolding(nameOf: (p: { n: number; lines: number }) => string): Folding {
  const named = new Map<string, string>()
  return {
    fold(text) {
      const lines = text.split('\n').length
      if (text.length <= MAX_CHARS && lines <= MAX_LINES) return mark(text)
      const name = nameOf({ n: named.size + 1, lines })
      named.set(name, text)
      return name
    },
    unfold(line) {
      let text = line
      for (const [plain, shown] of MARKS) text = text.replaceAll(shown, plain)
      for (const [name, pasted] of named) text = text.replaceAll(name, () => pasted)
      return text
    },
  }
}

export function mark(text: string): string {
  let line = text
  for (const [plain, shown] of MARKS) line = line.replaceAll(plain, shown)
  return line
}
