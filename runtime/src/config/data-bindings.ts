/**
 * Which data folders this user has on this machine. Kept in the user's own folder, one file for each: a folder that
 * came from elsewhere cannot bring its binding along, and two processes never rewrite each other's.
 */
import { readFileSync } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../base/hash.ts'
import { isObject } from '../base/json.ts'
import { writePrivately } from '../base/private-file.ts'

export interface Binding {
  /** The path under which it is used, and where that leads. */
  folder: string
  real: string
  /** Of the database in it: another file in its place has another. */
  id: string
  user: string
  machine: string
}

/** Where the binding of a folder is kept, and beside it what says that the folder is in use. */
export function bindingPlace(configHome: string, folder: string): string {
  return join(configHome, 'data', sha256(folder))
}

/** Undefined also when the record cannot be relied on: then the folder is not bound. */
export async function readBinding(configHome: string, folder: string): Promise<Binding | undefined> {
  const file = `${bindingPlace(configHome, folder)}.json`
  try {
    const stat = await lstat(file)
    // Whoever may write this file may bind any folder in our name.
    if (!stat.isFile() || (stat.mode & 0o022) !== 0) return undefined
    const record: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (!isObject(record)) return undefined
    const { id, real, user, machine } = record
    const texts = [id, real, user, machine].every((value) => typeof value === 'string')
    return texts && record.folder === folder ? (record as unknown as Binding) : undefined
  } catch {
    return undefined
  }
}

export async function writeBinding(configHome: string, binding: Omit<Binding, 'user' | 'machine'>): Promise<void> {
  const file = `${bindingPlace(configHome, binding.folder)}.json`
  await writePrivately(file, `${JSON.stringify({ ...binding, ...ownMarks() }, null, 2)}\n`)
}

export function isOwn(binding: Binding): boolean {
  const { user, machine } = ownMarks()
  return binding.user === user && binding.machine === machine
}

function ownMarks(): Pick<Binding, 'user' | 'machine'> {
  return { user: String(process.getuid?.() ?? userInfo().username), machine: machineMark() }
}

/** Empty where the system has no such file; the user's own folder is on one machine there all the same. */
function machineMark(): string {
  try {
    const id = readFileSync('/etc/machine-id', 'utf8').trim()
    return id === '' ? '' : sha256(`writ:${id}`)
  } catch {
    return ''
  }
}
