/** Where a path really leads, and how to act there without being redirected in between. */
import { constants } from 'node:fs'
import { open, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { WritError } from '../../errors/writ-error.ts'
import { covers } from '../../gate/stages/content.ts'
import type { Lang } from '../../i18n/locale.ts'
import type { PathFact } from '../../protocol/facts.ts'
import { toolErrorText } from '../error-text.ts'
import type { ToolOutput, World } from '../tool.ts'

type Link = { to: string } | 'none' | 'unknown'
/** Links found so far: the folders above the protected paths are mostly the same. */
type Links = Map<string, Promise<Link>>

const MAX_LINKS = 40
/** Folders of the data folder that may be read; the rest is Writ's own record. */
export const OPEN_DATA = ['skills', 'workflows', 'artifacts']
/** File systems on these platforms treat `.WRIT` and `.writ` as the same folder. */
const CASELESS = process.platform === 'darwin' || process.platform === 'win32'

export interface PathUse {
  path: string
  access: 'read' | 'write'
  /** Base of a relative path; the workspace when absent. */
  from?: string
  /** True when everything below the path is touched too, as by `rm -r`. */
  whole?: boolean
  /** True when the read may also write; counts as a write for protected paths. */
  unsure?: boolean
}

/**
 * Follows every link itself, so that it also works for missing files and dangling links. Undefined: unknown where the
 * path leads.
 */
async function followLinks(path: string, seen: Links = new Map()): Promise<string | undefined> {
  if (path.includes('\0') || !isAbsolute(path)) return undefined
  const pending = path.split('/').reverse()
  let real = '/'
  let links = 0
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      real = dirname(real)
      continue
    }
    const next = join(real, name)
    const found = seen.get(next) ?? linkAt(next)
    seen.set(next, found)
    const link = await found
    if (link === 'unknown' || links > MAX_LINKS) return undefined
    if (link === 'none') {
      real = next
      continue
    }
    links++
    if (isAbsolute(link.to)) real = '/'
    pending.push(...link.to.split('/').reverse())
  }
  return real
}

async function linkAt(path: string): Promise<Link> {
  try {
    return { to: await readlink(path) }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    return code === 'EINVAL' || code === 'ENOENT' || code === 'ENOTDIR' ? 'none' : 'unknown'
  }
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

export async function describePath(use: PathUse, world: World): Promise<PathFact> {
  const seen: Links = new Map()
  const real = await followLinks(absolute(use, world), seen)
  // A path that cannot be followed counts as outside and protected: the strictest reading.
  if (real === undefined) {
    return { path: use.path, real: use.path, access: use.access, insideWorkspace: false, isProtected: true }
  }
  const guarded = await isProtected({ ...use, real }, world, seen)
  return {
    path: use.path,
    real,
    access: guarded && use.unsure === true ? 'write' : use.access,
    insideWorkspace: isInside({ ...use, real }, world),
    ...(isWithin(real, world.workspace) ? { inside: real.slice(world.workspace.length + 1) } : {}),
    isProtected: guarded,
    ...((await isRecord(real, world, seen)) ? { isClosed: true } : {}),
  }
}

/**
 * In the workspace, or in a folder that the user's configuration opened. Without a sandbox, an uncertain read counts as
 * a write.
 */
function isInside({ real, access, unsure }: PathUse & { real: string }, world: World): boolean {
  const { workspace, readPaths = [], writePaths = [], sandbox } = world
  const isRead = access === 'read' && (unsure !== true || sandbox !== 'off')
  return [workspace, ...writePaths, ...(isRead ? readPaths : [])].some((folder) => isWithin(real, folder))
}

/** The real path of the data folder. Ignored if it contains the workspace: closing it would close everything. */
export async function realData({ data, workspace }: World, seen: Links = new Map()): Promise<string | undefined> {
  const real = data === undefined ? undefined : ((await followLinks(data, seen)) ?? data)
  return real === undefined || isWithin(workspace, real) ? undefined : real
}

async function isRecord(real: string, world: World, seen: Links): Promise<boolean> {
  if (world.undo !== undefined && isWithin(fold(real), fold(world.undo))) return true
  if (isKeyFile(real, await realKeyFile(world, seen))) return true
  const data = await realData(world, seen)
  if (data === undefined || real === data || !isWithin(fold(real), fold(data))) return false
  return !OPEN_DATA.includes(fold(real).slice(data.length).split('/')[1] ?? '')
}

export async function realKeyFile({ keyFile }: World, seen: Links = new Map()): Promise<string | undefined> {
  return keyFile === undefined ? undefined : ((await followLinks(keyFile, seen)) ?? keyFile)
}

/** The file with stored keys, or a draft of it. */
export function isKeyFile(real: string, keyFile: string | undefined): boolean {
  if (keyFile === undefined) return false
  return fold(real) === fold(keyFile) || fold(real).startsWith(`${fold(keyFile)}.`)
}

/** The entry of blockedPaths that covers this path. */
export function blockedBy({ path, real }: Pick<PathFact, 'path' | 'real'>, world: World): string | undefined {
  return world.blockedPaths.find((entry) => covers(entry, { path, real }))
}

function fold(path: string): string {
  return CASELESS ? path.toLowerCase() : path
}

function absolute({ path, from }: PathUse, world: World): string {
  const written =
    isAbsolute(path) || path === '~' || path.startsWith('~/') ? path : `${from ?? world.workspace}/${path}`
  return written === '~' || written.startsWith('~/') ? `${world.env.HOME ?? ''}/${written.slice(2)}` : written
}

async function isProtected(use: PathUse & { real: string }, world: World, seen: Links): Promise<boolean> {
  const { real } = use
  const followed = await Promise.all(world.protectedPaths.map((guarded) => followLinks(guarded, seen)))
  for (const [i, guarded] of world.protectedPaths.entries()) {
    for (const spelling of [guarded, followed[i] ?? guarded]) {
      if (isWithin(fold(real), fold(spelling))) return true
      if (use.whole === true && isWithin(fold(spelling), fold(real))) return true
    }
  }
  // Git runs programs named in `.git`: a write there decides what the next `git status` runs.
  return (use.access === 'write' || use.unsure === true) && fold(real).split('/').includes('.git')
}

/** The real path a tool may act on now. Repeats the gate's check, because files may have changed since. */
export async function claimPath(use: PathUse, world: World): Promise<string> {
  const fact = await describePath(use, world)
  if (!fact.insideWorkspace) {
    throw new WritError('PATH_OUTSIDE_WORKSPACE', { path: shown(use.path) })
  }
  if (fact.isProtected && fact.access === 'write') {
    throw new WritError('PATH_PROTECTED', { path: shown(use.path) })
  }
  if (fact.isClosed === true || blockedBy(fact, world) !== undefined) {
    throw new WritError('PATH_BLOCKED', { path: shown(use.path) })
  }
  return fact.real
}

/**
 * Keeps the folder open while `act` works in it. A link swapped in after the check has no effect, because names are
 * resolved from the open folder.
 */
export async function withFolder<T>(real: string, act: (at: (name: string) => string) => Promise<T>): Promise<T> {
  const folder = await open(real, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    const held = `/proc/self/fd/${folder.fd}`
    const pinned = process.platform === 'linux' ? await readlink(held).catch(() => undefined) : undefined
    if ((pinned ?? (await realpath(real))) !== real) {
      throw new WritError('PATH_CHANGED', { path: real })
    }
    return await act((name) => join(pinned === undefined ? real : held, name))
  } finally {
    await folder.close()
  }
}

/** Runs `act` on the last component of a claimed path, which must not be a link. */
export function withFile<T>(real: string, act: (path: string) => Promise<T>): Promise<T> {
  return withFolder(dirname(real), (at) => act(at(basename(real))))
}

const ERRNO: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be accessed: permission denied',
  EPERM: 'may not be accessed: operation not permitted',
  EEXIST: 'is below a file, or already exists',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not a folder, or is below a file',
  ELOOP: 'became a symbolic link while it was being opened',
  ENAMETOOLONG: 'is too long a name',
  ENOSPC: 'could not be written: the disk is full',
  EROFS: 'could not be written: the file system is read-only',
  ENXIO: 'is not a regular file',
}

/** A failure the model can act on; unexpected errors are rethrown. */
export function pathFailure(error: unknown, path: string, lang?: Lang): ToolOutput {
  if (error instanceof WritError) {
    const { message, hint } = toolErrorText(error, lang)
    return { ok: false, error: `${message}. ${hint}`, code: error.code }
  }
  const reason = ERRNO[(error as NodeJS.ErrnoException).code ?? '']
  if (reason === undefined) throw error
  return { ok: false, error: `${shown(path)} ${reason}` }
}

function shown(path: string): string {
  return JSON.stringify(path.length > 300 ? `${path.slice(0, 300)}…` : path)
}
