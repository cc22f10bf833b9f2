/** A data folder on disk: its database, and what it must not contain. */
import { lstatSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { isAlive } from '../base/process.ts'
import { WritError } from '../errors/writ-error.ts'
import { makeFolder } from './place.ts'

const JOURNAL = 'journal.db'
/** SQLite replays the first two into the database when it opens it, whatever their origin. */
const REPLAYED = ['-wal', '-journal']
const BESIDE = [...REPLAYED, '-shm']

export interface DataFolder {
  /** The given name below the real path of its parent. */
  folder: string
  real: string
  isLink: boolean
  file: string
  hasJournal: boolean
  /** There is a log beside the database that SQLite would replay. */
  hasReplay: boolean
}

/** The file of the embedded store. */
export function journalFile(data: string): string {
  return join(data, JOURNAL)
}

/** Ignores everything; skills and workflows kept there can be added with `git add -f`. */
const IGNORED = '*\n'

/** Creates the folder if needed. Inside a workspace it is excluded from version control; `onReplaced` gets a replaced file. */
export function makeDataFolder(data: string, workspace: string, onReplaced: (file: string) => void = () => {}): void {
  if (isThere(journalFile(data))) return
  if (lstatSync(data, { throwIfNoEntry: false }) === undefined) makeFolder(data)
  const way = relative(realpathSync(workspace), realpathSync(data))
  const inside = way !== '' && way !== '..' && !way.startsWith('../')
  if (inside && ignoreAll(join(data, '.gitignore'))) onReplaced(join(data, '.gitignore'))
}

/**
 * A repository may contain its own file here, or a link; with either the journal could be committed. True when a regular
 * file was replaced: it may be tracked, so the user is told of its change.
 */
function ignoreAll(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false })
  const isFile = found?.isFile() === true
  if (isFile && readFileSync(file, 'utf8') === IGNORED) return false
  // Removed and created again: nothing is written through a link.
  rmSync(file, { recursive: true, force: true })
  try {
    writeFileSync(file, IGNORED, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return isFile
}

export function lookAt(data: string): DataFolder {
  const folder = join(realpathSync(dirname(data)), basename(data))
  const real = realpathSync(folder)
  const file = journalFile(folder)
  const hasJournal = isThere(file)
  const beside = BESIDE.filter((end) => isThere(`${file}${end}`))
  if (!hasJournal && beside.length > 0) {
    throw new WritError('DATA_INVALID.noDatabase', { file: `${file}${beside[0]}` })
  }
  const isLink = lstatSync(folder).isSymbolicLink()
  return { folder, real, isLink, file, hasJournal, hasReplay: hasReplay(folder) }
}

/** What people keep in a data folder, and what a new one contains. */
const PEOPLES_OWN = new Set(['.gitignore', 'skills', 'workflows', 'artifacts'])

/** Files that only Writ writes, in a folder without a journal: definitions of trusted tools, settings of a server. */
export function hasLeftovers({ folder, file }: DataFolder): boolean {
  const names = readdirSync(folder)
  // Another process may have created its journal since; all other files come later.
  return !names.includes(basename(file)) && names.some((name) => !PEOPLES_OWN.has(name))
}

/** Whether there is a log that SQLite would replay. */
export function hasReplay(folder: string): boolean {
  // An empty log has no effect: any reader of the database leaves one.
  return REPLAYED.some((end) => (lstatSync(`${journalFile(folder)}${end}`, { throwIfNoEntry: false })?.size ?? 0) > 0)
}

/** SQLite would write to the target of a link. */
function isThere(file: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return false
  if (stat.isFile()) return true
  throw new WritError('DATA_INVALID.notAFile', { file })
}

/** Records which processes have the database open: only they can have left a log. */
export function openMarks(place: string, { sign = () => '' }: { sign?(name: string): string } = {}) {
  const folder = `${place}.open`
  const isSigned = (name: string) => readFileSync(join(folder, name), 'utf8') === sign(name)
  const names = () => {
    try {
      return readdirSync(folder).filter(isSigned)
    } catch {
      return []
    }
  }
  return {
    any: () => names().length > 0,
    /** Returns a function that removes the mark. */
    add(name: string): () => void {
      makeFolder(folder)
      const mark = `${process.pid}-${name}`
      const file = join(folder, mark)
      writeFileSync(file, sign(mark), { mode: 0o600 })
      return () => rmSync(file, { force: true })
    },
    /** Marks of processes that have ended; their logs have been replayed. */
    sweep(): void {
      for (const name of names()) if (!isAlive(Number.parseInt(name, 10))) rmSync(join(folder, name), { force: true })
    },
  }
}
