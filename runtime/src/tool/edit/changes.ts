/** A set of files that change together: all of them, or none. */
import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { mkdir, open, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { WritError } from '../../errors/writ-error.ts'
import { syncFolder, writeDraft } from '../guard/drafts.ts'
import { withFile, withFolder } from '../guard/paths.ts'
import { MAX_FILE } from './text.ts'

export interface CurrentFile {
  content: Buffer
  stat: Stats
}

export interface FileChange {
  /** As the model wrote it. */
  path: string
  real: string
  /** Absent: the file does not exist. */
  before?: CurrentFile
  /** Absent: the file is deleted. `like` is the file whose mode it gets. */
  after?: { content: Buffer; like?: Stats; executable?: boolean }
  /** Of a renamed file, what it was; another change deletes it there. */
  from?: { path: string; file: CurrentFile }
  /** True for that other change. */
  isMoved?: true
}

/** Undefined: there is no such file. `real` comes from `claimPath`. */
export async function readCurrent({ path, real }: { path: string; real: string }): Promise<CurrentFile | undefined> {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer forever.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  try {
    return await withFile(real, async (at) => {
      const file = await open(at, flags)
      try {
        const stat = await file.stat()
        if (!stat.isFile()) throw new WritError('PATH_NOT_A_FILE', { path })
        if (stat.size > MAX_FILE) throw new WritError('FILE_TOO_LARGE', { path, most: MAX_FILE })
        return { content: await file.readFile(), stat }
      } finally {
        await file.close()
      }
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

/** Equal for equal files and equal results: an approval of one covers the other. */
export function basisOf(changes: readonly FileChange[]): string {
  const hash = createHash('sha256')
  const add = (part: string | Uint8Array | undefined) => {
    hash.update(part === undefined ? '-' : `${Buffer.byteLength(part)}:`)
    if (part !== undefined) hash.update(part)
  }
  for (const { path, real, before, after } of changes) {
    for (const part of [path, real, before?.content, before?.stat.mode.toString(8), after?.content]) add(part)
    add(String(after?.executable))
  }
  return hash.digest('hex')
}

/** A change whose new and old content are already in its folder, each a rename away. */
interface Staged {
  change: FileChange
  /** Names in the folder of the file. */
  draft?: string
  undo?: string
  isDone?: true
}

export interface CommitDeps {
  signal: AbortSignal
  /** Folders that stay, even when a deletion leaves them empty. */
  roots: readonly string[]
}

/** Throws without having changed anything, or with `PATCH_FAILED.halfway` if that could not be undone. */
export async function commitChanges(changes: readonly FileChange[], { signal, roots }: CommitDeps): Promise<void> {
  const staged: Staged[] = []
  const made: string[] = []
  try {
    for (const change of changes) {
      if (change.after !== undefined) made.push(...(await makeFolders(dirname(change.real))))
      const one: Staged = { change }
      staged.push(one)
      await stage(one, changes.length > 1)
    }
    signal.throwIfAborted()
    for (const one of staged) await putInPlace(one)
  } catch (error) {
    const stuck = await undo(staged)
    await removeDrafts(staged)
    for (const folder of made.sort((a, b) => b.length - a.length)) await removeEmptyFolder(folder)
    if (stuck.length > 0) throw new WritError('PATCH_FAILED.halfway', { paths: stuck, why: messageOf(error) })
    throw error
  }
  await removeDrafts(staged)
  for (const { real, after } of changes) if (after === undefined) await removeEmptyFolders(dirname(real), roots)
}

/** The folders that were missing. */
async function makeFolders(folder: string): Promise<string[]> {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return []
  const made = [folder]
  while (made.at(-1) !== first) made.push(dirname(made.at(-1) ?? first))
  return made
}

/** Everything that needs space on the disk happens here, before the first file changes. */
async function stage(one: Staged, canUndo: boolean): Promise<void> {
  const { real, before, after } = one.change
  await withFolder(dirname(real), async (at) => {
    if (after !== undefined) one.draft = await writeDraft(at, after)
    if (before !== undefined && canUndo) one.undo = await writeDraft(at, { content: before.content, like: before.stat })
  })
}

async function putInPlace(one: Staged): Promise<void> {
  const { path, real, before } = one.change
  await withFolder(dirname(real), async (at) => {
    const now = await readCurrent({ path, real })
    if (!isSame(now, before)) throw new WritError('FILE_CHANGED', { path })
    if (one.draft === undefined) await rm(at(basename(real)))
    else await rename(at(one.draft), at(basename(real)))
    one.isDone = true
    await syncFolder(at)
  })
}

function isSame(now: CurrentFile | undefined, before: CurrentFile | undefined): boolean {
  if (now === undefined || before === undefined) return now === before
  return now.stat.mode === before.stat.mode && now.content.equals(before.content)
}

/** The paths that could not be restored; their old content stays beside them. */
async function undo(staged: readonly Staged[]): Promise<string[]> {
  const stuck: string[] = []
  for (const one of staged.toReversed()) {
    const { path, real } = one.change
    if (one.isDone === undefined) continue
    try {
      await withFolder(dirname(real), async (at) => {
        if (one.undo === undefined) await rm(at(basename(real)))
        else await rename(at(one.undo), at(basename(real)))
      })
    } catch {
      stuck.push(path)
      delete one.undo
    }
  }
  return stuck
}

async function removeDrafts(staged: readonly Staged[]): Promise<void> {
  for (const { change, draft, undo } of staged) {
    const names = [draft, undo].filter((name) => name !== undefined)
    // A folder that was moved away took its drafts along.
    await withFolder(dirname(change.real), async (at) => {
      for (const name of names) await rm(at(name), { force: true })
    }).catch(() => {})
  }
}

async function removeEmptyFolders(folder: string, roots: readonly string[]): Promise<void> {
  for (let at = folder; !roots.includes(at) && (await removeEmptyFolder(at)); at = dirname(at));
}

async function removeEmptyFolder(folder: string): Promise<boolean> {
  return await withFolder(dirname(folder), (at) => rmdir(at(basename(folder)))).then(
    () => true,
    () => false,
  )
}
