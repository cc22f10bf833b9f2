/** The language chosen by the user, else the browser's. */
import type { Lang } from './wire.ts'

const KEY = 'writ.lang'

export function keptLang(): Lang {
  const kept = localStorage.getItem(KEY)
  if (kept === 'en' || kept === 'zh') return kept
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

export function keepLang(lang: Lang): void {
  localStorage.setItem(KEY, lang)
}
