/** A terminal that can move its cursor: line editing, history, paste, typing ahead. */
import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline'
import { PassThrough } from 'node:stream'
import { ABORT, type Input, type Line } from './input.ts'
import { makeSplitter, type Piece } from './pieces.ts'

const CTRL_C = '\x03'
const PASTE_ON = '\x1b[?2004h'
const PASTE_OFF = '\x1b[?2004l'
/** These end a line; what follows belongs to the next one. */
const LINE_END = /\r\n?|[\n\x03]/

export interface KeyboardOptions {
  /** The latest first. */
  history(): string[]
  fold(pasted: string): string
  /** Completions for Tab at the start of a line. */
  words: readonly string[]
}

interface Reader {
  keys: PassThrough
  lines: Interface
  settle(line: Line): void
}

export function openKeyboard(options: KeyboardOptions): Input {
  return new Keyboard(options)
}

class Keyboard implements Input {
  readonly #options: KeyboardOptions
  readonly #split = makeSplitter()
  /** Typed ahead, not yet read. */
  #ahead: Piece[] = []
  #reader: Reader | undefined
  /** False once the current reader has the end of its line. */
  #accepting = false
  #stop: (() => void) | undefined
  #over = false

  constructor(options: KeyboardOptions) {
    this.#options = options
    process.stdin.setEncoding('utf8')
    process.stdin.setRawMode(true)
    process.stderr.write(PASTE_ON)
    process.on('exit', restoreTerminal)
    process.stdin.on('data', this.#onData)
    process.stdin.on('end', this.hangUp)
    process.stdin.on('error', this.hangUp)
  }

  readonly readLine = async (prompt: string): Promise<Line> => {
    const line = this.#open(prompt, this.#options.history())
    this.#feed()
    const read = await line
    if (read.kind === 'end' && !this.#over) process.stderr.write('\n')
    return read
  }

  readonly readFresh = async (prompt: string, signal: AbortSignal, prefill = ''): Promise<string> => {
    const earlier = this.#ahead.splice(0)
    const line = this.#open(prompt, [])
    if (prefill !== '') this.#reader?.lines.write(prefill)
    const leave = () => this.#reader?.settle({ kind: 'end' })
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    const read = await line
    signal.removeEventListener('abort', leave)
    this.#ahead.unshift(...earlier)
    if (read.kind === 'interrupt') this.#halt()
    return read.kind === 'line' ? read.text : ''
  }

  readonly lend = async <T>(work: () => Promise<T>): Promise<T> => {
    process.stdin.off('data', this.#onData)
    restoreTerminal()
    process.stdin.pause()
    try {
      return await work()
    } finally {
      process.stdin.setRawMode(true)
      process.stderr.write(PASTE_ON)
      process.stdin.on('data', this.#onData)
      process.stdin.resume()
    }
  }

  readonly setBusy = (stop: (() => void) | undefined): void => {
    this.#stop = stop
  }

  readonly announce = (text: string): void => {
    const { stderr } = process
    const lines = this.#reader?.lines
    if (lines !== undefined) {
      moveCursor(stderr, 0, -lines.getCursorPos().rows)
      cursorTo(stderr, 0)
      clearScreenDown(stderr)
      Object.assign(lines, { prevRows: 0 })
    }
    stderr.write(`${text}\n`)
    lines?.prompt(true)
  }

  readonly interrupt = (): void => {
    if (this.#reader === undefined) {
      this.#halt()
      return
    }
    process.stderr.write('\n')
    this.#reader.settle({ kind: 'interrupt', empty: this.#reader.lines.line === '' })
  }

  readonly hangUp = (): void => {
    // Both the signal and the end of input call this; stopping twice would not wait for the turn.
    if (this.#over) return
    this.#over = true
    this.#reader?.settle({ kind: 'end' })
    this.#stop?.()
  }

  readonly close = (): void => {
    process.off('exit', restoreTerminal)
    process.stdin.off('data', this.#onData)
    process.stdin.off('end', this.hangUp)
    process.stdin.off('error', this.hangUp)
    restoreTerminal()
    process.stdin.pause()
  }

  readonly #onData = (chunk: string): void => {
    for (const piece of this.#split(chunk)) this.#take(piece)
  }

  #take(piece: Piece): void {
    const isBusy = this.#reader === undefined && this.#stop !== undefined
    if (isBusy && 'typed' in piece && piece.typed.includes(CTRL_C)) {
      this.#halt()
      return
    }
    this.#ahead.push(piece)
    if (this.#reader !== undefined) this.#feed()
    else if (isBusy && containsAbort(this.#ahead)) this.#halt()
  }

  #halt(): void {
    this.#ahead = []
    this.#stop?.()
  }

  /** Gives what was typed to the reader, up to the end of its line. */
  #feed(): void {
    while (this.#reader !== undefined && this.#accepting) {
      const piece = this.#ahead.shift()
      if (piece === undefined) return
      if ('pasted' in piece) {
        this.#reader.keys.write(this.#options.fold(piece.pasted))
        continue
      }
      const end = LINE_END.exec(piece.typed)
      const cut = end === null ? piece.typed.length : end.index + end[0].length
      if (cut < piece.typed.length) this.#ahead.unshift({ typed: piece.typed.slice(cut) })
      this.#accepting = end === null
      this.#reader.keys.write(piece.typed.slice(0, cut))
    }
  }

  #open(prompt: string, past: string[]): Promise<Line> {
    if (this.#over) return Promise.resolve({ kind: 'end' })
    const { promise, resolve } = Promise.withResolvers<Line>()
    const { stderr } = process
    const keys = new PassThrough()
    const size = { historySize: Math.max(1, past.length), removeHistoryDuplicates: true }
    const completer = (line: string): [string[], string] => [this.#completions(line), line]
    const lines = createInterface({ input: keys, output: stderr, terminal: true, history: past, ...size, completer })
    // After a resize the line is wrapped differently, and the cursor is in another row.
    const relay = () => Object.assign(lines, { prevRows: lines.getCursorPos().rows })
    stderr.prependListener('resize', relay)
    const settle = (line: Line) => {
      if (this.#reader?.lines === lines) this.#reader = undefined
      stderr.off('resize', relay)
      resolve(line)
      lines.close()
    }
    this.#reader = { keys, lines, settle }
    this.#accepting = true
    lines.on('line', (text) => settle({ kind: 'line', text }))
    lines.on('SIGINT', this.interrupt)
    lines.on('close', () => settle({ kind: 'end' }))
    lines.on('SIGTSTP', () => suspend(lines))
    lines.setPrompt(prompt)
    lines.prompt()
    return promise
  }

  #completions(line: string): string[] {
    return this.#options.words.filter((word) => line !== '' && word.startsWith(line))
  }
}

function suspend(lines: Interface): void {
  process.stdin.setRawMode(false)
  process.once('SIGCONT', () => {
    process.stdin.setRawMode(true)
    lines.prompt(true)
  })
  // The whole process group, like the terminal does, so that a waiting launcher stops too.
  process.kill(0, 'SIGTSTP')
}

function restoreTerminal(): void {
  process.stderr.write(PASTE_OFF)
  process.stdin.setRawMode(false)
}

function containsAbort(pieces: readonly Piece[]): boolean {
  const typed = pieces.map((piece) => ('typed' in piece ? piece.typed : '')).join('')
  const lines = typed.split(/[\r\n]/)
  return lines.slice(0, -1).some((line) => line.trim() === ABORT)
}
