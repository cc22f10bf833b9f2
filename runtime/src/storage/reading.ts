/** The way to a database for those who only look: any folder may be read, and none is changed by it. */
import { type DataPlace, openBound } from './acting.ts'
import { journalFile, lookAt } from './data-folder.ts'
import type { Database } from './database.ts'
import { openCopy } from './foreign.ts'
import { openDatabase } from './open.ts'

export type ReadingLocation = ({ kind: 'folder' } & DataPlace) | { kind: 'postgres'; url: string } | { kind: 'memory' }

/** One of our own as it stands, while others write; any other from a copy. */
export async function openForReading(location: ReadingLocation): Promise<Database> {
  if (location.kind !== 'folder') return openDatabase(location)
  return (await openOwn(location)) ?? (await openCopy(journalFile(location.data))).db
}

/** A file that holds the whole database and may be opened; `close` when it is no longer needed. */
export async function readableFile(place: DataPlace): Promise<{ file: string; close(): Promise<void> }> {
  const file = journalFile(place.data)
  const own = await openOwn(place)
  return own === undefined ? openCopy(file) : { file, close: () => own.close() }
}

/** Whatever keeps it from being used keeps nobody from reading a copy. */
async function openOwn(place: DataPlace): Promise<Database | undefined> {
  try {
    return await openBound(lookAt(place.data), place)
  } catch {
    return undefined
  }
}
