/** Messages of earlier chats, for the arrow keys. Stored beside the journal, without secrets. */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Redact } from '../../journal/redact.ts'

const MAX_LINES = 1000
const MAX_CHARS = 1000

export interface History {
  /** The latest first. */
  lines(): string[]
  add(line: string): void
}

/** Without a file, the history ends with the process. A file that cannot be written is ignored. */
export function openHistory(file: string | undefined, redact: Redact): History {
  const lines = file === undefined ? [] : read(file)
  return {
    lines: () => lines.toReversed(),
    add(line) {
      if (line.length > MAX_CHARS || line === lines.at(-1)) return
      lines.push(line)
      lines.splice(0, lines.length - MAX_LINES)
      if (file !== undefined) append(file, redact(line))
    },
  }
}

function read(file: string): string[] {
  try {
    const all = readFileSync(file, 'utf8').split('\n')
    return all.filter((line) => line !== '').slice(-MAX_LINES)
  } catch {
    return []
  }
}

/** Reads the file again first: another chat may have added to it. */
function append(file: string, line: string): void {
  const next = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(next, [...read(file), line].slice(-MAX_LINES).join('\n').concat('\n'), { mode: 0o600 })
    chmodSync(next, 0o600)
    renameSync(next, file)
  } catch {}
}
