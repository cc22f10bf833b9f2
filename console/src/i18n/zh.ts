/** 控制台的中文文本。 */
import type { Texts } from './en.ts'
import { codes } from './zh-codes.ts'
import { govern } from './zh-govern.ts'
import { use } from './zh-use.ts'
import { words } from './zh-words.ts'

export const zh: Texts = { ...use, ...govern, codes, words }
