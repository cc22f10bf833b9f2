/** A result text as a person reads it: the protocol marks of a failure become words. */
import type { Lang } from '../base/lang.ts'
import { RESULT_MARKS } from '../protocol/observation.ts'

type Mark = keyof typeof RESULT_MARKS

const WORDS: Record<Lang, Record<Mark, string>> = {
  en: { failed: 'failed:', error: 'error:', partial: 'output before it failed:' },
  zh: { failed: '失败：', error: '错误：', partial: '失败之前的输出：' },
}

/** Only of a call that did not succeed: a file may contain the same characters. */
export function resultWords(text: string, lang: Lang): string {
  const words = WORDS[lang]
  for (const mark of ['failed', 'error'] as const) {
    const sign = `${RESULT_MARKS[mark]} `
    if (!text.startsWith(sign)) continue
    const gap = lang === 'zh' ? '' : ' '
    return partialWords(`${words[mark]}${gap}${text.slice(sign.length)}`, lang)
  }
  return text
}

/** Words first: the code is for programs and for looking it up. */
export function withCode(text: string, code: string | undefined, lang: Lang): string {
  if (code === undefined) return text
  return lang === 'zh' ? `${text}（${code}）` : `${text} (${code})`
}

export function partialWords(text: string, lang: Lang): string {
  return text.replace(`\n${RESULT_MARKS.partial}\n`, () => `\n${WORDS[lang].partial}\n`)
}
