/** Recordings of a workspace: snapshots kept for undo, each named by the hash of its record, which the journal holds. */
import { randomUUID } from 'node:crypto'
import { lstat, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { sha256 } from '../../base/hash.ts'
import { canonical, isObject } from '../../base/json.ts'
import { writePrivately } from '../../base/private-file.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { Shadow } from './shadow.ts'
import type { Snapshot } from './snapshot.ts'

/** Recordings kept per workspace. A run has two, and two more for each time it waited for an approval. */
const MAX_KEPT = 100
/** Removed together: each removal makes git walk all the others. */
const SPARE = 20
/** All recordings together may take this many times the limit of one. */
const MAX_SHARE = 10
/** Left behind by killed processes. */
const ABANDONED_MS = 3_600_000

export interface RecordPlace {
  runId: string
  /** `undo`: the workspace before an undo changed it. */
  phase: 'before' | 'after' | 'undo'
  /** The data folder whose journal has the run. */
  data: string
  at: number
  /** What an undo changed. */
  paths?: string[]
  /** When an undo was done; absent for one that was killed. */
  until?: number
}

export interface Recording extends RecordPlace, Snapshot {}

/** Returns the hash of the record. */
export async function keepRecording(shadow: Shadow, recording: Recording): Promise<string> {
  const text = canonical(recording)
  const record = sha256(text)
  // The tree first: a record without its tree could not be undone.
  await writeFile(join(shadow.folder, 'refs/writ', record), `${recording.tree}\n`, { mode: 0o600 })
  await writePrivately(fileOf(shadow, record), text)
  return record
}

/** Runs an undo between its beginning and its end: other runs must not take its changes for their own. */
export async function keepUndo<T>(
  shadow: Shadow,
  recording: Recording,
  { act, now }: { act: () => Promise<T>; now: () => number },
): Promise<T> {
  const begun = await keepRecording(shadow, recording)
  const result = await act()
  await keepRecording(shadow, { ...recording, until: now() })
  await forgetRecording(shadow, begun)
  return result
}

/** Throws when it is no longer there, or was changed. */
export async function readRecording(shadow: Shadow, record: string): Promise<Recording> {
  const text = await readFile(fileOf(shadow, record), 'utf8').catch(() => undefined)
  if (text === undefined) throw new WritError('UNDO_GONE')
  if (sha256(text) !== record) throw new WritError('UNDO_DAMAGED')
  return JSON.parse(text) as Recording
}

/** When it was made, by the clock of the file system. */
export async function recordedAt(shadow: Shadow, record: string): Promise<number> {
  return (await stat(fileOf(shadow, record))).mtimeMs
}

/** All readable recordings, oldest first. */
export async function listRecordings(shadow: Shadow): Promise<{ record: string; recording: Recording }[]> {
  const names = (await readdir(join(shadow.folder, 'recordings'))).filter((name) => name.endsWith('.json'))
  const found = await Promise.all(
    names.map(async (name) => {
      const record = name.slice(0, -'.json'.length)
      const recording = await readRecording(shadow, record).catch(() => undefined)
      return isObject(recording) ? [{ record, recording }] : []
    }),
  )
  return found.flat().sort((a, b) => a.recording.at - b.recording.at)
}

/** Removes the oldest when there are too many or they are too large, and what killed processes left. */
export async function limitRecordings(
  shadow: Shadow,
  { now, maxBytes }: { now: number; maxBytes: number },
): Promise<void> {
  await removeAbandoned(shadow, now)
  const names = await readdir(join(shadow.folder, 'recordings'))
  const isLarge = (await sizeOf(shadow)) > maxBytes * MAX_SHARE
  if (names.length < MAX_KEPT + SPARE && !isLarge) return
  const all = await listRecordings(shadow)
  const kept = isLarge ? Math.max(2, Math.min(MAX_KEPT, Math.floor(all.length / 2))) : MAX_KEPT
  await dropRecordings(
    shadow,
    all.slice(0, Math.max(0, all.length - kept)).map(({ record }) => record),
  )
}

async function sizeOf(shadow: Shadow): Promise<number> {
  const [, kilobytes = '0'] = /^size: (\d+)$/m.exec((await shadow.git(['count-objects', '-v'])).toString()) ?? []
  return Number(kilobytes) * 1024
}

/** Removes the recordings of runs that the journal in this data folder no longer has. */
export async function forgetMissingRuns(
  shadow: Shadow,
  data: string,
  hasRun: (runId: string) => Promise<boolean>,
): Promise<void> {
  const gone: string[] = []
  for (const { record, recording } of await listRecordings(shadow)) {
    if (recording.data === data && !(await hasRun(recording.runId))) gone.push(record)
  }
  await dropRecordings(shadow, gone)
}

async function dropRecordings(shadow: Shadow, records: readonly string[]): Promise<void> {
  if (records.length === 0) return
  const { folder } = shadow
  for (const record of records) await forgetRecording(shadow, record)
  // A recording in progress has contents that no reference leads to yet.
  if ((await drafts(shadow)).length > 0) return
  if ((await readdir(join(folder, 'recordings'))).length > 0) {
    // Not `now`: that would include contents of a recording that has just begun.
    await shadow.git(['prune', `--expire=@${Math.floor(Date.now() / 1000)} +0000`])
    return
  }
  // Renamed first: a process killed here leaves only a folder that the next one does not use.
  const gone = `${folder}.${randomUUID()}`
  await rename(folder, gone)
  await rm(gone, { recursive: true, force: true })
}

async function forgetRecording(shadow: Shadow, record: string): Promise<void> {
  await rm(fileOf(shadow, record), { force: true })
  await rm(join(shadow.folder, 'refs/writ', record), { force: true })
}

const DRAFT = /^(index|rules)\./

async function drafts({ folder }: Shadow): Promise<string[]> {
  return (await readdir(folder)).filter((name) => DRAFT.test(name))
}

async function removeAbandoned(shadow: Shadow, now: number): Promise<void> {
  const { folder } = shadow
  const records = new Set(await readdir(join(folder, 'recordings')))
  const references = await readdir(join(folder, 'refs/writ'))
  const siblings = await readdir(dirname(folder))
  const left = [
    ...(await drafts(shadow)).map((name) => join(folder, name)),
    ...references.filter((name) => !records.has(`${name}.json`)).map((name) => join(folder, 'refs/writ', name)),
    ...siblings.filter((name) => name.startsWith(`${basename(folder)}.`)).map((name) => join(dirname(folder), name)),
  ]
  for (const path of left) {
    const { ctimeMs } = await lstat(path).catch(() => ({ ctimeMs: now }))
    if (now - ctimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true })
  }
}

function fileOf({ folder }: Shadow, record: string): string {
  return join(folder, 'recordings', `${record}.json`)
}
