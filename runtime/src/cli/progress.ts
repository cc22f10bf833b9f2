/** Progress lines at the bottom of a terminal: what is running, and for how long. */
import { oneLine } from '../protocol/visible-text.ts'
import type { Io } from './io.ts'
import { mcpTexts } from './mcp-texts.ts'
import { cliTexts } from './texts.ts'
import { fit } from './visible.ts'

export interface Progress {
  show(what: string): void
  /** Several lines, computed for every frame. */
  showLines(lines: () => readonly string[]): void
  /** Removes it, so that other output can be printed. */
  clear(): void
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 100
const ERASE_ROW = '\x1b[K'
/**
 * Everything after the cursor: after a resize a line may be wrapped over more rows. Not from the first row: some
 * terminals add what is erased at the top of the screen to their scrollback.
 */
const ERASE_REST = '\x1b[J'

const NONE: Progress = { show: () => {}, showLines: () => {}, clear: () => {} }

/** Nothing without a terminal. */
export function progressOn(
  stream: NodeJS.WriteStream,
  { seconds, env }: { seconds(s: number): string; env: Readonly<Record<string, string | undefined>> },
): Progress {
  if (stream.isTTY !== true || env.TERM === 'dumb') return NONE
  let timer: NodeJS.Timeout | undefined
  let frame = 0
  let drawn = 1
  /** Leaves the cursor at the start of the first row. */
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

/** Shows which MCP servers are being connected to. */
export function connectingLine({ lang, env }: Pick<Io, 'lang' | 'env'>): (servers: readonly string[]) => void {
  const { watch } = cliTexts(lang)
  const progress = progressOn(process.stderr, { seconds: (s) => watch.seconds({ s }), env })
  return (servers) => {
    progress.clear()
    if (servers.length > 0) progress.show(mcpTexts(lang).connecting({ servers }))
  }
}
