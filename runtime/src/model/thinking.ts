/** Some models write their thoughts between `<think>` and `</think>` before the answer; these are removed. */
const OPEN = '<think>'
const CLOSE = '</think>'

/** Named in an answer ("`</think>`"), the tag closes nothing. */
const LONE = /(?<![`'"“‘(])<\/think>(?![`'"”’)])\s*/u

/**
 * A server's template may swallow the opening tag: then all in front of the closing one was thought. It shows only when
 * that has been passed on, so the whole answer is read once more.
 */
export function withoutLoneThought(answer: string): { text: string; thought: string } {
  const close = LONE.exec(answer)
  if (close === null || answer.includes(OPEN)) return { text: answer, thought: '' }
  return { text: answer.slice(close.index + close[0].length), thought: answer.slice(0, close.index).trim() }
}

export class Thinking {
  #state: 'start' | 'inside' | 'after' | 'outside' = 'start'
  #held = ''
  /** The removed thoughts. */
  text = ''

  /** The part of a piece that belongs to the answer. */
  take(piece: string): string {
    if (this.#state === 'outside') return piece
    this.#held += piece
    if (this.#state === 'start') {
      const start = this.#held.trimStart()
      if (OPEN.startsWith(start.slice(0, OPEN.length)) && start.length < OPEN.length) return ''
      if (!start.startsWith(OPEN)) return this.#release(this.#held)
      this.#state = 'inside'
      this.#held = start.slice(OPEN.length)
    }
    if (this.#state === 'after') return this.#afterwards()
    const end = this.#held.indexOf(CLOSE)
    if (end < 0) return ''
    this.text = this.#held.slice(0, end).trim()
    this.#state = 'after'
    this.#held = this.#held.slice(end + CLOSE.length)
    return this.#afterwards()
  }

  /** The rest at the end: an answer too short to classify, or a thought that was cut off. */
  end(): string {
    if (this.#state === 'after') return this.#release('')
    if (this.#state !== 'inside') return this.#release(this.#held)
    this.text = this.#held.trim()
    return ''
  }

  /** Without leading blank lines, which may arrive separately. */
  #afterwards(): string {
    const rest = this.#held.trimStart()
    return rest === '' ? '' : this.#release(rest)
  }

  #release(text: string): string {
    this.#state = 'outside'
    this.#held = ''
    return text
  }
}
