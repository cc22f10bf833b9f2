import { WritError } from '../base/errors.ts'
import { en, type Messages } from './en.ts'
import { zh } from './zh.ts'

export type Lang = 'en' | 'zh'
type Env = Readonly<Record<string, string | undefined>>

export function messages(lang: Lang): Messages {
  return lang === 'zh' ? zh : en
}

/** `zh`, `zh-CN`, `zh_TW.UTF-8`; undefined for a language we do not speak. */
export function parseLang(name: string | undefined): Lang | undefined {
  const language = /^(en|zh)(?:[-_.@]|$)/i.exec(name?.trim() ?? '')?.[1]?.toLowerCase()
  return language === 'en' || language === 'zh' ? language : undefined
}

/** The flag, WRIT_LANG, the configuration, the system's locale; English when none of them speaks. */
export function pickLang(flag: string | undefined, env: Env, configured?: Lang): Lang {
  const system = parseLang(env.LC_ALL || env.LC_MESSAGES || env.LANG) ?? 'en'
  const chosen = parseLang(flag)
  if (flag !== undefined && chosen === undefined) {
    const texts = messages(system).cli
    throw new WritError('USAGE', texts.langUnknown({ value: flag }), { hint: texts.langHint })
  }
  return chosen ?? parseLang(env.WRIT_LANG) ?? configured ?? system
}
