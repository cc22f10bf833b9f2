import type { Json, JsonObject } from '../../base/json.ts'
import { isObject } from '../../base/json.ts'

const SECRET_KEY = /(api[-_]?key|token|secret|password|passwd|authorization|credential|cookie|private[-_]?key)$/i
const SECRET_VALUE =
  /\b(sk-[\w-]{8,}|gh[pousr]_\w{16,}|github_pat_\w{16,}|xox[abprs]-[\w-]{8,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|Bearer\s+\S{8,})|(?<=:\/\/[^/\s:@]*:)[^/\s@]+(?=@)/g

/** A copy that may be shown: values of secret-looking keys, and values that look like secrets, become `***`. */
export function maskSecrets(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      SECRET_KEY.test(key) && typeof item === 'string' && item !== '' ? '***' : maskValue(item),
    ]),
  )
}

function maskValue(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return value.replace(SECRET_VALUE, '***')
  if (Array.isArray(value)) return value.map((item: Json) => maskValue(item) ?? null)
  return isObject(value) ? maskSecrets(value as JsonObject) : value
}
