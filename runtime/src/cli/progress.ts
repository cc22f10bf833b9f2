/** A line or a few at the bottom of a terminal that say what is happening and for how long. */

import { oneLine } from '../protocol/visible-text.ts'
import { fit } from './visible.ts'

export interface Progress {
  show(what: string): void
  /** Several lines, made anew for every frame. */
  showLines(lines: () => readonly string[]): void
  /** Takes it away, so that something else can be printed in its place. */
  clear(): void
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 100
const ERASE_ROW = '\x1b[K'
/**
 * Everything from the cursor on: a terminal that was resized may have wrapped a line over more rows than it had. Not
 * from the first row, though: some terminals keep what is erased from the top of the screen.
 */
const ERASE_REST = '\x1b[J'

const NONE: Progress = { show: () => {}, showLines: () => {}, clear: () => {} }

/** Nothing at all where nobody would see it move. */
export function progressOn(
  stream: NodeJS.WriteStream,
  { seconds, env }: { seconds(s: number): string; env: Readonly<Record<string, string | undefined>> },
): Progress {
  if (stream.isTTY !== true || env.TERM === 'dumb') return NONE
  let timer: NodeJS.Timeout | undefined
  let frame = 0
  let drawn = 1
  /** The cursor waits at the start of the first row. */
  const draw = (rows: readonly string[]) => {
    const all = [...rows, ...Array<string>(Math.max(0, drawn - rows.length)).fill('')]
    const up = all.length > 1 ? `\x1b[${all.length - 1}A` : ''
    stream.write(`\r${all.map((row) => row + ERASE_ROW).join('\n')}${ERASE_REST}${up}\r`)
    drawn = Math.max(1, rows.length)
  }
  const clear = () => {
    if (timer === undefined) return
    clearInterval(timer)
    timer = undefined
    draw([])
  }
  const showLines = (lines: () => readonly string[]) => {
    clear()
    timer = setInterval(() => {
      frame = (frame + 1) % FRAMES.length
      draw(lines().map((line) => fit(`${FRAMES[frame]} ${oneLine(line)}`, stream.columns - 1)))
    }, FRAME_MS)
    timer.unref()
  }
  return {
    show(what) {
      const startedAt = performance.now()
      showLines(() => [`${seconds(Math.floor((performance.now() - startedAt) / 1000))} · ${what}`])
    },
    showLines,
    clear,
  }
}
