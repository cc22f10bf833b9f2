/** The body of an answer as it arrives. Pieces wait in a queue until they are read. */
import { Buffer } from 'node:buffer'

type Chunk = { done: false; value: Uint8Array } | { done: true; value: undefined }

/** The connection it comes from. */
export interface Source {
  resume(): void
  /** An answer that is not read to its end would keep its connection, and the provider would charge for the rest. */
  abandon(): void
}

const UTF8 = new TextDecoder()

export class HttpBody {
  readonly #source: Source
  readonly #queue: Uint8Array[] = []
  #isOver = false
  #failure: Error | undefined
  #reader: { resolve(chunk: Chunk): void; reject(error: Error): void } | undefined

  constructor(source: Source) {
    this.#source = source
  }

  /** False: it waits in the queue, and the source should pause. */
  push(value: Uint8Array): boolean {
    const reader = this.#reader
    this.#reader = undefined
    if (reader === undefined) this.#queue.push(value)
    else reader.resolve({ done: false, value })
    return reader !== undefined
  }

  end(failure?: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#failure = failure
    const reader = this.#reader
    this.#reader = undefined
    if (failure === undefined) reader?.resolve({ done: true, value: undefined })
    else reader?.reject(failure)
  }

  read(): Promise<Chunk> {
    const value = this.#queue.shift()
    if (value !== undefined) return Promise.resolve({ done: false, value })
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined })
    const { promise, resolve, reject } = Promise.withResolvers<Chunk>()
    this.#reader = { resolve, reject }
    this.#source.resume()
    return promise
  }

  async text(): Promise<string> {
    const parts: Uint8Array[] = []
    for (let chunk = await this.read(); !chunk.done; chunk = await this.read()) parts.push(chunk.value)
    return UTF8.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts))
  }

  getReader() {
    return {
      read: () => this.read(),
      cancel: async () => {
        if (!this.#isOver) this.#source.abandon()
      },
      releaseLock() {},
    }
  }
}
