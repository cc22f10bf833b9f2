import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from './schema.ts'

type Builder = Kysely<Tables>

class Slot {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}

/** A query that is compiled once per database and filled with the values of each call: compiling costs more than executing. */
export function compiledOnce<V extends object, Row>(
  make: (build: Builder, value: <K extends keyof V>(name: K) => RawBuilder<V[K]>) => CompiledQuery<Row>,
): (build: Builder, values: V) => CompiledQuery<Row> {
  const known = new WeakMap<Builder, CompiledQuery<Row>>()
  return (build, values) => {
    const query = known.get(build) ?? make(build, (name) => sql`${new Slot(name)}`)
    known.set(build, query)
    const parameters = query.parameters.map((one) => (one instanceof Slot ? values[one.name as keyof V] : one))
    return { ...query, parameters }
  }
}
