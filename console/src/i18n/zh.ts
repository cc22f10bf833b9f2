/** 控制台的中文文本。 */

import { codes } from '../../../runtime/src/i18n/code-meanings-zh.ts'
import { words } from '../../../runtime/src/i18n/code-words-zh.ts'
import type { Texts } from './en.ts'
import { govern } from './zh-govern.ts'
import { use } from './zh-use.ts'

export const zh: Texts = { ...use, ...govern, codes, words }
