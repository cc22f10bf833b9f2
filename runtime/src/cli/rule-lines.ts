/** Remembered rules as lines: id, where it holds, what it allows. */
import type { Lang } from '../base/lang.ts'
import type { StoredRule } from '../config/remembered-rules.ts'
import { ruleWords } from '../i18n/offer-words.ts'
import { oneLine } from '../protocol/visible-text.ts'
import { questionTexts } from './question-texts.ts'

export function ruleLines(rules: readonly StoredRule[], lang: Lang): string[] {
  const { everywhere } = questionTexts(lang)
  return rules.map(
    ({ id, workspace, rule }) => `  ${id}  ${oneLine(workspace ?? everywhere)}  ${oneLine(ruleWords(rule, lang))}`,
  )
}
