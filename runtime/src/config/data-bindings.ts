/**
 * The data folders of this user on this machine. Stored in the user's configuration folder, one file each: a folder
 * from elsewhere cannot bring its binding along, and processes do not overwrite each other's.
 */
import { readFileSync } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../base/hash.ts'
import { isObject } from '../base/json.ts'
import { writePrivately } from '../base/private-file.ts'

export interface Binding {
  /** The path it is used under, and its real path. */
  folder: string
  real: string
  /** Identifies the database file: a replaced file differs. */
  id: string
  user: string
  machine: string
}

/** The file of a folder's binding, and beside it the marks of processes that use the folder. */
export function bindingPlace(configHome: string, folder: string): string {
  return join(configHome, 'data', sha256(folder))
}

/** Undefined also when the record is not trustworthy: the folder is then not bound. */
export async function readBinding(configHome: string, folder: string): Promise<Binding | undefined> {
  const file = `${bindingPlace(configHome, folder)}.json`
  try {
    const stat = await lstat(file)
    // Write access to this file is the right to bind any folder.
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

/** Empty where the system has no such file; the configuration folder still belongs to one machine. */
function machineMark(): string {
  try {
    const id = readFileSync('/etc/machine-id', 'utf8').trim()
    return id === '' ? '' : sha256(`writ:${id}`)
  } catch {
    return ''
  }
}
