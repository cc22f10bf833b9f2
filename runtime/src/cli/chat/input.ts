/** Input of a chat: from a keyboard, a plain terminal or a pipe. */
export type Line = { kind: 'line'; text: string } | { kind: 'interrupt'; empty: boolean } | { kind: 'end' }

export interface Input {
  /** One line; lines typed ahead come first. */
  readLine(prompt: string): Promise<Line>
  /** One line typed after the prompt, so that earlier input cannot answer a question. Empty without one. `prefill` is in the line already, where it can be changed. */
  readFresh(prompt: string, signal: AbortSignal, prefill?: string): Promise<string>
  /** The terminal is for another program while `work` runs. */
  lend<T>(work: () => Promise<T>): Promise<T>
  /** During a turn, input is queued, and Ctrl-C or the line `/abort` calls `stop`. Undefined ends this. */
  setBusy(stop: (() => void) | undefined): void
  /** Prints a line without disturbing the line being typed. */
  announce(text: string): void
  /** The effect of Ctrl-C, for SIGINT. */
  interrupt(): void
  /** The terminal is gone: stops the turn and ends the input. */
  hangUp(): void
  close(): void
}

export const ABORT = '/abort'
