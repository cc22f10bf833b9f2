/** What the one pass over the words shows about patterns that look at letters. */

const SPELLED = 7
/** Between two of them. */
const GAP = 3
const TOOLS = 200
/** The name of a tool that acts. */
const TOOL_NAME =
  /^(?:send|delete|transfer|pay|share|forward|create|remove|grant|update|post|unlock|approve|cancel|write|run|execute|upload|invite|book|make|add|reset)_[a-z]/

export class Sights {
  /** Where names like send_email are. */
  readonly tools: number[] = []
  /** Many letters stand alone. */
  spelled = false
  #single = 0
  #end = 0

  /** i g n o r e, i.g.n.o.r.e */
  seeLetters(start: number, end: number): void {
    if (start - this.#end > GAP) this.#single = 0
    this.#end = end
    this.#single += (end - start + 1) >> 1
    if (this.#single >= SPELLED) this.spelled = true
  }

  seeName(text: string, at: number): void {
    if (this.tools.length < TOOLS && TOOL_NAME.test(text)) this.tools.push(at)
  }
}
