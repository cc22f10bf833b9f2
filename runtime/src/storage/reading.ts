/** Opens a database for reading only: any folder can be read, and none is changed. */
import { type DataPlace, openBound } from './acting.ts'
import { journalFile, lookAt } from './data-folder.ts'
import type { Database } from './database.ts'
import { openCopy } from './foreign.ts'
import { openDatabase } from './open.ts'

export type ReadingLocation = ({ kind: 'folder' } & DataPlace) | { kind: 'postgres'; url: string } | { kind: 'memory' }

/** A bound folder is read in place, while others write; any other from a copy. */
export async function openForReading(location: ReadingLocation): Promise<Database> {
  if (location.kind !== 'folder') return openDatabase(location)
  return (await openOwn(location)) ?? (await openCopy(journalFile(location.data))).db
}

/** A database file that can be opened; call `close` when done. */
export async function readableFile(place: DataPlace): Promise<{ file: string; close(): Promise<void> }> {
  const file = journalFile(place.data)
  const own = await openOwn(place)
  return own === undefined ? openCopy(file) : { file, close: () => own.close() }
}

/** A folder that cannot be used can still be read from a copy. */
async function openOwn(place: DataPlace): Promise<Database | undefined> {
  try {
    return await openBound(lookAt(place.data), place)
  } catch {
    return undefined
  }
}
