/** What a new embedded store consists of. The bundle contains it, because running all migrations takes longer. */
import { CompiledQuery } from 'kysely'
import type { Database } from './database.ts'
import { advance } from './migrations/all.ts'
import { readVersions } from './schema-version.ts'
import { openSqlite } from './sqlite.ts'

export interface NewStore {
  version: number
  /** Turn an empty database into a new store. */
  statements: string[]
  /** Its tables and indexes, comparable with those of other stores. */
  schema: string[]
  /** How many rows its tables have. */
  counts: string
}

let known: NewStore | undefined

/** Always the same. */
export async function newStore(): Promise<NewStore> {
  known ??= await derive()
  return known
}

async function derive(): Promise<NewStore> {
  const ours = openSqlite()
  try {
    await ours.rebuild(advance(ours))
    const versions = await ours.query(readVersions(ours))
    const rows = versions.map(
      ({ version, name }) => `insert into schema_version (version, name) values (${version}, '${name}')`,
    )
    const objects = (await ours.query(readSchema)).filter(({ sql }) => sql !== null)
    const created = withoutParts(objects).map(({ sql }) => sql ?? '')
    return {
      version: versions.length,
      statements: [...created, ...rows],
      schema: await schemaOf(ours),
      counts: await countsOf(ours),
    }
  } finally {
    await ours.close()
  }
}

export async function countsOf(db: Database): Promise<string> {
  const tables = withoutParts(await db.query(readSchema)).filter(({ type }) => type === 'table')
  const counts: string[] = []
  for (const { name } of tables) {
    // The id of the folder is not content.
    if (name === 'data_folder') continue
    const [row] = await db.query(
      CompiledQuery.raw(`select count(*) as n from "${name}"`) as CompiledQuery<{ n: number }>,
    )
    counts.push(`${name} ${row?.n}`)
  }
  return counts.sort().join('\n')
}

interface SchemaRow {
  type: string
  name: string
  tbl_name: string
  sql: string | null
}

/** Without the internal tables of a full-text index, which come and go with it. */
function withoutParts(objects: SchemaRow[]): SchemaRow[] {
  const indexes = objects.filter(({ sql }) => /^create virtual/i.test(sql ?? '')).map(({ name }) => name)
  return objects.filter(({ name }) => !indexes.some((index) => name.startsWith(`${index}_`)))
}

const readSchema = CompiledQuery.raw(
  `select type, name, tbl_name, sql from sqlite_master where name not like 'sqlite\\_%' escape '\\' order by rowid`,
) as CompiledQuery<SchemaRow>

export async function schemaOf(db: Database): Promise<string[]> {
  const rows = await db.query(readSchema)
  return rows.map(({ type, name, tbl_name, sql }) => JSON.stringify([type, name, tbl_name, plain(sql ?? '')]))
}

/** Older versions of Writ or SQLite may differ in spaces and quotes. */
function plain(sql: string): string {
  return sql.toLowerCase().replace(/["`\s]/g, '')
}
