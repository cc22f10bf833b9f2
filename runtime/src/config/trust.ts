/** Which workspaces their user has trusted, and with which configuration. Kept in the user's own folder. */
import { lstat, readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { sha256 } from '../base/hash.ts'
import { isObject } from '../base/json.ts'
import { writePrivately } from '../base/private-file.ts'

/** `changed`: it was trusted, but its configuration file is another one now. */
export type Trust = 'trusted' | 'changed' | 'untrusted'

type TrustRecord = Record<string, string>

export function trustFile(configHome: string): string {
  return join(configHome, 'trusted.json')
}

/** What is remembered of a configuration file; a workspace without one has a mark too, and an empty one says no more. */
export function markOf(text: string | undefined): string {
  return text ? sha256(text) : 'none'
}

export async function realWorkspace(workspace: string): Promise<string> {
  return realpath(workspace).catch(() => resolve(workspace))
}

/** Undefined when the record is there and cannot be relied on: then nothing is trusted. */
export async function readTrust(file: string): Promise<TrustRecord | undefined> {
  try {
    const stat = await lstat(file)
    // Whoever may write this file may trust any workspace in our name.
    if (!stat.isFile() || (stat.mode & 0o022) !== 0) return undefined
    const record: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (!isObject(record) || !isObject(record.workspaces)) return undefined
    const entries = Object.entries(record.workspaces)
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? {} : undefined
  }
}

export function trustOf(record: TrustRecord | undefined, workspace: string, mark: string): Trust {
  const trusted = record === undefined || !Object.hasOwn(record, workspace) ? undefined : record[workspace]
  if (trusted === undefined) return 'untrusted'
  return trusted === mark ? 'trusted' : 'changed'
}

export async function trustWorkspace(file: string, workspace: string, mark: string): Promise<void> {
  await writeTrust(file, { ...(await readTrust(file)), [workspace]: mark })
}

/** False when there was nothing to take back. */
export async function revokeTrust(file: string, workspace: string): Promise<boolean> {
  const { [workspace]: mark, ...rest } = (await readTrust(file)) ?? {}
  if (mark === undefined) return false
  await writeTrust(file, rest)
  return true
}

async function writeTrust(file: string, workspaces: TrustRecord): Promise<void> {
  await writePrivately(file, `${JSON.stringify({ workspaces }, null, 2)}\n`)
}
