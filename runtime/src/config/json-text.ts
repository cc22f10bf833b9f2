/** Parses JSON and records the position of each value, so that every problem can name its line. */
export interface Position {
  line: number
  column: number
}

export type JsonFault = 'syntax' | 'end' | 'duplicate' | 'forbidden' | 'depth'

/** The text is not JSON; `where` is the first wrong character. */
export class JsonTextError extends Error {
  readonly where: Position
  readonly fault: JsonFault
  readonly found: string

  constructor(fault: JsonFault, where: Position, found: string) {
    super(`${fault} at ${where.line}:${where.column}`)
    this.name = 'JsonTextError'
    this.fault = fault
    this.where = where
    this.found = found
  }
}

export interface JsonText {
  value: unknown
  /** Position of the value at a path, or of its nearest existing ancestor. */
  locate(path: readonly PropertyKey[]): Position
}

/** Deeper values would overflow the stack of later code. */
const MAX_DEPTH = 64
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const WORD = /true|false|null/y
const SPACE = /[ \t\r\n]*/y

export function parseJson(text: string): JsonText {
  const starts = new Map<string, number>()
  let at = 0

  function fail(fault: JsonFault, from = at): never {
    const end = fault === 'syntax' && from >= text.length
    throw new JsonTextError(end ? 'end' : fault, position(text, from), text.slice(from, from + 1))
  }

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }

  function accept(mark: string): boolean {
    take(SPACE)
    if (text[at] !== mark) return false
    at++
    return true
  }

  function readString(): string {
    take(SPACE)
    const literal = take(STRING)
    return literal === undefined ? fail('syntax') : String(JSON.parse(literal))
  }

  function readValue(path: string[]): unknown {
    if (path.length > MAX_DEPTH) fail('depth')
    take(SPACE)
    starts.set(path.join('\n'), at)
    if (accept('{')) return readObject(path)
    if (accept('[')) return readList(path)
    if (text[at] === '"') return readString()
    const literal = take(NUMBER) ?? take(WORD)
    return literal === undefined ? fail('syntax') : JSON.parse(literal)
  }

  function readObject(path: string[]): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    if (accept('}')) return object
    do {
      take(SPACE)
      const keyAt = at
      const key = readString()
      // The last duplicate key would win silently, and a reviewer may have read the first.
      if (Object.hasOwn(object, key)) fail('duplicate', keyAt)
      if (key === '__proto__') fail('forbidden', keyAt)
      if (!accept(':')) fail('syntax')
      object[key] = readValue([...path, key])
    } while (accept(','))
    return accept('}') ? object : fail('syntax')
  }

  function readList(path: string[]): unknown[] {
    const list: unknown[] = []
    if (accept(']')) return list
    do {
      list.push(readValue([...path, String(list.length)]))
    } while (accept(','))
    return accept(']') ? list : fail('syntax')
  }

  const value = readValue([])
  take(SPACE)
  if (at < text.length) fail('syntax')
  return { value, locate: (path) => position(text, nearestStart(starts, path.map(String))) }
}

function nearestStart(starts: Map<string, number>, path: string[]): number {
  for (let length = path.length; length > 0; length--) {
    const start = starts.get(path.slice(0, length).join('\n'))
    if (start !== undefined) return start
  }
  return 0
}

function position(text: string, offset: number): Position {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - lineStart + 1 }
}
