/** Queries for lists of sessions and runs, and for following a session. */
import { type CompiledQuery, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { RunFilter, SessionFilter } from '../journal/store.ts'
import { EVERYONE, LOCAL, type Whose } from '../protocol/principal.ts'
import { compiledOnce } from './compiled-once.ts'
import type { EventTable, RunTable, Tables } from './schema.ts'

type Builder = Kysely<Tables>

export function readPlaced(
  build: Builder,
  sessionId: string,
  { after, limit }: { after: number; limit: number },
): CompiledQuery<Selectable<EventTable>> {
  return build
    .selectFrom('events')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('pos', '>', after)
    .orderBy('pos')
    .limit(limit)
    .compile()
}

export function lastPlace(build: Builder, sessionId: string): CompiledQuery<{ pos: number | null }> {
  return build
    .selectFrom('events')
    .where('session_id', '=', sessionId)
    .select((of) => of.fn.max('pos').as('pos'))
    .compile()
}

export function lastSeq(build: Builder, runId: string): CompiledQuery<{ seq: number | null }> {
  return build
    .selectFrom('events')
    .where('run_id', '=', runId)
    .select((of) => of.fn.max('seq').as('seq'))
    .compile()
}

/** Unordered: to save sorting, SQLite would use another index and read all events of the runs. */
export function readOf(
  build: Builder,
  runIds: readonly string[],
  types: readonly string[],
): CompiledQuery<Selectable<EventTable>> {
  return build
    .selectFrom('events')
    .selectAll()
    .where('run_id', 'in', runIds)
    .where('type', 'in', types)
    .where(types.some((type) => OF_EVERY_STEP.includes(type)) ? sql<boolean>`1 = 1` : RARE)
    .compile()
}

const OF_EVERY_STEP = ['model.requested', 'model.replied', 'gate.decided', 'tool.call', 'tool.result']
/** Literally the condition of the index: a database uses one with a condition only when it can see that it applies. */
const RARE = sql<boolean>`type not in (${sql.join(OF_EVERY_STEP.map((type) => sql.lit(type)))})`

export interface CodeRow {
  run_id: string
  reason: string
  count: number
}

export function countCodes(build: Builder, runIds: readonly string[]): CompiledQuery<CodeRow> {
  const [runId, ...more] = runIds
  if (runId !== undefined && more.length === 0) return codesOfRun(build, { runId })
  return codes(build).where('run_id', 'in', runIds).compile()
}

/** Asked at the end of every run. */
const codesOfRun = compiledOnce<{ runId: string }, CodeRow>((build, value) =>
  codes(build).where('run_id', '=', value('runId')).compile(),
)

/** A reason is stored as JSON text; `""` means none. */
function codes(build: Builder) {
  return (
    build
      .selectFrom('events')
      // Literally the conditions of the index.
      .where(sql<boolean>`type in ('tool.result', 'action.denied') and reason <> '""'`)
      .groupBy(['run_id', 'reason'])
      .select(['run_id', 'reason', sql<number>`count(*)`.as('count')])
  )
}

export interface SessionListRow {
  session_id: string
  started_at: number
  last_at: number
  runs: number
  first_run_id: string
}

export function listSessions(build: Builder, filter: SessionFilter): CompiledQuery<SessionListRow> {
  const { mode, whose, limit, before, words = [] } = filter
  const last = sql<number>`max(coalesce(runs.stopped_at, runs.started_at))`
  let query = build
    .selectFrom('runs')
    .innerJoin('events', (join) => join.onRef('events.run_id', '=', 'runs.run_id').on('events.seq', '=', 1))
    .where('events.mode', '=', mode)
    .where('runs.parent_run_id', 'is', null)
    .groupBy('runs.session_id')
    .select([
      'runs.session_id',
      sql<number>`min(runs.started_at)`.as('started_at'),
      last.as('last_at'),
      sql<number>`count(*)`.as('runs'),
      // Ids begin with their creation time.
      sql<string>`min(runs.run_id)`.as('first_run_id'),
    ])
    .orderBy(last, 'desc')
    .orderBy('runs.session_id', 'desc')
    .limit(limit)
  if (before !== undefined) {
    const { lastAt, sessionId } = before
    query = query.having(({ eb, or, and }) =>
      or([eb(last, '<', lastAt), and([eb(last, '=', lastAt), eb('runs.session_id', '<', sessionId)])]),
    )
  }
  for (const word of words) query = query.where(hasWord(build, word))
  return query.where(ownedBy('runs', whose)).compile()
}

/** `{"input":` and the quote before the message: they are the same in every row. */
const INPUT_AT = '{"input":"'.length + 1

function hasWord(build: Builder, word: string) {
  // As it is stored: as JSON. Letters outside ASCII are compared as they are written.
  const stored = JSON.stringify(word.toLowerCase()).slice(1, -1)
  const pattern = `%${stored.replace(/[\\%_]/g, '\\$&')}%`
  const isLike = (text: RawBuilder<unknown>) => sql<boolean>`lower(${text}) like ${pattern} escape '\\'`
  // A turn is recorded at the beginning of its run.
  const said = build
    .selectFrom('runs as told')
    .innerJoin('events as turn', (join) => join.onRef('turn.run_id', '=', 'told.run_id').on('turn.seq', '<=', 3))
    .select('told.session_id')
    .where('turn.type', '=', 'turn.started')
    .where(isLike(sql`substr(turn.data, ${sql.lit(INPUT_AT)})`))
  const named = build.selectFrom('session_owners').select('session_id').where(isLike(sql`title`))
  return sql<boolean>`(runs.session_id in ${said} or runs.session_id in ${named})`
}

export function listRuns(build: Builder, filter: RunFilter): CompiledQuery<RunTable> {
  const [parent, ...more] = [filter.parentRunId ?? []].flat()
  const isAlone = more.length === 0 && Object.keys(filter).length === 1
  return parent !== undefined && isAlone ? childRuns(build, { parent }) : listedRuns(build, filter)
}

/** Asked at the end of every run. */
const childRuns = compiledOnce<{ parent: string }, RunTable>((build, value) =>
  build
    .selectFrom('runs')
    .selectAll()
    .where('parent_run_id', '=', value('parent'))
    .orderBy('started_at', 'desc')
    .orderBy('run_id', 'desc')
    .compile(),
)

function listedRuns(build: Builder, filter: RunFilter): CompiledQuery<RunTable> {
  const {
    sessionId,
    whose = EVERYONE,
    mode,
    stopReason,
    scoutId,
    parentRunId,
    roots,
    since,
    until,
    before,
    endedBefore,
    open,
    limit,
  } = filter
  let query = build.selectFrom('runs').selectAll('runs').where(ownedBy('runs', whose))
  if (sessionId !== undefined) query = query.where('session_id', '=', sessionId)
  if (parentRunId !== undefined) query = query.where('parent_run_id', 'in', [parentRunId].flat())
  if (roots) query = query.where('parent_run_id', 'is', null)
  if (stopReason !== undefined) query = query.where('stop_reason', '=', stopReason)
  if (since !== undefined) query = query.where('started_at', '>=', since)
  if (until !== undefined) query = query.where('started_at', '<', until)
  if (endedBefore !== undefined) query = query.where('stopped_at', '<', endedBefore)
  if (before !== undefined) {
    const { startedAt, runId } = before
    query = query.where(({ eb, or, and }) =>
      or([eb('started_at', '<', startedAt), and([eb('started_at', '=', startedAt), eb('run_id', '<', runId)])]),
    )
  }
  if (scoutId !== undefined) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('events')
          .select('events.seq')
          .whereRef('events.run_id', '=', 'runs.run_id')
          .where('events.seq', '=', 1)
          .where('events.scout_id', '=', scoutId),
      ),
    )
  }
  if (mode !== undefined) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('events')
          .select('events.seq')
          .whereRef('events.run_id', '=', 'runs.run_id')
          .where('events.seq', '=', 1)
          .where('events.mode', '=', mode),
      ),
    )
  }
  if (open) query = query.where('stopped_at', 'is', null)
  query = query.orderBy('started_at', 'desc').orderBy('run_id', 'desc')
  if (limit !== undefined) query = query.limit(limit)
  return query.compile()
}

/** A session without a row belongs to the local user. */
function ownedBy(table: 'runs', whose: Whose) {
  if (whose === EVERYONE) return sql<boolean>`1 = 1`
  const owner = sql`(select owner from session_owners where session_owners.session_id = ${sql.ref(`${table}.session_id`)})`
  return sql<boolean>`coalesce(${owner}, ${LOCAL}) = ${whose}`
}
