import { hash } from 'node:crypto'
import { canonical } from './json.ts'

export function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}

/** The same for equal values, whatever the order of their keys. */
export function fingerprint(value: unknown): string {
  return sha256(canonical(value))
}
