import type { Lang } from '../base/lang.ts'
import { WritError } from '../errors/writ-error.ts'
import { en, type Messages } from './en.ts'
import { zh } from './zh.ts'

export type { Lang }

type Env = Readonly<Record<string, string | undefined>>

export function messages(lang: Lang): Messages {
  return lang === 'zh' ? zh : en
}

/** Accepts `zh`, `zh-CN`, `zh_TW.UTF-8`; undefined for an unsupported language. */
export function parseLang(name: string | undefined): Lang | undefined {
  const language = /^(en|zh)(?:[-_.@]|$)/i.exec(name?.trim() ?? '')?.[1]?.toLowerCase()
  return language === 'en' || language === 'zh' ? language : undefined
}

/** The flag, WRIT_LANG, the configuration, the system locale, then English. */
export function pickLang(flag: string | undefined, env: Env, configured?: Lang): Lang {
  const system = parseLang(env.LC_ALL || env.LC_MESSAGES || env.LANG) ?? 'en'
  const chosen = parseLang(flag)
  if (flag !== undefined && chosen === undefined) throw new WritError('USAGE.language', { value: flag })
  return chosen ?? parseLang(env.WRIT_LANG) ?? configured ?? system
}
