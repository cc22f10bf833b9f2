/**
 * The only way to open a database for running agents. A data folder takes effect: open runs are resumed, routines fire,
 * approvals count. So a folder must be bound to this user and machine before it is opened here. A folder that Writ
 * creates is bound immediately; one from elsewhere only when its user adopts it. See
 * docs/decisions/2026-11-16-data-folders-are-bound.md.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { CompiledQuery } from 'kysely'
import { messageOf } from '../base/errors.ts'
import { bindingPlace, isOwn, readBinding, writeBinding } from '../config/data-bindings.ts'
import { WritError } from '../errors/writ-error.ts'
import { type DataFolder, hasLeftovers, hasReplay, lookAt, makeDataFolder, openMarks } from './data-folder.ts'
import { type DataSummary, NOTHING, summarise } from './data-summary.ts'
import type { Database, Steps } from './database.ts'
import { demandOurSchema, isEmptyStore, openCopy, stampOf } from './foreign.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open.ts'
import { makeFolder } from './place.ts'
import { explain, openSqlite } from './sqlite.ts'

const SHORTEST_KEY = 16

declare const acts: unique symbol
/** Created only in this file. */
export type ActingDatabase = Database & { readonly [acts]: true }

export interface DataPlace {
  data: string
  workspace: string
  /** The user's configuration folder, which has the bindings. */
  configHome: string
  /** WRIT_DATA_KEY: a process with the key may use every folder sealed with it. */
  key: string | undefined
}

export type ActingLocation =
  | ({ kind: 'folder' } & DataPlace)
  | { kind: 'postgres'; url: string }
  /** Nothing existed before, and nothing is left. */
  | { kind: 'memory' }

export async function openForActing(
  location: ActingLocation,
  replaced?: (file: string) => void,
): Promise<ActingDatabase> {
  if (location.kind !== 'folder') return (await openDatabase(location)) as ActingDatabase
  demandKey(location.key)
  try {
    makeDataFolder(location.data, location.workspace, replaced)
    const at = lookAt(location.data)
    return (await openBound(at, location)) ?? (await oneAtATime(at, location, () => claimNew(location)))
  } catch (error) {
    throw explain(error, location.data)
  }
}

/** Another process may have claimed it in the meantime. */
async function claimNew(location: { kind: 'folder' } & DataPlace): Promise<ActingDatabase> {
  const at = lookAt(location.data)
  const bound = await openBound(at, location)
  if (bound !== undefined) return bound
  if (await isForeign(at)) throw notAdopted(location.data)
  return claim(at, location, demandEmpty)
}

const CLAIM_MS = 10_000
const LOOK_MS = 20

/** Commands started together all find a new folder: the first claims it, the others wait and use it. */
async function oneAtATime<T>(at: DataFolder, { configHome }: DataPlace, claim: () => Promise<T>): Promise<T> {
  const lock = `${bindingPlace(configHome, at.folder)}.claim`
  const unlock = await takeLock(lock)
  try {
    return await claim()
  } finally {
    unlock()
  }
}

/** The claim of a killed process is taken over after a timeout. */
async function takeLock(lock: string): Promise<() => void> {
  for (const deadline = Date.now() + CLAIM_MS; Date.now() < deadline; await delay(LOOK_MS)) {
    try {
      makeFolder(dirname(lock))
      mkdirSync(lock)
      break
    } catch (error) {
      // Without write access there is no binding either; a key is needed.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return () => {}
    }
  }
  return () => rmSync(lock, { recursive: true, force: true })
}

/** Whether it must be adopted before it can be used. */
export async function needsAdoption(place: DataPlace): Promise<boolean> {
  if (!existsSync(place.data)) return false
  const at = lookAt(place.data)
  const bound = await openBound(at, place).catch((error: unknown) => {
    if (error instanceof WritError && error.code === 'DATA_LOG_UNKNOWN') return undefined
    throw error
  })
  await bound?.close()
  return bound === undefined && (await isForeign(at))
}

/** A link points to a folder chosen by its creator. */
async function isForeign(at: DataFolder): Promise<boolean> {
  return at.isLink || hasLeftovers(at) || (at.hasJournal && !(await isHarmless(at)))
}

async function demandEmpty(db: Database, { folder }: DataFolder): Promise<void> {
  if (!(await isEmptyStore(db))) throw notAdopted(folder)
}

/** Undefined: not adopted by this user on this machine, and not sealed with the key. */
export async function openBound(at: DataFolder, place: DataPlace): Promise<ActingDatabase | undefined> {
  if (!at.hasJournal) return undefined
  const { configHome, key } = place
  const binding = await readBinding(configHome, at.folder)
  const own = binding !== undefined && isOwn(binding) && binding.real === at.real
  const marks = openMarks(bindingPlace(configHome, at.folder))
  if (!own && (key === undefined || !(await carriesSeal(at, key)))) return undefined
  const keyed = key === undefined ? undefined : keyedMarks(at.folder, key)
  // Not left by a process of this user: SQLite would apply its pages to the database.
  if (at.hasReplay && !marks.any() && keyed?.any() !== true) throw strangeLog(at)
  const unmark = marked(marks, keyed)
  const db = openSqlite(at.file)
  try {
    const row = await readMark(db)
    const sealed = row !== undefined && key !== undefined && isSealed(row, key)
    if (!sealed && !(own && row?.id === binding.id)) {
      await db.close()
      unmark(at)
      return undefined
    }
    await migrate(db)
    if (key !== undefined && !sealed) await db.transact(setMark(db, row?.id ?? '', key))
    marks.sweep()
    return acting(db, () => unmark(at))
  } catch (error) {
    await db.close()
    unmark(at)
    throw error
  }
}

export interface Adoption {
  folder: string
  /** It is bound already. */
  bound: boolean
  summary: DataSummary
  /** Binds it, if it is unchanged since the summary. */
  adopt(): Promise<void>
}

/** Summarizes a folder without using it. Rejects what is not a Writ store. */
export async function inspectData(place: DataPlace): Promise<Adoption> {
  demandKey(place.key)
  if (!existsSync(place.data)) throw noJournal(place)
  const at = lookAt(place.data)
  if (!at.hasJournal && !at.isLink && !hasLeftovers(at)) throw noJournal(place)
  const bound = await openBound(at, place).catch(() => undefined)
  await bound?.close()
  const { summary, stamp } = at.hasJournal ? await lookInto(at) : { summary: NOTHING, stamp: stampOf(at.file) }
  return {
    folder: at.folder,
    bound: bound !== undefined,
    summary,
    async adopt() {
      if (bound !== undefined) return
      if (stampOf(at.file) !== stamp) {
        throw new WritError('DATA_CHANGED', { file: at.file })
      }
      await (await claim(at, place)).close()
    },
  }
}

async function lookInto(at: DataFolder): Promise<{ summary: DataSummary; stamp: string }> {
  const copy = await openCopy(at.file)
  try {
    return { summary: await summarise(copy.db), stamp: copy.stamp }
  } finally {
    await copy.close()
  }
}

/** Gives it a new id: its sender knows the old one. */
async function claim(
  at: DataFolder,
  place: DataPlace,
  demand: (db: Database, at: DataFolder) => Promise<void> = async () => {},
): Promise<ActingDatabase> {
  const { configHome, key } = place
  const id = randomUUID()
  const keyed = key === undefined ? undefined : keyedMarks(at.folder, key)
  const unmark = marked(openMarks(bindingPlace(configHome, at.folder)), keyed)
  try {
    await bind(place, { folder: at.folder, real: at.real, id })
    const db = openSqlite(at.file)
    try {
      const wasEmpty = await migrate(db)
      if (!wasEmpty) {
        await demandOurSchema(db, at.file)
        await demand(db, at)
      }
      await db.transact(setMark(db, id, key))
    } catch (error) {
      await db.close()
      throw error
    }
    return acting(db, () => unmark(at))
  } catch (error) {
    unmark(at)
    throw error
  }
}

async function bind({ configHome, key }: DataPlace, binding: Parameters<typeof writeBinding>[1]): Promise<void> {
  try {
    await writeBinding(configHome, binding)
  } catch (cause) {
    // With a key the seal is enough, and the configuration folder of a container may be read-only.
    if (key === undefined) throw cannotBind(cause)
  }
}

type Marks = Pick<ReturnType<typeof openMarks>, 'add'>

function marked(marks: Marks, keyed: Marks | undefined): (at: DataFolder) => void {
  const removals: (() => void)[] = []
  if (keyed !== undefined) removals.push(keyed.add(randomUUID()))
  try {
    removals.push(marks.add(randomUUID()))
  } catch (cause) {
    // The configuration folder of a container may be read-only; the mark beside the journal is then enough.
    if (keyed === undefined) throw cannotBind(cause)
  }
  // While there is a log, it must be known that a process of this user left it.
  return ({ folder }) => {
    if (!hasReplay(folder)) for (const remove of removals) remove()
  }
}

/** Read from a copy: a folder that is not bound stays unchanged, including its log. */
async function carriesSeal(at: DataFolder, key: string): Promise<boolean> {
  const copy = await openCopy(at.file)
  try {
    const row = await readMark(copy.db)
    return row !== undefined && isSealed(row, key)
  } finally {
    await copy.close()
  }
}

/** Marks beside the journal for other containers; only a process with the key can create one. */
function keyedMarks(folder: string, key: string) {
  const sign = (name: string) => createHmac('sha256', key).update(`writ open 1\n${name}`).digest('hex')
  return openMarks(join(folder, 'journal'), { sign })
}

/** It cannot contain anything that Writ would act on. */
async function isHarmless(at: DataFolder): Promise<boolean> {
  const copy = await openCopy(at.file)
  try {
    return await isEmptyStore(copy.db)
  } finally {
    await copy.close()
  }
}

function acting(db: Database, closed: () => void): ActingDatabase {
  const close = async () => {
    await db.close()
    closed()
  }
  return { ...db, close } as ActingDatabase
}

interface Mark {
  id: string
  seal: string | null
}

async function readMark(db: Database): Promise<Mark | undefined> {
  const { sql } = db
  const there = sql
    .selectFrom('sqlite_master')
    .select('name')
    .where('type', '=', 'table')
    .where('name', '=', 'data_folder')
  if ((await db.query(there.compile())).length === 0) return undefined
  return (await db.query(sql.selectFrom('data_folder').selectAll().limit(1).compile()))[0]
}

function* setMark({ sql }: Database, id: string, key: string | undefined): Steps<void> {
  const seal = key === undefined ? null : sealOf(id, key)
  yield sql.deleteFrom('data_folder').compile() as CompiledQuery
  yield sql.insertInto('data_folder').values({ id, seal }).compile() as CompiledQuery
}

function sealOf(id: string, key: string): string {
  return createHmac('sha256', key).update(`writ data folder 1\n${id}`).digest('hex')
}

function isSealed({ id, seal }: Mark, key: string): boolean {
  const [given, due] = [Buffer.from(seal ?? ''), Buffer.from(sealOf(id, key))]
  return given.length === due.length && timingSafeEqual(given, due)
}

function demandKey(key: string | undefined): void {
  if (key === undefined || key.length >= SHORTEST_KEY) return
  throw new WritError('DATA_KEY_SHORT', { least: SHORTEST_KEY })
}

function noJournal({ data }: DataPlace): WritError {
  return new WritError('NO_JOURNAL', { folder: data })
}

function notAdopted(data: string): WritError {
  return new WritError('DATA_NOT_ADOPTED', { folder: data })
}

function strangeLog({ file }: DataFolder): WritError {
  return new WritError('DATA_LOG_UNKNOWN', { file })
}

function cannotBind(cause: unknown): WritError {
  return new WritError('DATA_UNBINDABLE', { why: messageOf(cause) }, { cause })
}
