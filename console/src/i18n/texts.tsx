/** The current language. Only its texts are loaded. */
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { keepLang } from '../lib/lang.ts'
import type { Lang } from '../lib/wire.ts'
import type { Texts } from './en.ts'

interface Language {
  lang: Lang
  texts: Texts
  setLang(lang: Lang): void
}

const LanguageContext = createContext<Language | undefined>(undefined)

export async function loadTexts(lang: Lang): Promise<Texts> {
  return lang === 'zh' ? (await import('./zh.ts')).zh : (await import('./en.ts')).en
}

export function LanguageProvider({ first, children }: { first: { lang: Lang; texts: Texts }; children: ReactNode }) {
  const client = useQueryClient()
  const [current, setCurrent] = useState(first)
  useEffect(() => {
    document.documentElement.lang = current.lang === 'zh' ? 'zh-CN' : 'en'
  }, [current.lang])
  const language = useMemo<Language>(
    () => ({
      ...current,
      setLang(lang) {
        keepLang(lang)
        void loadTexts(lang).then((texts) => setCurrent({ lang, texts }))
        // Texts of the server are fetched again in the new language.
        void client.invalidateQueries()
      },
    }),
    [current, client],
  )
  return <LanguageContext value={language}>{children}</LanguageContext>
}

export function useLanguage(): Language {
  const language = useContext(LanguageContext)
  if (language === undefined) throw new Error('useLanguage outside of LanguageProvider')
  return language
}

export function useTexts(): Texts {
  return useLanguage().texts
}
