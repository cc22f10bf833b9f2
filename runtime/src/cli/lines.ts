/** The lines of a file, or of standard input where the name is `-`. */
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type * as z from 'zod'
import { messageOf, WritError } from '../base/errors.ts'
import { issueText } from '../i18n/form.ts'
import type { Lang } from '../i18n/locale.ts'
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
    const lines = splitLines(input.setEncoding('utf8'))
    for (let first = true; ; first = false) {
      const next = await Promise.race([lines.next(), failed.promise])
      if (next.done === true) break
      // The mark with which some editors begin a file is no part of its text.
      yield first ? next.value.replace(/^\uFEFF/, '') : next.value
    }
  } catch (error) {
    if (error instanceof WritError) throw error
    throw new WritError('INPUT_UNREADABLE', texts.unreadable({ file, why: messageOf(error) }), { cause: error })
  }
}

/** A line ends at \n and nowhere else: inside a JSON string U+2028 is a letter like any other. */
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
  /** A text is a line, blank ones left out, or a whole file. */
  by: 'line' | 'file'
  work(text: string, where: string): void | Promise<void>
}

/**
 * Does the work for every text in the files, or in standard input where none is named. What is wrong with one keeps no
 * other from being done; each fault is told once, and the last of them thrown.
 */
export async function eachText(files: readonly string[], io: Io, { by, work }: Reading): Promise<void> {
  let fault: WritError | undefined
  const keepOn = async (part: () => void | Promise<void>) => {
    try {
      await part()
    } catch (error) {
      if (!(error instanceof WritError) || !/^(?:LINE_INVALID|INPUT_UNREADABLE)$/.test(error.code)) throw error
      if (fault !== undefined) io.stderr(`${fault.code}: ${fault.message}\n`)
      fault = error
    }
  }
  for (const file of files.length === 0 ? ['-'] : files) {
    await keepOn(async () => {
      const lines: string[] = []
      let number = 0
      for await (const line of linesOf(file, io)) {
        number++
        if (by === 'file') lines.push(line)
        else if (line.trim() !== '') await keepOn(() => work(line, `${file}:${number}`))
      }
      if (by === 'file') await work(lines.join('\n'), file)
    })
  }
  if (fault !== undefined) throw fault
}

/** What a line holds; a bad one is named by its place and the key in it. */
export function parseLine<T>(
  text: string,
  { schema, where, hint, lang }: { schema: z.ZodType<T>; where: string; hint: string; lang: Lang },
): T {
  const { gate: texts } = cliTexts(lang)
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (cause) {
    throw new WritError('LINE_INVALID', texts.notJson({ where }), { hint, cause })
  }
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const { path, ...about } = issue ?? { path: [], message: parsed.error.message }
  throw new WritError('LINE_INVALID', texts.bad({ where, path: pathOf(path), why: issueText(about, lang) }), { hint })
}

function pathOf(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return text === '' ? '.' : text.replace(/^\./, '')
}
