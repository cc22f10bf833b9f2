/**
 * Connections to a server, kept open between requests. One request at a time uses a connection; node:http would take
 * four times as much processor time for each, as much as everything else that a step does besides its commit.
 */
import type { Buffer } from 'node:buffer'
import type { Socket } from 'node:net'
import { HttpAnswer } from './http-answer.ts'

export interface Place {
  isTls: boolean
  host: string
  port: number
}

/** What a request hears of its connection. */
export interface Listener {
  onHead(answer: HttpAnswer): void
  /** False: the connection pauses until `resume`. */
  onPiece(piece: Buffer): boolean
  /** The last call. */
  onEnd(failure?: Error): void
  onSilence(): void
}

/** Servers say how long they wait for the next request; it must arrive before that. */
const BUFFER_MS = 1000

const idle = new Map<string, Connection[]>()

/** One that is open already, if there is one. */
export function connectionTo(place: Place): Connection {
  const kept = idle.get(keyOf(place)) ?? []
  for (let last = kept.pop(); last !== undefined; last = kept.pop()) {
    if (last.isUsable()) return last
    last.destroy()
  }
  return new Connection(place)
}

function keyOf({ isTls, host, port }: Place): string {
  return `${isTls} ${host} ${port}`
}

/** With it, the next connection to a server needs less of a handshake. */
const sessions = new Map<string, Buffer>()

/** Loaded on first use: most commands connect to nothing. */
function connect(place: Place): Socket {
  const { isTls, host, port } = place
  const { connect: open, isIP } = process.getBuiltinModule('node:net')
  if (!isTls) return open({ host, port, noDelay: true, keepAlive: true })
  const key = keyOf(place)
  const session = sessions.get(key)
  const { connect: openTls } = process.getBuiltinModule('node:tls')
  const options = { host, port, ALPNProtocols: ['http/1.1'], ...(isIP(host) === 0 && { servername: host }) }
  const socket = openTls({ ...options, ...(session !== undefined && { session }) })
  socket.on('session', (next: Buffer) => sessions.set(key, next))
  return socket.setNoDelay(true).setKeepAlive(true)
}

export class Connection {
  readonly #key: string
  readonly #socket: Socket
  #answer = new HttpAnswer()
  #listener: Listener | undefined
  /** By `performance.now`. */
  #usableUntil = Number.POSITIVE_INFINITY

  constructor(place: Place) {
    this.#key = keyOf(place)
    this.#socket = connect(place)
    this.#socket.on('data', (bytes: Buffer) => this.#read(bytes))
    this.#socket.on('end', () => this.destroy(this.#answer.close() ? undefined : cut()))
    this.#socket.on('error', (error) => this.destroy(error))
    this.#socket.on('close', () => {
      this.destroy(cut())
      const kept = idle.get(this.#key) ?? []
      if (kept.includes(this)) kept.splice(kept.indexOf(this), 1)
    })
    this.#socket.on('timeout', () => this.#listener?.onSilence())
  }

  isUsable(): boolean {
    return !this.#socket.destroyed && this.#socket.writable && performance.now() < this.#usableUntil
  }

  send(
    head: string,
    { body, listener, idleMs = 0 }: { body?: Uint8Array | undefined; listener: Listener; idleMs?: number | undefined },
  ): void {
    this.#answer = new HttpAnswer()
    this.#listener = listener
    const socket = this.#socket
    socket.ref()
    socket.setTimeout(idleMs)
    socket.cork()
    socket.write(head, 'latin1')
    if (body !== undefined) socket.write(body)
    socket.uncork()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Ends the request, if there is one. */
  destroy(failure?: Error): void {
    const listener = this.#listener
    this.#listener = undefined
    this.#socket.destroy()
    // A server that refuses the session would refuse it at every retry.
    if (listener !== undefined && failure !== undefined) sessions.delete(this.#key)
    listener?.onEnd(failure)
  }

  #read(bytes: Buffer): void {
    const answer = this.#answer
    const listener = this.#listener
    if (listener === undefined) {
      // Nothing was asked.
      this.destroy()
      return
    }
    try {
      const hadHead = answer.hasHead
      const pieces = answer.take(bytes)
      if (!hadHead && answer.hasHead) listener.onHead(answer)
      let isRead = true
      for (const piece of pieces) isRead = listener.onPiece(piece)
      if (!answer.isOver) {
        if (!isRead) this.#socket.pause()
        return
      }
      this.#listener = undefined
      this.#keep()
      listener.onEnd()
    } catch (error) {
      this.destroy(error as Error)
    }
  }

  #keep(): void {
    const socket = this.#socket
    const seconds = /\btimeout=(\d{1,9})/i.exec(this.#answer.headers.get('keep-alive') ?? '')?.[1]
    this.#usableUntil =
      performance.now() + (seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1000 - BUFFER_MS)
    // A server may answer before it has read all of the request.
    if (!this.#answer.keepsOpen || socket.writableLength > 0 || !this.isUsable()) {
      socket.destroy()
      return
    }
    socket.setTimeout(0)
    socket.unref()
    // It must hear that the server closes it.
    socket.resume()
    const kept = idle.get(this.#key) ?? []
    kept.push(this)
    idle.set(this.#key, kept)
  }
}

/** As Node names it; the provider has received the request and may charge for it. */
function cut(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })
}
