/** A rule in one line, as lists show it. Rules come from files of others: nothing in them can move the cursor. */

import type { Lang } from '../base/lang.ts'
import { codeWord, namedCode } from '../i18n/code-words.ts'
import type { LayeredRule, Rule } from '../protocol/rule.ts'
import type { ShadowVerdict } from '../protocol/verdict.ts'
import { oneLine } from '../protocol/visible-text.ts'

/** `shell command=git push * flags=--force`; `*` where it applies to every call. */
export function conditionText({ tool, when = {} }: Rule): string {
  const { args = {}, ...others } = when
  const parts = [
    ...(tool === undefined ? [] : [listText(tool)]),
    ...Object.entries(others).map(([name, value]) => `${name}=${listText(value)}`),
    ...Object.entries(args).map(([pointer, wanted]) => `${pointer}=${JSON.stringify(wanted)}`),
  ]
  return oneLine(parts.join('  ') || '*')
}

/** `deny, user, agent.config.json:3:7: no force pushes` */
export function ruleText({
  decide,
  layer,
  from,
  reason,
}: Pick<LayeredRule, 'decide' | 'layer' | 'from' | 'reason'>): string {
  const place = from === layer ? '' : `, ${from}`
  return oneLine(`${decide}, ${layer}${place}${reason === undefined ? '' : `: ${reason}`}`)
}

function listText(value: unknown): string {
  return [value].flat().join(' | ')
}

/** The decision of the shadow policy, and the rule or the reason behind it. */
export function shadowParts({ decision, reason, rule }: ShadowVerdict, lang: Lang): { decision: string; why: string } {
  return {
    decision: codeWord(decision, lang),
    why: rule === undefined ? namedCode(reason ?? '', lang) : ruleText(rule),
  }
}
