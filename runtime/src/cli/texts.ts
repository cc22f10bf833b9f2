import type { Lang } from '../i18n/locale.ts'
import { type CliTexts, en } from './texts-en.ts'
import { zh } from './texts-zh.ts'

export function cliTexts(lang: Lang): CliTexts {
  return lang === 'zh' ? zh : en
}
