/** One line at the bottom of a terminal that says what is happening and for how long. */
import { fit, oneLine } from './visible.ts'

export interface Progress {
  show(what: string): void
  /** Takes the line away, so that something else can be printed in its place. */
  clear(): void
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 100
/**
 * To the start of the line, and everything from there on. The cursor waits at that start: a terminal that is resized
 * may wrap the line over several rows, and from its end nobody could say how many.
 */
const CLEAR = '\r\x1b[J'

const NONE: Progress = { show: () => {}, clear: () => {} }

/** Nothing at all where nobody would see it move. */
export function progressOn(
  stream: NodeJS.WriteStream,
  { seconds, env }: { seconds(s: number): string; env: Readonly<Record<string, string | undefined>> },
): Progress {
  if (stream.isTTY !== true || env.TERM === 'dumb') return NONE
  let timer: NodeJS.Timeout | undefined
  let frame = 0
  const clear = () => {
    if (timer === undefined) return
    clearInterval(timer)
    timer = undefined
    stream.write(CLEAR)
  }
  return {
    show(what) {
      clear()
      const startedAt = performance.now()
      timer = setInterval(() => {
        frame = (frame + 1) % FRAMES.length
        const elapsed = seconds(Math.floor((performance.now() - startedAt) / 1000))
        const line = fit(`${FRAMES[frame]} ${elapsed} · ${oneLine(what)}`, stream.columns - 1)
        stream.write(`${CLEAR}${line}\r`)
      }, FRAME_MS)
      timer.unref()
    },
    clear,
  }
}
