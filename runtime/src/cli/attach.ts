/** Files the user attaches. The path is the user's own act, so it may be anywhere; only regular files are read. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type AttachedFile, assertTotal } from '../agent/attachments.ts'
import { messageOf } from '../base/errors.ts'
import { WritError } from '../errors/writ-error.ts'
import { HEAD_BYTES, mediaTypeOf } from '../tool/media/media-type.ts'
import { assertSize } from '../tool/media/read-media.ts'
import type { Io } from './io.ts'

export async function readAttachments(paths: readonly string[], { cwd }: Pick<Io, 'cwd'>): Promise<AttachedFile[]> {
  const files: AttachedFile[] = []
  for (const path of paths) files.push(await readAttachment(path, cwd))
  assertTotal(files)
  return files
}

async function readAttachment(path: string, cwd: string): Promise<AttachedFile> {
  const name = basename(path)
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer forever.
    const file = await open(resolve(cwd, path), constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stat = await file.stat()
      if (!stat.isFile()) throw new WritError('ATTACHMENT_INVALID.notAFile', { file: path })
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      const type = mediaTypeOf(buffer.subarray(0, bytesRead))
      if (type === undefined) throw new WritError('ATTACHMENT_INVALID.type', { name })
      assertSize(name, type, stat.size)
      return { name, bytes: await file.readFile() }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof WritError) throw error
    throw new WritError('ATTACHMENT_INVALID.file', { file: path, why: messageOf(error) }, { cause: error })
  }
}

/** As a shell reads it, and as terminals paste it: in quotes, with escaped spaces, from the home folder. */
export function typedPath(text: string, home: string): string {
  const [, quoted] = /^(?:'([^']*)'|"([^"]*)")$/.exec(text)?.filter((part) => part !== undefined) ?? []
  const path = quoted ?? text.replace(/\\(.)/g, '$1')
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path
}
