/** The lines of a file, or of standard input for `-`. */
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type * as z from 'zod'
import { messageOf } from '../base/errors.ts'
import { WritError } from '../errors/writ-error.ts'
import { issueText } from '../i18n/form.ts'
import type { Io } from './io.ts'
import { cliTexts } from './texts.ts'

export async function* linesOf(file: string, io: Io): AsyncGenerator<string> {
  const { gate: texts } = cliTexts(io.lang)
  if (file === '-' && io.stdin().isTTY === true) io.stderr(`${texts.reading}\n`)
  const input: Readable = file === '-' ? io.stdin() : createReadStream(resolve(io.cwd, file))
  try {
    // A file that cannot be opened fails at the first read; readline would not report it.
    const failed = Promise.withResolvers<never>()
    failed.promise.catch(() => {})
    input.once('error', failed.reject)
    const lines = splitLines(input.setEncoding('utf8'))
    for (let first = true; ; first = false) {
      const next = await Promise.race([lines.next(), failed.promise])
      if (next.done === true) break
      // A byte order mark is not part of the text.
      yield first ? next.value.replace(/^\uFEFF/, '') : next.value
    }
  } catch (error) {
    if (error instanceof WritError) throw error
    throw new WritError('INPUT_UNREADABLE', { file, why: messageOf(error) }, { cause: error })
  }
}

/** Splits only at \n: U+2028 is legal inside a JSON string. */
async function* splitLines(input: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of input) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.replace(/\r$/, '')
  }
  if (rest !== '') yield rest
}

interface Reading {
  /** Each text is a non-blank line, or a whole file. */
  by: 'line' | 'file'
  work(text: string, where: string): void | Promise<void>
}

/**
 * Does the work for every text in the files, or in standard input when there are none. An invalid text does not stop
 * the others: each error is printed once, and the last one is thrown.
 */
export async function eachText(files: readonly string[], io: Io, { by, work }: Reading): Promise<void> {
  let lastError: WritError | undefined
  const collectError = async (part: () => void | Promise<void>) => {
    try {
      await part()
    } catch (error) {
      if (!(error instanceof WritError) || !/^(?:LINE_INVALID|INPUT_UNREADABLE)$/.test(error.code)) throw error
      if (lastError !== undefined) io.stderr(`${lastError.code}: ${lastError.textIn(io.lang).message}\n`)
      lastError = error
    }
  }
  for (const file of files.length === 0 ? ['-'] : files) {
    await collectError(async () => {
      const lines: string[] = []
      let number = 0
      for await (const line of linesOf(file, io)) {
        number++
        if (by === 'file') lines.push(line)
        else if (line.trim() !== '') await collectError(() => work(line, `${file}:${number}`))
      }
      if (by === 'file') await work(lines.join('\n'), file)
    })
  }
  if (lastError !== undefined) throw lastError
}

export function parseLine<T>(
  text: string,
  { schema, where, kind }: { schema: z.ZodType<T>; where: string; kind: 'trajectory' | 'text' | 'case' },
): T {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (cause) {
    throw new WritError('LINE_INVALID.json', { where, kind }, { cause })
  }
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const { path, ...about } = issue ?? { path: [], message: parsed.error.message }
  const why = { en: issueText(about, 'en'), zh: issueText(about, 'zh') }
  throw new WritError('LINE_INVALID.value', { where, path: pathOf(path), why, kind })
}

function pathOf(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return text === '' ? '.' : text.replace(/^\./, '')
}
