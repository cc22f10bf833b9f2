/** Files and the memory that keeps them close: read once, so that the next reader need not wait for the disk. */
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { messageOf } from '../../base/errors.ts'
import { WritError } from '../../errors/writ-error.ts'
import { blockedBy, describePath } from '../../tool/guard/paths.ts'
import type { ActingOn } from './executor.ts'

const MAX_BYTES = 512 * 1024 * 1024
const PIECE = 1024 * 1024
const PROBE_MS = 5_000
const run = promisify(execFile)

export interface Warmth {
  files: number
  bytes: number
  /** Bytes in the page cache before and after; undefined where nothing can tell. */
  before: number | undefined
  after: number | undefined
}

export async function warm(paths: readonly string[], on: ActingOn): Promise<Warmth> {
  const before = await residentBytes(paths)
  let bytes = 0
  for (const path of paths) bytes += await readThrough(path, on)
  return { files: paths.length, bytes, before, after: await residentBytes(paths) }
}

/** The real path of a regular file; a device or a pipe could act or block when opened. */
export async function regularFile(path: string, { world }: Pick<ActingOn, 'world'>): Promise<string> {
  try {
    const real = await realpath(path)
    await demandOpen(path, { world })
    const { size, ...info } = await stat(real).then((found) => ({ size: found.size, isFile: found.isFile() }))
    if (!info.isFile) throw new WritError('ACTION_TARGET_INVALID.notRegular', { target: path })
    if (size > MAX_BYTES) {
      throw new WritError('ACTION_TARGET_INVALID.tooBig', { target: path, max: MAX_BYTES })
    }
    return real
  } catch (error) {
    if (error instanceof WritError) throw error
    throw new WritError('ACTION_TARGET_MISSING.file', { target: path, why: codeOf(error) }, { cause: error })
  }
}

/** Throws PATH_BLOCKED for a blocked path and for Writ's own records, links followed. */
export async function demandOpen(path: string, { world }: Pick<ActingOn, 'world'>): Promise<void> {
  const fact = await describePath({ path, access: 'read' }, world)
  if (fact.isClosed === true || blockedBy(fact, world) !== undefined) {
    throw new WritError('PATH_BLOCKED.action', { target: path })
  }
}

async function readThrough(path: string, { signal }: ActingOn): Promise<number> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch((cause) => {
    throw new WritError('ACTION_TARGET_MISSING.file', { target: path, why: codeOf(cause) }, { cause })
  })
  try {
    if (!(await file.stat()).isFile()) throw new WritError('ACTION_TARGET_INVALID.notRegular', { target: path })
    const piece = Buffer.allocUnsafe(PIECE)
    let total = 0
    for (;;) {
      if (signal.aborted) throw new WritError('WINDOW_EXPIRED.cancelled')
      const { bytesRead } = await file.read(piece, 0, PIECE, null)
      total += bytesRead
      if (bytesRead === 0 || total >= MAX_BYTES) return total
    }
  } finally {
    await file.close()
  }
}

/** Asked of util-linux's fincore, which asks the kernel without touching the pages. */
export async function residentBytes(paths: readonly string[]): Promise<number | undefined> {
  try {
    const { stdout } = await run('fincore', ['--raw', '--bytes', '--noheadings', '--output', 'RES', '--', ...paths], {
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      timeout: PROBE_MS,
    })
    const numbers = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map(Number)
    if (numbers.length !== paths.length || numbers.some(Number.isNaN)) return undefined
    return numbers.reduce((sum, bytes) => sum + bytes, 0)
  } catch {
    return undefined
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : messageOf(error)
}
