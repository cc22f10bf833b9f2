/** The languages every text exists in. */
export type Lang = 'en' | 'zh'

/** For a text that is written before its reader is known. */
export type Bilingual = Readonly<Record<Lang, string>>

export function inBothLanguages(write: (lang: Lang) => string): Bilingual {
  return { en: write('en'), zh: write('zh') }
}
