/** The bytes of pictures and PDFs, beside the long results of their run: `<data>/results/<session>/<run>/<sha256>`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../base/hash.ts'
import { writePrivately } from '../base/private-file.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Media } from '../protocol/media.ts'
import { runFolder } from './result-files.ts'

export interface MediaFiles {
  write(sessionId: string, media: Media, bytes: Uint8Array): Promise<void>
  /** Throws MEDIA_GONE when the file is missing or was changed. */
  read(sessionId: string, media: Media): Promise<Uint8Array>
}

/** Without a data folder they are kept in memory, as the journal is. */
export function mediaFiles(data: string | undefined): MediaFiles {
  const { write, read } = data === undefined ? inMemory() : inFolder(data)
  return {
    write,
    async read(sessionId, media) {
      const bytes = await read(sessionId, media).catch(() => undefined)
      if (bytes !== undefined && sha256(bytes) === media.sha256) return bytes
      throw new WritError('MEDIA_GONE', { name: media.name, sha256: media.sha256 })
    },
  }
}

interface Place {
  write: MediaFiles['write']
  read(sessionId: string, media: Media): Promise<Uint8Array | undefined>
}

function inFolder(data: string): Place {
  // A history may be given by a caller, with any name as the hash.
  const fileOf = (sessionId: string, { runId, sha256: name }: Media) =>
    join(runFolder(data, { sessionId, runId }), /^[0-9a-f]{64}$/.test(name) ? name : 'none')
  return {
    write: (sessionId, media, bytes) => writePrivately(fileOf(sessionId, media), bytes),
    read: (sessionId, media) => readFile(fileOf(sessionId, media)),
  }
}

function inMemory(): Place {
  const kept = new Map<string, Uint8Array>()
  const keyOf = (sessionId: string, { runId, sha256: name }: Media) => JSON.stringify([sessionId, runId, name])
  return {
    async write(sessionId, media, bytes) {
      kept.set(keyOf(sessionId, media), bytes)
    },
    read: async (sessionId, media) => kept.get(keyOf(sessionId, media)),
  }
}
