/** A person at a terminal that can move its cursor: line editing, history, paste, and typing ahead. */
import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline'
import { PassThrough } from 'node:stream'
import { ABORT, type Input, type Line } from './input.ts'
import { makeSplitter, type Piece } from './pieces.ts'

const CTRL_C = '\x03'
const PASTE_ON = '\x1b[?2004h'
const PASTE_OFF = '\x1b[?2004l'
/** After one of these the line is settled, and what follows belongs to the next. */
const SETTLES = /\r\n?|[\n\x03]/

export interface KeyboardOptions {
  /** The latest first. */
  history(): string[]
  fold(pasted: string): string
  /** What a line may begin with; Tab completes it. */
  words: readonly string[]
}

interface Reader {
  keys: PassThrough
  lines: Interface
  settle(line: Line): void
}

export function openKeyboard({ history, fold, words }: KeyboardOptions): Input {
  const { stdin, stderr } = process
  const split = makeSplitter()
  let ahead: Piece[] = []
  let reader: Reader | undefined
  /** False once the current reader was given the end of its line. */
  let accepting = false
  let stop: (() => void) | undefined
  let over = false

  const onData = (chunk: string) => {
    for (const piece of split(chunk)) take(piece)
  }
  const take = (piece: Piece) => {
    if (reader === undefined && stop !== undefined && 'typed' in piece && piece.typed.includes(CTRL_C)) return halt()
    ahead.push(piece)
    if (reader !== undefined) feed()
    else if (stop !== undefined && saysAbort(ahead)) halt()
  }
  const halt = () => {
    ahead = []
    stop?.()
  }
  const feed = () => {
    while (reader !== undefined && accepting) {
      const piece = ahead.shift()
      if (piece === undefined) return
      if ('pasted' in piece) {
        reader.keys.write(fold(piece.pasted))
        continue
      }
      const end = SETTLES.exec(piece.typed)
      const cut = end === null ? piece.typed.length : end.index + end[0].length
      if (cut < piece.typed.length) ahead.unshift({ typed: piece.typed.slice(cut) })
      accepting = end === null
      reader.keys.write(piece.typed.slice(0, cut))
    }
  }
  const open = (prompt: string, past: string[]): Promise<Line> => {
    const { promise, resolve } = Promise.withResolvers<Line>()
    if (over) return Promise.resolve({ kind: 'end' })
    const keys = new PassThrough()
    const completer = (line: string): [string[], string] => [
      words.filter((word) => line !== '' && word.startsWith(line)),
      line,
    ]
    const size = { historySize: Math.max(1, past.length), removeHistoryDuplicates: true }
    const lines = createInterface({ input: keys, output: stderr, terminal: true, history: past, ...size, completer })
    // A terminal that grew or shrank has laid the line out anew, and the cursor stands in another row of it.
    const relay = () => Object.assign(lines, { prevRows: lines.getCursorPos().rows })
    stderr.prependListener('resize', relay)
    const settle = (line: Line) => {
      if (reader?.lines === lines) reader = undefined
      stderr.off('resize', relay)
      resolve(line)
      lines.close()
    }
    reader = { keys, lines, settle }
    accepting = true
    lines.on('line', (text) => settle({ kind: 'line', text }))
    lines.on('SIGINT', interrupt)
    lines.on('close', () => settle({ kind: 'end' }))
    lines.on('SIGTSTP', () => {
      stdin.setRawMode(false)
      process.once('SIGCONT', () => {
        stdin.setRawMode(true)
        lines.prompt(true)
      })
      // The whole group, as the terminal itself would: a launcher that waits for us stops too.
      process.kill(0, 'SIGTSTP')
    })
    lines.setPrompt(prompt)
    lines.prompt()
    return promise
  }
  const interrupt = () => {
    if (reader !== undefined) {
      stderr.write('\n')
      reader.settle({ kind: 'interrupt', empty: reader.lines.line === '' })
    } else halt()
  }
  const hangUp = () => {
    // The signal and the end of input may both say it; stopping twice would not wait for the turn.
    if (over) return
    over = true
    reader?.settle({ kind: 'end' })
    stop?.()
  }
  const letGo = () => {
    stderr.write(PASTE_OFF)
    stdin.setRawMode(false)
  }

  stdin.setEncoding('utf8')
  stdin.setRawMode(true)
  stderr.write(PASTE_ON)
  process.on('exit', letGo)
  stdin.on('data', onData)
  stdin.on('end', hangUp)
  stdin.on('error', hangUp)
  return {
    async readLine(prompt) {
      const line = open(prompt, history())
      feed()
      const read = await line
      if (read.kind === 'end' && !over) stderr.write('\n')
      return read
    },
    async readFresh(prompt, signal) {
      const earlier = ahead.splice(0)
      const line = open(prompt, [])
      const leave = () => reader?.settle({ kind: 'end' })
      if (signal.aborted) leave()
      signal.addEventListener('abort', leave, { once: true })
      const read = await line
      signal.removeEventListener('abort', leave)
      ahead.unshift(...earlier)
      if (read.kind === 'interrupt') halt()
      return read.kind === 'line' ? read.text : ''
    },
    setBusy(next) {
      stop = next
    },
    announce(text) {
      if (reader !== undefined) {
        moveCursor(stderr, 0, -reader.lines.getCursorPos().rows)
        cursorTo(stderr, 0)
        clearScreenDown(stderr)
        Object.assign(reader.lines, { prevRows: 0 })
      }
      stderr.write(`${text}\n`)
      reader?.lines.prompt(true)
    },
    interrupt,
    hangUp,
    close() {
      process.off('exit', letGo)
      stdin.off('data', onData)
      stdin.off('end', hangUp)
      stdin.off('error', hangUp)
      letGo()
      stdin.pause()
    },
  }
}

function saysAbort(pieces: readonly Piece[]): boolean {
  const typed = pieces.map((piece) => ('typed' in piece ? piece.typed : '')).join('')
  const lines = typed.split(/[\r\n]/)
  return lines.slice(0, -1).some((line) => line.trim() === ABORT)
}
