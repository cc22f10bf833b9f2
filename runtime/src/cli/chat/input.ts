/** What a conversation needs of a keyboard, a plain terminal or a pipe. */
export type Line = { kind: 'line'; text: string } | { kind: 'interrupt'; empty: boolean } | { kind: 'end' }

export interface Input {
  /** One line, with what was typed ahead first. */
  readLine(prompt: string): Promise<Line>
  /** One line typed after the prompt was shown: nothing typed earlier can answer a question. Empty when none comes. */
  readFresh(prompt: string, signal: AbortSignal): Promise<string>
  /** While work goes on, what is typed waits, and Ctrl-C or the line `/abort` calls `stop`. Undefined: it is over. */
  setBusy(stop: (() => void) | undefined): void
  /** Says something that has nothing to do with what is being typed, and leaves that as it is. */
  announce(text: string): void
  /** What Ctrl-C does, for a signal that means the same. */
  interrupt(): void
  /** Nobody is there any more: work is stopped, and there is nothing more to read. */
  hangUp(): void
  close(): void
}

export const ABORT = '/abort'
