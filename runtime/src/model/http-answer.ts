/** Reads one HTTP/1.1 answer from the bytes of a connection, in whatever pieces they arrive. */
import { Buffer } from 'node:buffer'

/** As long as node:http allows. */
const HEAD_MAX = 16_384
const LINE_MAX = 1024
const LINE_END = '\r\n'
const [CR, LF] = Buffer.from(LINE_END)
const BEGINNING = 'HTTP/1.'
/** In a value; a bare line end may be an attempt to hide another header. */
const CONTROL = /[^\t\x20-\x7e\x80-\xff]/
/** The others are lists. */
const SINGLE = new Set(['content-type', 'retry-after'])
const NOTHING: Buffer = Buffer.alloc(0)

/** What comes next. `rest`: a body that ends with the connection. */
type Place = 'head' | 'body' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer' | 'rest' | 'over'

export class HttpAnswer {
  status = 0
  statusText = ''
  /** Names in lower case. */
  readonly headers = new Map<string, string>()
  #place: Place = 'head'
  /** Bytes of the body or of the chunk that are missing. */
  #missing = 0
  #unread = NOTHING
  #keepsOpen = false

  get hasHead(): boolean {
    return this.#place !== 'head'
  }

  get isOver(): boolean {
    return this.#place === 'over'
  }

  /** Whether the next request can use the same connection. */
  get keepsOpen(): boolean {
    return this.#keepsOpen && this.isOver && this.#unread.length === 0
  }

  /** Returns what belongs to the body. Throws when this is not HTTP. */
  take(bytes: Buffer): Buffer[] {
    const body: Buffer[] = []
    let unread = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes])
    for (let used = this.#step(unread, body); used > 0; used = this.#step(unread, body)) unread = unread.subarray(used)
    this.#unread = unread.length === 0 ? NOTHING : unread
    return body
  }

  /** The server closed the connection. False: the answer is incomplete. */
  close(): boolean {
    if (this.#place === 'rest') this.#place = 'over'
    return this.isOver
  }

  /** How many bytes were used; 0 when more are needed. */
  #step(bytes: Buffer, body: Buffer[]): number {
    switch (this.#place) {
      case 'head':
        return this.#readHead(bytes)
      case 'chunk-size':
        return this.#readLine(bytes, (line) => {
          const size = /^[\da-f]{1,12}(?=[ \t]*(?:;|$))/i.exec(line)?.[0]
          if (size === undefined) throw notHttp('the size of a chunk')
          this.#missing = Number.parseInt(size, 16)
          this.#place = this.#missing === 0 ? 'trailer' : 'chunk'
        })
      case 'chunk-end':
        return this.#readLine(bytes, (line) => {
          if (line !== '') throw notHttp('the end of a chunk')
          this.#place = 'chunk-size'
        })
      case 'trailer':
        return this.#readLine(bytes, (line) => {
          if (line === '') this.#place = 'over'
        })
      case 'body':
        return this.#readBody(bytes, { body, next: 'over' })
      case 'chunk':
        return this.#readBody(bytes, { body, next: 'chunk-end' })
      case 'rest':
        if (bytes.length > 0) body.push(bytes)
        return bytes.length
      case 'over':
        return 0
      default:
        return this.#place satisfies never
    }
  }

  #readBody(bytes: Buffer, { body, next }: { body: Buffer[]; next: Place }): number {
    const size = Math.min(bytes.length, this.#missing)
    if (size > 0) body.push(size === bytes.length ? bytes : bytes.subarray(0, size))
    this.#missing -= size
    if (this.#missing === 0) this.#place = next
    return size
  }

  #readLine(bytes: Buffer, read: (line: string) => void): number {
    const end = bytes.indexOf('\n')
    if (end > LINE_MAX || (end < 0 && bytes.length > LINE_MAX)) throw notHttp('a line that is too long')
    if (end < 0) return 0
    const line = bytes.toString('latin1', 0, end + 1)
    if (!line.endsWith(LINE_END)) throw notHttp('the end of a line')
    read(line.slice(0, -LINE_END.length))
    return end + 1
  }

  #readHead(bytes: Buffer): number {
    // Some servers end the answer before with one line too many.
    if (bytes[0] === CR && bytes[1] === LF) return LINE_END.length
    const end = bytes.indexOf('\r\n\r\n')
    if (end > HEAD_MAX || (end < 0 && bytes.length > HEAD_MAX)) throw notHttp('a head that is too long')
    if (end < 0) {
      checkBeginning(bytes)
      return 0
    }
    const [first = '', ...fields] = bytes.toString('latin1', 0, end).split(LINE_END)
    const [, minor, status, reason = ''] = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: (.*))?$/.exec(first) ?? []
    if (status === undefined) throw notHttp('the first line')
    this.#readFields(fields)
    this.status = Number(status)
    this.statusText = reason
    // The real answer follows. No other protocol was asked for.
    if (this.status < 200) {
      if (this.status === 101) throw notHttp('another protocol')
      this.headers.clear()
      return end + 4
    }
    const connection = this.headers.get('connection')?.toLowerCase() ?? ''
    this.#keepsOpen = minor === '1' ? !connection.includes('close') : connection.includes('keep-alive')
    this.#beginBody()
    return end + 4
  }

  #readFields(fields: readonly string[]): void {
    for (const field of fields) {
      const colon = field.indexOf(':')
      const name = field.slice(0, colon).toLowerCase()
      if (colon < 1 || !/^[^\s"(),/:;<=>?@[\\\]{}]+$/.test(name)) throw notHttp('a header')
      const value = field.slice(colon + 1).trim()
      if (CONTROL.test(value)) throw notHttp('a header')
      const known = this.headers.get(name)
      if (known !== undefined && known !== value && name === 'content-length') throw notHttp('two lengths')
      if (known === undefined) this.headers.set(name, value)
      else if (known !== value && !SINGLE.has(name)) this.headers.set(name, `${known}, ${value}`)
    }
  }

  #beginBody(): void {
    const coding = this.headers.get('transfer-encoding')?.toLowerCase()
    const length = this.headers.get('content-length')
    if (this.status === 204 || this.status === 304) this.#place = 'over'
    else if (coding !== undefined) {
      this.#place = /(?:^|,)\s*chunked$/.test(coding) ? 'chunk-size' : 'rest'
      // Others between here and the server may read the length instead.
      if (length !== undefined) this.#keepsOpen = false
    } else if (length === undefined) this.#place = 'rest'
    else {
      if (!/^\d{1,15}$/.test(length)) throw notHttp('the length')
      this.#missing = Number(length)
      this.#place = this.#missing === 0 ? 'over' : 'body'
    }
  }
}

/** What is not HTTP fails at once: waiting for the rest would last until the time limit. */
function checkBeginning(bytes: Buffer): void {
  const text = bytes.toString('latin1')
  const isAnswer = text === '\r' || BEGINNING.startsWith(text.slice(0, BEGINNING.length))
  if (!isAnswer) throw notHttp('the first line')
  if (/[^\r]\n/.test(text)) throw notHttp('the end of a line')
}

function notHttp(what: string): Error {
  return new Error(`the answer is not HTTP: ${what}`)
}
