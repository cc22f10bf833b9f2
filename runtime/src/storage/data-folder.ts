/** A data folder on disk: where its database is, and what may not lie there. */
import { lstatSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { WritError } from '../base/errors.ts'
import { makeFolder } from './place.ts'

const JOURNAL = 'journal.db'
/** SQLite replays the first two into the database when it opens it, whoever put them there. */
const REPLAYED = ['-wal', '-journal']
const BESIDE = [...REPLAYED, '-shm']

export interface DataFolder {
  /** As it is named, below the real folder it is in. */
  folder: string
  real: string
  isLink: boolean
  file: string
  hasJournal: boolean
  /** There is something beside the database that SQLite would replay into it. */
  hasReplay: boolean
}

/** The file of the embedded store. */
export function journalFile(data: string): string {
  return join(data, JOURNAL)
}

/** All of it; skills and workflows that people keep there are for them to add with `git add -f`. */
const IGNORED = '*\n'

/**
 * Makes the folder if there is none. One that is made inside a workspace is kept out of its version control; `replaced`
 * hears of a file that said something else.
 */
export function makeDataFolder(data: string, workspace: string, replaced: (file: string) => void = () => {}): void {
  if (isThere(journalFile(data))) return
  if (lstatSync(data, { throwIfNoEntry: false }) === undefined) makeFolder(data)
  const way = relative(realpathSync(workspace), realpathSync(data))
  const inside = way !== '' && way !== '..' && !way.startsWith('../')
  if (inside && ignoreAll(join(data, '.gitignore'))) replaced(join(data, '.gitignore'))
}

/**
 * A repository can bring its own file here, or a link; either would leave the journal to be committed. True where a
 * regular file was replaced: it may be tracked, and its change would puzzle whoever sees it.
 */
function ignoreAll(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false })
  const isFile = found?.isFile() === true
  if (isFile && readFileSync(file, 'utf8') === IGNORED) return false
  // Removed first and made as new: nothing is ever written through a link.
  rmSync(file, { recursive: true, force: true })
  try {
    writeFileSync(file, IGNORED, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    // Another process that starts at the same moment was quicker.
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
    throw new WritError('DATA_INVALID', `${file}${beside[0]} lies there without its database`, {
      hint: 'Move it away, or use another data folder.',
    })
  }
  const isLink = lstatSync(folder).isSymbolicLink()
  return { folder, real, isLink, file, hasJournal, hasReplay: hasReplay(folder) }
}

/** What people keep in a data folder themselves, and what a new one is made with. */
const PEOPLES_OWN = new Set(['.gitignore', 'skills', 'workflows', 'artifacts'])

/** Things only Writ puts there, in a folder without a journal: definitions of tools it trusts, settings of a server. */
export function hasLeftovers({ folder, file }: DataFolder): boolean {
  const names = readdirSync(folder)
  // Another process may have made its journal since; everything else comes after that.
  return !names.includes(basename(file)) && names.some((name) => !PEOPLES_OWN.has(name))
}

/** Whether there is a log now that SQLite would replay. */
export function hasReplay(folder: string): boolean {
  // An empty log changes nothing: any program that only looked at the database leaves one.
  return REPLAYED.some((end) => (lstatSync(`${journalFile(folder)}${end}`, { throwIfNoEntry: false })?.size ?? 0) > 0)
}

/** Through a link, SQLite would write to whatever file the link names. */
function isThere(file: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return false
  if (stat.isFile()) return true
  throw new WritError('DATA_INVALID', `${file} is not a regular file`, {
    hint: 'Move it away, or use another data folder.',
  })
}

/** Says which processes have a folder's database open: only they may have left something to be replayed. */
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
    /** Returns what takes the mark away again. */
    add(name: string): () => void {
      makeFolder(folder)
      const mark = `${process.pid}-${name}`
      const file = join(folder, mark)
      writeFileSync(file, sign(mark), { mode: 0o600 })
      return () => rmSync(file, { force: true })
    },
    /** Those of processes that are gone; what they left has been replayed by now. */
    sweep(): void {
      for (const name of names()) if (!isAlive(Number.parseInt(name, 10))) rmSync(join(folder, name), { force: true })
    },
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
