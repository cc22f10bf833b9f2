/**
 * Keys of model providers that `writ setup` stored: a file of its own in the user's configuration folder, readable only
 * by the user. The environment wins over it. No tool can read or write it, and no setting moves it.
 */
import { join } from 'node:path'
import { isObject } from '../base/json.ts'
import { writePrivately } from '../base/private-file.ts'
import { WritError } from '../errors/writ-error.ts'
import { readConfigText } from './file.ts'

/** By provider. */
export type Keys = Readonly<Record<string, string>>

export function keyFile(configHome: string): string {
  return join(configHome, 'keys.json')
}

/** Refuses a file that others can read, or that is another user's. */
export function readSecretText(file: string): Promise<string | undefined> {
  return readConfigText(file, ({ mode, uid }) => {
    if (process.getuid !== undefined && uid !== process.getuid()) throw new WritError('KEYS_FOREIGN', { file })
    if ((mode & 0o077) !== 0) throw new WritError('KEYS_EXPOSED', { file })
  })
}

export async function readKeys(file: string): Promise<Keys> {
  const text = await readSecretText(file)
  return text === undefined ? {} : (parsed(text) ?? invalid(file))
}

export async function storeKey(file: string, provider: string, key: string): Promise<void> {
  const keys = await readKeys(file)
  await writePrivately(file, `${JSON.stringify({ ...keys, [provider]: key }, null, 2)}\n`)
}

function parsed(text: string): Keys | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value) || !Object.values(value).every((key) => typeof key === 'string')) return undefined
    return value as Keys
  } catch {
    // The error of JSON.parse would quote the file.
    return undefined
  }
}

function invalid(file: string): never {
  throw new WritError('KEYS_INVALID', { file })
}
