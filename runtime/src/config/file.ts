import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { messageOf } from '../base/errors.ts'
import { WritError } from '../errors/writ-error.ts'

const MAX_BYTES = 1_048_576

/** The text of a configuration file, or undefined when there is none. `check` throws for a file that must not be used. */
export async function readConfigText(file: string, check?: (stat: Stats) => void): Promise<string | undefined> {
  let handle: FileHandle
  try {
    // Non-blocking: opening a pipe would wait for its writer.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw unreadable(file, error)
  }
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw new WritError('CONFIG_UNREADABLE.notAFile', { file })
    check?.(stat)
    if (stat.size > MAX_BYTES) throw new WritError('CONFIG_UNREADABLE.tooLarge', { file, max: MAX_BYTES })
    const text = decode(await handle.readFile())
    if (text === undefined) throw new WritError('CONFIG_UNREADABLE.notText', { file })
    if (text.includes('\0')) throw new WritError('CONFIG_UNREADABLE.nul', { file })
    return text
  } catch (error) {
    throw error instanceof WritError ? error : unreadable(file, error)
  } finally {
    await handle.close()
  }
}

function unreadable(file: string, cause: unknown): WritError {
  return new WritError('CONFIG_UNREADABLE', { where: file, why: messageOf(cause) }, { cause })
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
