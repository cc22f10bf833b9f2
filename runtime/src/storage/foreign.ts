/** A database of unknown origin: read from a private copy, and compared with our schema. */
import { chmodSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WritError } from '../errors/writ-error.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { countsOf, newStore, schemaOf } from './new-store.ts'
import { explain, openSqlite } from './sqlite.ts'

const ATTEMPTS = 5

export interface Copy {
  db: Database
  file: string
  /** State of the files when they were copied. */
  stamp: string
  close(): Promise<void>
}

/** Migrated in the copy; the original is not written. Rejects an unknown schema. */
export async function openCopy(file: string): Promise<Copy> {
  demandFile(file)
  const folder = mkdtempSync(join(tmpdir(), 'writ-read-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const copy = join(folder, 'journal.db')
  try {
    const stamp = copySettled(file, copy)
    const db = openSqlite(copy)
    try {
      await migrate(db)
      await demandOurSchema(db, file)
    } catch (error) {
      await db.close()
      throw error
    }
    const close = async () => {
      await db.close()
      remove()
    }
    return { db: { ...db, close }, file: copy, stamp, close }
  } catch (error) {
    remove()
    throw explain(error, file)
  }
}

/** A pipe or a device would never end. */
function demandFile(file: string): void {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat?.isFile()) return
  throw new WritError('STORE_UNREACHABLE.link', { where: file })
}

/** Changes whenever the database or its log does. */
export function stampOf(file: string): string {
  return ['', '-wal', '-journal']
    .map((end) => statSync(`${file}${end}`, { throwIfNoEntry: false, bigint: true }))
    .map((stat) => (stat === undefined ? '-' : `${stat.ino}:${stat.size}:${stat.mtimeNs}`))
    .join(' ')
}

/** Another process may write in the meantime; the database and the log must be of the same moment. */
function copySettled(file: string, copy: string): string {
  for (let attempt = 1; ; attempt++) {
    const before = stampOf(file)
    for (const end of ['', '-wal', '-journal']) {
      rmSync(`${copy}${end}`, { force: true })
      if (!existsSync(`${file}${end}`)) continue
      copyFileSync(`${file}${end}`, `${copy}${end}`, constants.COPYFILE_FICLONE)
      // A copy has the same mode, and a read-only one cannot be migrated.
      chmodSync(`${copy}${end}`, 0o600)
    }
    if (stampOf(file) === before || attempt === ATTEMPTS) return before
  }
}

/** Foreign triggers, views and tables would take effect with the first row we write. */
export async function demandOurSchema(db: Database, file: string): Promise<void> {
  const [known, found] = [(await newStore()).schema, await schemaOf(db)]
  if (found.every((object) => known.includes(object)) && known.every((object) => found.includes(object))) return
  throw new WritError('DATA_FOREIGN', { file })
}

/** Every table has as many rows as in a new store, so it has no effect. The schema was checked. */
export async function isEmptyStore(db: Database): Promise<boolean> {
  return (await countsOf(db)) === (await newStore()).counts
}
