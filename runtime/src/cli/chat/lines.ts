/** Plain lines: from a pipe, or from a terminal that cannot move its cursor. */
import { createInterface } from 'node:readline'
import type { Io } from '../io.ts'
import { ABORT, type Input, type Line } from './input.ts'

export function openLines(io: Io, { person }: { person: boolean }): Input {
  const queue: string[] = []
  let waiting: ((line: Line) => void) | undefined
  let stop: (() => void) | undefined
  let over = false
  let hungUp = false

  const give = (line: Line) => {
    const to = waiting
    waiting = undefined
    to?.(line)
  }
  const wait = (prompt: string) => {
    const { promise, resolve } = Promise.withResolvers<Line>()
    if (person) io.stderr(prompt)
    if (over) resolve({ kind: 'end' })
    else waiting = resolve
    return promise
  }
  const end = () => {
    over = true
    give({ kind: 'end' })
  }
  const hangUp = () => {
    if (hungUp) return
    hungUp = true
    queue.length = 0
    end()
    stop?.()
  }
  const reader = createInterface({ input: io.stdin(), terminal: false, crlfDelay: Number.POSITIVE_INFINITY })
  reader.on('line', (text) => {
    if (waiting !== undefined) give({ kind: 'line', text })
    else if (person && stop !== undefined && text.trim() === ABORT) stop()
    else queue.push(text)
  })
  reader.on('close', end)
  return {
    readLine(prompt) {
      const text = queue.shift()
      return text === undefined ? wait(prompt) : Promise.resolve({ kind: 'line', text })
    },
    async readFresh(prompt, signal) {
      const leave = () => give({ kind: 'end' })
      const line = wait(prompt)
      if (signal.aborted) leave()
      signal.addEventListener('abort', leave, { once: true })
      const read = await line
      signal.removeEventListener('abort', leave)
      return read.kind === 'line' ? read.text : ''
    },
    async lend(work) {
      reader.pause()
      try {
        return await work()
      } finally {
        reader.resume()
      }
    },
    setBusy(next) {
      stop = next
    },
    announce: (text) => io.stderr(`\n${text}\n`),
    interrupt() {
      if (!person) return hangUp()
      io.stderr('\n')
      if (stop !== undefined) stop()
      else give({ kind: 'interrupt', empty: true })
    },
    hangUp,
    close: () => reader.close(),
  }
}
