import { Buffer } from 'node:buffer'
import { randomFillSync } from 'node:crypto'

/** Makes ids. */
export type IdSource = (prefix: string) => string

const BYTES = 6
/** Random bytes for many ids: asking for a few costs as much as asking for all. */
const pool = Buffer.alloc(BYTES * 256)
let used = pool.length

/** Sorts by creation time; the random part keeps ids of different machines distinct. */
export const randomIds: IdSource = (prefix) => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += BYTES
  return `${prefix}_${Date.now().toString(36)}${pool.toString('hex', used - BYTES, used)}`
}
