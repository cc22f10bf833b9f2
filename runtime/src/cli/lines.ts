/** The lines of a file, or of standard input where the name is `-`. */
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { messageOf, WritError } from '../base/errors.ts'
import type { Io } from './io.ts'
import { cliTexts } from './texts.ts'

export async function* linesOf(file: string, io: Io): AsyncGenerator<string> {
  const { gate: texts } = cliTexts(io.lang)
  if (file === '-' && process.stdin.isTTY === true) io.stderr(`${texts.reading}\n`)
  const input: Readable = file === '-' ? process.stdin : createReadStream(resolve(io.cwd, file))
  try {
    // A file that cannot be opened fails at the first read, which readline would not tell.
    const failed = Promise.withResolvers<never>()
    failed.promise.catch(() => {})
    input.once('error', failed.reject)
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]()
    for (;;) {
      const next = await Promise.race([lines.next(), failed.promise])
      if (next.done === true) break
      yield next.value
    }
  } catch (error) {
    if (error instanceof WritError) throw error
    throw new WritError('INPUT_UNREADABLE', texts.unreadable({ file, why: messageOf(error) }), { cause: error })
  }
}
