/** The language in use. Only that language's catalogue is loaded. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { Lang } from '../lib/wire.ts'
import type { Texts } from './en.ts'

const KEY = 'writ.lang'

interface Speech {
  lang: Lang
  texts: Texts
  setLang(lang: Lang): void
}

const SpeechContext = createContext<Speech | undefined>(undefined)

export function keptLang(): Lang {
  const kept = localStorage.getItem(KEY)
  if (kept === 'en' || kept === 'zh') return kept
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

export async function loadTexts(lang: Lang): Promise<Texts> {
  return lang === 'zh' ? (await import('./zh.ts')).zh : (await import('./en.ts')).en
}

export function SpeechProvider({ first, children }: { first: { lang: Lang; texts: Texts }; children: ReactNode }) {
  const [spoken, setSpoken] = useState(first)
  useEffect(() => {
    document.documentElement.lang = spoken.lang === 'zh' ? 'zh-CN' : 'en'
  }, [spoken.lang])
  const speech = useMemo<Speech>(
    () => ({
      ...spoken,
      setLang(lang) {
        localStorage.setItem(KEY, lang)
        void loadTexts(lang).then((texts) => setSpoken({ lang, texts }))
      },
    }),
    [spoken],
  )
  return <SpeechContext value={speech}>{children}</SpeechContext>
}

export function useSpeech(): Speech {
  const speech = useContext(SpeechContext)
  if (speech === undefined) throw new Error('useSpeech outside of SpeechProvider')
  return speech
}

export function useTexts(): Texts {
  return useSpeech().texts
}
