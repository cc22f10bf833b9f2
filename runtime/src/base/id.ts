import { randomUUID } from 'node:crypto'

export type IdSource = (prefix: string) => string

/** Sortable by birth: the time first, then enough chance that two machines never agree. */
export const randomIds: IdSource = (prefix) => `${prefix}_${Date.now().toString(36)}${randomUUID().slice(24)}`
