/** Checks the data folder before anything in it is opened. */
import { statSync } from 'node:fs'
import { loadWorkspace, type WorkspaceContext } from '../agent/workspace-context.ts'
import { messageOf } from '../base/errors.ts'
import { WritError } from '../errors/writ-error.ts'
import { journalFile } from '../storage/data-folder.ts'
import { tryFolder } from '../storage/place.ts'
import { offerAdoption } from './adoption.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'
import { workspaceFlags } from './workspace-flags.ts'

/** The workspace of a verb that writes; an unusable data folder is reported before the work begins. */
export async function writableWorkspace(given: Given, io: Io, loaded?: WorkspaceContext): Promise<WorkspaceContext> {
  const context = loaded ?? (await loadWorkspace(workspaceFlags(given, io)))
  const { data } = context
  if (data === undefined || !isEmbedded(context)) return context
  try {
    tryFolder(data)
  } catch (cause) {
    throw new WritError('STORE_UNREACHABLE.dataFolder', { folder: data, why: reasonOf(cause) }, { cause })
  }
  await offerAdoption(context, given, io)
  return context
}

/** A folder without access is an error: taken for missing, it would pass for an empty journal. */
export function hasJournal(context: WorkspaceContext): boolean {
  const { data } = context
  if (data === undefined || !isEmbedded(context)) return true
  try {
    return statSync(journalFile(data)).size >= 0
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return false
    throw new WritError('STORE_UNREACHABLE.journal', { folder: data, why: reasonOf(cause) }, { cause })
  }
}

function isEmbedded({ loaded, env }: WorkspaceContext): boolean {
  if (loaded.config.store !== 'postgres') return true
  if (!env.WRIT_DATABASE_URL) throw new WritError('STORE_UNREACHABLE.databaseUnset')
  return false
}

export function unwritable(file: string, cause: unknown): WritError {
  return new WritError('OUTPUT_UNWRITABLE', { file, why: reasonOf(cause) }, { cause })
}

/** Without the system call and its path, which may differ from the path the user gave. */
export function reasonOf(error: unknown): string {
  return messageOf(error).split(', ', 1)[0] ?? ''
}

/** The code of a system error, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && 'syscall' in error ? String(error.code) : undefined
}
