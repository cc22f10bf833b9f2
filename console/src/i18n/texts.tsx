/** The language in use. Only that language's catalogue is loaded. */
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { keepLang } from '../lib/lang.ts'
import type { Lang } from '../lib/wire.ts'
import type { Texts } from './en.ts'

interface Speech {
  lang: Lang
  texts: Texts
  setLang(lang: Lang): void
}

const SpeechContext = createContext<Speech | undefined>(undefined)

export async function loadTexts(lang: Lang): Promise<Texts> {
  return lang === 'zh' ? (await import('./zh.ts')).zh : (await import('./en.ts')).en
}

export function SpeechProvider({ first, children }: { first: { lang: Lang; texts: Texts }; children: ReactNode }) {
  const client = useQueryClient()
  const [spoken, setSpoken] = useState(first)
  useEffect(() => {
    document.documentElement.lang = spoken.lang === 'zh' ? 'zh-CN' : 'en'
  }, [spoken.lang])
  const speech = useMemo<Speech>(
    () => ({
      ...spoken,
      setLang(lang) {
        keepLang(lang)
        void loadTexts(lang).then((texts) => setSpoken({ lang, texts }))
        // What the server writes itself, it writes in the new language from now on.
        void client.invalidateQueries()
      },
    }),
    [spoken, client],
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
