/** The server log: one line per entry, as JSON or as text. */
import type { Redact } from '../journal/redact.ts'

export type Level = 'debug' | 'info' | 'warn' | 'error'
export type Fields = Readonly<Record<string, string | number | boolean | undefined>>
export type Log = (level: Level, what: string, fields?: Fields) => void

export function openLog({
  write,
  json,
  redact,
  now,
}: {
  write(line: string): void
  json: boolean
  redact: Redact
  now(): number
}): Log {
  return (level, what, fields = {}) => {
    const time = new Date(now()).toISOString()
    const safe = redact(fields)
    if (json) write(`${onOneLine({ time, level, what, ...safe })}\n`)
    // The text form leaves out successful requests.
    else if (level !== 'debug' && !(level === 'info' && what === 'request'))
      write(`${time} ${level.padEnd(5)} ${what}${wordsOf(safe)}\n`)
  }
}

function wordsOf(fields: Fields): string {
  return Object.entries(fields)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}=${printable(value)}`]))
    .join('')
}

/** Untrusted text may contain line breaks and forge a log line. */
function printable(value: string | number | boolean): string {
  const text = String(value)
  return /^[\x21-\x7e]*$/.test(text) && !text.includes('"') ? text : onOneLine(text)
}

/** JSON does not escape these characters, but some programs read them as line breaks. */
function onOneLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0085\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
