/** Why something is dangerous, not understood or has failed, in the reader's language. */
import type { Lang } from '../base/lang.ts'
import type { Why } from '../protocol/why.ts'
import { DANGER_REASONS } from './why-danger.ts'
import { reason, type WhyEntry } from './why-entry.ts'
import { GIT_REASONS } from './why-git.ts'
import { MODEL_REASONS } from './why-model.ts'
import { SHELL_REASONS } from './why-shell.ts'

export const REASONS = {
  ...DANGER_REASONS,
  ...GIT_REASONS,
  ...MODEL_REASONS,
  ...SHELL_REASONS,
  /** An error of the catalogue; see `whyOf`. */
  error: reason<{ en: string; zh: string }>(
    ({ en }) => en,
    ({ zh }) => zh,
  ),
}

export type WhyCode = keyof typeof REASONS
type ValuesOf<Code extends WhyCode> = (typeof REASONS)[Code] extends WhyEntry<infer Values> ? Values : never
/** A text may itself be a reason. */
type Given<Values> = { [Name in keyof Values]: Values[Name] extends string ? Why : Values[Name] }
type Args<Code extends WhyCode> = ValuesOf<Code> extends void ? [] : [values: Given<ValuesOf<Code>>]

/** Codes whose texts need exactly these values. */
export type CodeOf<Values> = { [Code in WhyCode]: ValuesOf<Code> extends Values ? Code : never }[WhyCode]

export function why<Code extends WhyCode>(code: Code, ...[values]: Args<Code>): Why {
  return { code, ...values }
}

export function whyText(given: Why, lang: Lang): string {
  if (typeof given === 'string') return given
  const { code, ...values } = given
  // A newer version may have recorded a code that this one does not know.
  if (!Object.hasOwn(REASONS, code)) return code
  const worded = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : whyText(value, lang),
  ])
  const entry = REASONS[code as WhyCode] as WhyEntry<unknown>
  return entry[lang](Object.fromEntries(worded))
}

/** Older journals have all reasons in one text. */
export function whysText(given: string | readonly Why[], lang: Lang): string {
  if (typeof given === 'string') return given
  return given.map((each) => whyText(each, lang)).join(lang === 'zh' ? '；' : '; ')
}

export function distinct(whys: readonly Why[]): Why[] {
  return [...new Map(whys.map((each) => [JSON.stringify(each), each])).values()]
}
