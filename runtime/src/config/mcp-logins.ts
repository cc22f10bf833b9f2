/** What `writ mcp login` stored: tokens of MCP servers, in a file beside the provider keys and closed like it. */
import * as z from 'zod'
import type { JsonObject } from '../base/json.ts'
import { writePrivately } from '../base/private-file.ts'
import { WritError } from '../errors/writ-error.ts'
import { keyFile, readSecretText } from './key-file.ts'

const record = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
const login = z.strictObject({
  /** The server it is for: another address under the same name gets no token. */
  url: z.string(),
  client: record.optional(),
  tokens: record.optional(),
  discovery: record.optional(),
})
const logins = z.record(z.string(), login)

export type StoredLogin = z.output<typeof login>

/** Files whose names continue that of the key file are closed to every tool. */
export function loginsFile(configHome: string): string {
  return `${keyFile(configHome)}.mcp`
}

export async function readLogins(file: string): Promise<Readonly<Record<string, StoredLogin>>> {
  const text = await readSecretText(file)
  if (text === undefined) return {}
  try {
    return logins.parse(JSON.parse(text))
  } catch {
    // Its error would quote the file.
    throw new WritError('KEYS_INVALID', { file })
  }
}

export async function storeLogin(file: string, server: string, stored: StoredLogin): Promise<void> {
  await writePrivately(file, `${JSON.stringify({ ...(await readLogins(file)), [server]: stored }, null, 2)}\n`)
}

/** The values that are secret. */
export function loginSecrets(stored: Readonly<Record<string, StoredLogin>>): string[] {
  const fields = ['access_token', 'refresh_token', 'id_token', 'client_secret']
  const all = Object.values(stored).flatMap(({ tokens = {}, client = {} }) => [tokens, client])
  return all.flatMap((part) => fields.map((field) => part[field])).filter((value) => typeof value === 'string')
}
