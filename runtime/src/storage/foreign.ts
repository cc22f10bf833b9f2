/** A database that may come from anywhere: read from a private copy, and held against the schema we know. */
import { chmodSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import { WritError } from '../base/errors.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { explain, openSqlite } from './sqlite.ts'

const ATTEMPTS = 5

export interface Copy {
  db: Database
  file: string
  /** Of the files as they were when they were copied. */
  stamp: string
  close(): Promise<void>
}

/** Brought up to date in the copy; nothing is written where the file is. Refuses a schema that is not ours. */
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

/** A pipe or a device would never come to an end. */
function demandFile(file: string): void {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat?.isFile()) return
  throw new WritError('STORE_UNREACHABLE', `the store cannot be opened: ${file}`, {
    hint: 'Check the path and its permissions.',
  })
}

/** Changes whenever the database or its log does. */
export function stampOf(file: string): string {
  return ['', '-wal', '-journal']
    .map((end) => statSync(`${file}${end}`, { throwIfNoEntry: false, bigint: true }))
    .map((stat) => (stat === undefined ? '-' : `${stat.ino}:${stat.size}:${stat.mtimeNs}`))
    .join(' ')
}

/** Another process may write meanwhile; a database and a log of different moments do not fit together. */
function copySettled(file: string, copy: string): string {
  for (let attempt = 1; ; attempt++) {
    const before = stampOf(file)
    for (const end of ['', '-wal', '-journal']) {
      rmSync(`${copy}${end}`, { force: true })
      if (!existsSync(`${file}${end}`)) continue
      copyFileSync(`${file}${end}`, `${copy}${end}`, constants.COPYFILE_FICLONE)
      // A copy takes over the mode, and one that may not be written cannot be brought up to date.
      chmodSync(`${copy}${end}`, 0o600)
    }
    if (stampOf(file) === before || attempt === ATTEMPTS) return before
  }
}

/** Triggers, views and tables of another make would act in our name with the first row we write. */
export async function demandOurSchema(db: Database, file: string): Promise<void> {
  const [known, found] = await besideNew(db, schemaOf)
  if (found.every((object) => known.includes(object)) && known.every((object) => found.includes(object))) return
  throw new WritError('DATA_FOREIGN', `the tables in ${file} are not those of a Writ store`, {
    hint: 'Use another data folder; Writ does not work with this one.',
  })
}

/** No table has more in it than it has in a new store, so that nothing can come of it. Its schema is ours. */
export async function isEmptyStore(db: Database): Promise<boolean> {
  const [fresh, found] = await besideNew(db, countsOf)
  return found === fresh
}

/** The same read from a store that was just made, and from this one. */
async function besideNew<T>(db: Database, read: (db: Database) => Promise<T>): Promise<[T, T]> {
  const ours = openSqlite()
  try {
    await migrate(ours)
    return [await read(ours), await read(db)]
  } finally {
    await ours.close()
  }
}

async function countsOf(db: Database): Promise<string> {
  const tables = (await db.query(readSchema)).filter(({ type }) => type === 'table')
  const indexes = tables.filter(({ sql }) => /^create virtual/i.test(sql ?? '')).map(({ name }) => name)
  const counts: string[] = []
  for (const { name } of tables) {
    // The parts an index is made of are counted with it; the id of the folder is no content.
    if (name === 'data_folder' || indexes.some((index) => name.startsWith(`${index}_`))) continue
    const [row] = await db.query(
      CompiledQuery.raw(`select count(*) as n from "${name}"`) as CompiledQuery<{ n: number }>,
    )
    counts.push(`${name} ${row?.n}`)
  }
  return counts.sort().join('\n')
}

const readSchema = CompiledQuery.raw(
  `select type, name, tbl_name, sql from sqlite_master where name not like 'sqlite\\_%' escape '\\'`,
) as CompiledQuery<{ type: string; name: string; tbl_name: string; sql: string | null }>

async function schemaOf(db: Database): Promise<string[]> {
  const rows = await db.query(readSchema)
  return rows.map(({ type, name, tbl_name, sql }) => JSON.stringify([type, name, tbl_name, plain(sql ?? '')]))
}

/** An older Writ or an older SQLite may have set blanks and quotes differently. */
function plain(sql: string): string {
  return sql.toLowerCase().replace(/["`\s]/g, '')
}
