/** The English texts of the console. */
import { codes } from './en-codes.ts'
import { govern } from './en-govern.ts'
import { use } from './en-use.ts'
import { words } from './en-words.ts'

export const en = { ...use, ...govern, codes, words }

export type Texts = typeof en
