/** The English texts of the console. */
import { codes } from './en-codes.ts'
import { govern } from './en-govern.ts'
import { use } from './en-use.ts'

export const en = { ...use, ...govern, codes }

export type Texts = typeof en
