import { randomUUID } from 'node:crypto'

/** Makes ids. */
export type IdSource = (prefix: string) => string

/** Sorts by creation time; the random part keeps ids of different machines distinct. */
export const randomIds: IdSource = (prefix) => `${prefix}_${Date.now().toString(36)}${randomUUID().slice(24)}`
