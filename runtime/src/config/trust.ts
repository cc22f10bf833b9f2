/** Trusted workspaces with the state of their files. Stored in the user's configuration folder. */
import { lstat, readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isObject } from '../base/json.ts'
import { writePrivately } from '../base/private-file.ts'
import { CONFIG_FILE } from './places.ts'
import { type Marks, marksOf } from './trusted-files.ts'

/** `changed`: it was trusted, but files that reach the prompt or run have changed since. */
export type Trust = 'trusted' | 'changed' | 'untrusted'

/** Up to 0.9 a single string, for the configuration file only. */
type Remembered = string | Marks
type TrustRecord = Record<string, Remembered>

export interface TrustChange {
  file: string
  change: 'new' | 'changed' | 'gone'
}

export function trustFile(configHome: string): string {
  return join(configHome, 'trusted.json')
}

export async function realWorkspace(workspace: string): Promise<string> {
  return realpath(workspace).catch(() => resolve(workspace))
}

/** Undefined when the record exists but is not trustworthy: nothing is then trusted. */
export async function readTrust(file: string): Promise<TrustRecord | undefined> {
  try {
    const stat = await lstat(file)
    // Write access to this file is the right to trust any workspace.
    if (!stat.isFile() || (stat.mode & 0o022) !== 0) return undefined
    const record: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (!isObject(record) || !isObject(record.workspaces)) return undefined
    const entries = Object.entries(record.workspaces)
    return Object.fromEntries(entries.filter((entry): entry is [string, Remembered] => isRemembered(entry[1])))
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? {} : undefined
  }
}

function isRemembered(value: unknown): value is Remembered {
  return (
    typeof value === 'string' || (isObject(value) && Object.values(value).every((mark) => typeof mark === 'string'))
  )
}

/** `marks` is undefined when there are too many files. */
export function trustOf(record: TrustRecord | undefined, workspace: string, marks: Marks | undefined): Trust {
  const then = rememberedOf(record, workspace)
  if (then === undefined) return 'untrusted'
  return marks !== undefined && changesSince(then, marks).length === 0 ? 'trusted' : 'changed'
}

export function rememberedOf(record: TrustRecord | undefined, workspace: string): Marks | undefined {
  const then = record === undefined || !Object.hasOwn(record, workspace) ? undefined : record[workspace]
  if (typeof then !== 'string') return then
  return then === 'none' ? {} : { [CONFIG_FILE]: then }
}

export function changesSince(then: Marks, now: Marks): TrustChange[] {
  const names = [...new Set([...Object.keys(then), ...Object.keys(now)])].sort()
  return names.flatMap((file): TrustChange[] => {
    const [before, after] = [Object.hasOwn(then, file) && then[file], Object.hasOwn(now, file) && now[file]]
    if (before === after) return []
    return [{ file, change: before === false ? 'new' : after === false ? 'gone' : 'changed' }]
  })
}

export async function trustWorkspace(file: string, workspace: string, marks: Marks): Promise<void> {
  await writeTrust(file, { ...(await readTrust(file)), [workspace]: marks })
}

/** False when there was no trust to revoke. */
export async function revokeTrust(file: string, workspace: string): Promise<boolean> {
  const { [workspace]: mark, ...rest } = (await readTrust(file)) ?? {}
  if (mark === undefined) return false
  await writeTrust(file, rest)
  return true
}

async function writeTrust(file: string, workspaces: TrustRecord): Promise<void> {
  await writePrivately(file, `${JSON.stringify({ workspaces }, null, 2)}\n`)
}

/** After the user changed a file through Writ: other changes stay untrusted. */
export async function keepTrust(file: string, workspace: string, name: string): Promise<void> {
  const then = rememberedOf(await readTrust(file), workspace)
  const now = await marksOf(workspace)
  if (then === undefined || now === undefined) return
  const { [name]: _, ...others } = then
  const mark = now[name]
  await trustWorkspace(file, workspace, mark === undefined ? others : { ...others, [name]: mark })
}
