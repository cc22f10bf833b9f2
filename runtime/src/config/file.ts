import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { messageOf, WritError } from '../base/errors.ts'
import { type Lang, messages } from '../i18n/locale.ts'

const MAX_BYTES = 1_048_576

/** The text of a configuration file, or undefined when there is none. */
export async function readConfigText(file: string, lang: Lang): Promise<string | undefined> {
  const texts = messages(lang).config.file
  const refuse = (message: string) => new WritError('CONFIG_UNREADABLE', message, { hint: texts.hint })
  let handle: FileHandle
  try {
    // Non-blocking, because opening a pipe would wait for a writer that may never come.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw refuse(texts.unreadable({ file, why: messageOf(error) }))
  }
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw refuse(texts.notAFile({ file }))
    if (stat.size > MAX_BYTES) throw refuse(texts.tooLarge({ file, max: MAX_BYTES }))
    const text = decode(await handle.readFile())
    if (text === undefined) throw refuse(texts.notUtf8({ file }))
    if (text.includes('\0')) throw refuse(texts.nul({ file }))
    return text
  } catch (error) {
    throw error instanceof WritError ? error : refuse(texts.unreadable({ file, why: messageOf(error) }))
  } finally {
    await handle.close()
  }
}

/** Undefined when the bytes are not UTF-8; a byte order mark is dropped. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
