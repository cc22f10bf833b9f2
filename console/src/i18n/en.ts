/** The English texts of the console. */
import { codes } from '../../../runtime/src/i18n/code-meanings-en.ts'
import { words } from '../../../runtime/src/i18n/code-words-en.ts'
import { govern } from './en-govern.ts'
import { use } from './en-use.ts'

export const en = { ...use, ...govern, codes, words }

export type Texts = typeof en
