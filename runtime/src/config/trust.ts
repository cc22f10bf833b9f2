/** Which workspaces their user has trusted, and with which configuration. Kept in the user's own folder. */
import { lstat, readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isObject } from '../base/json.ts'
import { writePrivately } from '../base/private-file.ts'
import { CONFIG_FILE } from './places.ts'
import { type Marks, marksOf } from './trusted-files.ts'

/** `changed`: it was trusted, but what reaches the prompt or runs is not what it was then. */
export type Trust = 'trusted' | 'changed' | 'untrusted'

/** Up to 0.9 a single text, about the configuration file alone. */
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

/** Undefined when the record is there and cannot be relied on: then nothing is trusted. */
export async function readTrust(file: string): Promise<TrustRecord | undefined> {
  try {
    const stat = await lstat(file)
    // Whoever may write this file may trust any workspace in our name.
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

/** `marks` undefined: there was too much to look at. */
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

/** After the user has changed one file through Writ itself: what else has changed stays untrusted. */
export async function keepTrust(file: string, workspace: string, name: string): Promise<void> {
  const then = rememberedOf(await readTrust(file), workspace)
  const now = await marksOf(workspace)
  if (then === undefined || now === undefined) return
  const { [name]: _, ...others } = then
  const mark = now[name]
  await trustWorkspace(file, workspace, mark === undefined ? others : { ...others, [name]: mark })
}
