import type { CompiledQuery } from 'kysely'
import { WritError } from '../errors/writ-error.ts'
import type { Database } from './database.ts'

interface Version {
  version: number
  name: string
}

/** The migrations that have run, in order. */
export function readVersions({ sql }: Database): CompiledQuery<Version> {
  return sql.selectFrom('schema_version').select(['version', 'name']).orderBy('version').compile()
}

export function isCurrent(done: readonly Version[], known: number): boolean {
  const newest = done.at(-1)
  if (newest !== undefined && newest.version > known) throw new WritError('STORE_TOO_NEW', { ...newest, known })
  return done.length === known
}
