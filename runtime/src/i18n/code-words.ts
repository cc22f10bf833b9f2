/** Codes in words, for people. The codes themselves are protocol and are never translated. */
import type { Lang } from '../base/lang.ts'
import { codes as meaningsEn } from './code-meanings-en.ts'
import { codes as meaningsZh } from './code-meanings-zh.ts'
import { words as wordsEn } from './code-words-en.ts'
import { words as wordsZh } from './code-words-zh.ts'
import { withCode } from './result-words.ts'

type Table = Readonly<Record<string, string>>

const TABLES: Record<Lang, readonly Table[]> = { en: [wordsEn, meaningsEn], zh: [wordsZh, meaningsZh] }

/** The short word where there is one, else the meaning. A code without either stays. */
export function codeWord(code: string, lang: Lang): string {
  return TABLES[lang].find((table) => Object.hasOwn(table, code))?.[code] ?? code
}

/** `Finished (final)`; of `REASON/CODE`, the second says more. A code that is the word is shown once. */
export function namedCode(code: string, lang: Lang): string {
  const word = codeWord(code.slice(code.lastIndexOf('/') + 1), lang)
  if (code.toLowerCase().endsWith(word.toLowerCase())) return code
  return withCode(word, code, lang)
}
