import { hash } from 'node:crypto'
import { canonical } from './json.ts'

export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

/** Independent of the order of keys. */
export function fingerprint(value: unknown): string {
  return sha256(canonical(value))
}
