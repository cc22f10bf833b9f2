/**
 * Writes recorded files back into the workspace. Each file changes at once; after a kill, the next undo sees which ones
 * are done. Folders are opened one by one, so no link leads outside the workspace.
 */
import { createHash, randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import {
  chmod,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rmdir,
  symlink,
  unlink,
} from 'node:fs/promises'
import { messageOf } from '../../base/errors.ts'
import { WritError } from '../../errors/writ-error.ts'
import { isFolder, type RestoredFile } from './plan.ts'
import type { Shadow } from './shadow.ts'

const DRAFT = /^\.writ-undo-[0-9a-f]{16}$/

export interface Restored {
  /** Paths that are now as they were before. */
  done: string[]
  failed: { path: string; why: string }[]
}

export async function restoreFiles(
  shadow: Shadow,
  files: readonly RestoredFile[],
  { signal }: { signal?: AbortSignal },
): Promise<Restored> {
  const result: Restored = { done: [], failed: [] }
  const attempt = async (path: string, act: () => Promise<void>): Promise<void> => {
    try {
      await act()
      result.done.push(path)
    } catch (error) {
      result.failed.push({ path, why: messageOf(error) })
    }
  }
  const { workspace } = shadow
  // Deepest first: a folder is empty before it is removed.
  const created = files.filter(({ target }) => target === undefined).toReversed()
  for (const { path, current } of created) {
    const remove = async (at: Buffer): Promise<void> => {
      await requireUnchanged(at, current)
      await unlink(at)
    }
    if (!isFolder(path)) await attempt(path, () => inFolderOf(workspace, path, remove).catch(ignoreMissing))
    else if (await removedFolder(workspace, path)) result.done.push(path)
  }
  const folders = files.flatMap(({ path, target }) => (target?.kind === 'folder' ? [{ path, mode: target.perm }] : []))
  // Writable first: the files in it come after it.
  for (const { path, mode } of folders) await openFolder(workspace, path, mode | 0o300)
  const written = files.filter(({ target }) => target !== undefined && target.kind !== 'folder')
  const contents = shadow.contents(
    written.flatMap((file) => (isChmod(file) ? [] : [file.target?.id ?? ''])),
    signal,
  )
  try {
    for (const file of written) {
      const { path, target } = file
      if (target === undefined) continue
      if (isChmod(file)) {
        await attempt(path, () => inFolderOf(workspace, path, (at) => setMode(at, target.perm)))
        continue
      }
      const next = await contents.next()
      if (next.done === true) throw new Error('a recorded file is missing')
      await attempt(path, () => write(workspace, file, next.value))
    }
  } finally {
    await contents.return(undefined)
  }
  for (const { path, mode } of folders.toReversed()) await attempt(path, () => setFolderMode(workspace, path, mode))
  return result
}

/** Tried only: what fails here fails again when its mode is set. */
async function openFolder(workspace: string, path: string, mode: number): Promise<void> {
  await inFolderOf(workspace, path.slice(0, -1), (at) => mkdir(at).catch(ignoreExisting), { create: true })
    .then(() => setFolderMode(workspace, path, mode))
    .catch(() => {})
}

function setFolderMode(workspace: string, path: string, mode: number): Promise<void> {
  return inFolderOf(workspace, path.slice(0, -1), (at) => setMode(at, mode))
}

/** False for one that is not empty: other files are in it now. */
async function removedFolder(workspace: string, path: string): Promise<boolean> {
  const remove = inFolderOf(workspace, path.slice(0, -1), (at) => rmdir(at))
  return remove.then(
    () => true,
    () => false,
  )
}

function isChmod({ target, current }: RestoredFile): boolean {
  return target?.kind === 'file' && current?.kind === 'file' && target.id === current.id
}

/** Never through a link. */
async function setMode(path: Buffer, mode: number): Promise<void> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined)
  if (file !== undefined) await file.chmod(mode).finally(() => file.close())
  else if (!(await lstat(path)).isSymbolicLink()) await chmod(path, mode)
}

async function write(workspace: string, { path, target, current }: RestoredFile, content: Buffer): Promise<void> {
  if (target === undefined) return
  await inFolderOf(
    workspace,
    path,
    async (at, name) => {
      await clearDrafts(name)
      const draft = name(Buffer.from(`.writ-undo-${randomBytes(8).toString('hex')}`))
      try {
        if (target.kind === 'link') await symlink(content, draft)
        else await writeDraft(draft, { content, mode: target.perm, like: await statOf(at) })
        if (current === undefined) await rmdir(at).catch(() => {})
        await requireUnchanged(at, current)
        await rename(draft, at)
      } catch (error) {
        await unlink(draft).catch(() => {})
        throw error
      }
    },
    { create: true },
  )
}

/** Someone may have saved the file since the undo was planned. What is a folder is left to the file system. */
async function requireUnchanged(at: Buffer, planned: RestoredFile['current']): Promise<void> {
  const stat = await statOf(at)
  if (stat?.isDirectory() === true) return
  if (stat === undefined && (planned === undefined || planned.kind !== 'folder')) return
  const isSame = planned !== undefined && stat !== undefined && (await idOf(at, stat)) === planned.id
  if (!isSame) throw new WritError('UNDO_CHANGED')
}

/** As git names the content. */
async function idOf(at: Buffer, stat: Stats): Promise<string | undefined> {
  if (!stat.isFile() && !stat.isSymbolicLink()) return undefined
  const content = stat.isSymbolicLink() ? await readlink(at, { encoding: 'buffer' }) : await readFile(at)
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

interface Draft {
  content: Buffer
  mode: number
  like: Stats | undefined
}

async function writeDraft(draft: Buffer, { content, mode, like }: Draft): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const file = await open(draft, flags, 0o600)
  try {
    if (process.getuid?.() === 0 && like?.isFile()) await file.chown(like.uid, like.gid)
    await file.writeFile(content)
    await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function statOf(path: Buffer): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined)
}

/** Drafts of an undo that was killed. */
async function clearDrafts(name: (entry: Buffer) => Buffer): Promise<void> {
  for (const entry of await readdir(name(Buffer.from('.')), { encoding: 'buffer' })) {
    if (DRAFT.test(entry.toString('latin1'))) await unlink(name(entry))
  }
}

type InFolder<T> = (at: Buffer, name: (entry: Buffer) => Buffer) => Promise<T>

/** Keeps the folder of the path open while `act` works in it: `at` is the path's own place, `name` any other there. */
async function inFolderOf<T>(
  workspace: string,
  path: string,
  act: InFolder<T>,
  { create = false }: { create?: boolean } = {},
): Promise<T> {
  const names = path.split('/').map((name) => Buffer.from(name, 'latin1'))
  const last = names.pop() ?? Buffer.alloc(0)
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
  let place: Buffer = Buffer.from(workspace)
  let held: FileHandle = await open(place, flags)
  try {
    for (const name of names) {
      const next: Buffer = joined(within(held, place), name)
      if (create) await mkdir(next).catch(ignoreExisting)
      const inner = await open(next, flags)
      await held.close()
      held = inner
      place = joined(place, name)
    }
    const folder = within(held, place)
    return await act(joined(folder, last), (entry) => joined(folder, entry))
  } finally {
    await held.close()
  }
}

/** On Linux names are resolved from the open folder, so replacing a folder above has no effect. */
function within(held: FileHandle, place: Buffer): Buffer {
  return process.platform === 'linux' ? Buffer.from(`/proc/self/fd/${held.fd}`) : place
}

function joined(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name])
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
