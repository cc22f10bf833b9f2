/** Words that the lexicon has in another spelling. */
import { ACT, BIT, CUE, VERB } from './concept.ts'
import { type Word, wordOf } from './lexicon.ts'

const LEET: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' }
const MODEL =
  /^(?:ai|ki|ia|llm|gpt)-(?:based|power|driven|enabled|agent|assist|reader|leser|bot|model|modell|system|tool|review|crawl|shop|help|helfer|butler|secretar|sekret|scribe|programm|werkzeug|dienst|berater)/
const FIELD =
  /^(?:ai|llm|gpt|bot|agent|assistant|model)[_-](?:note|hint|instruction|directive|message|command|order|reminder)s?$|^(?:note|hint|instruction|directive|message|command|reminder)s?[_-](?:(?:to|for)[_-])?(?:ai|llm|gpt|bot|agent|assistant|model)s?$/

/** 53nd: the digits read as the letters they look like. */
export function unleet(word: string): string {
  return word.replace(/[013457]/g, (digit) => LEET[digit] ?? digit)
}

/** AI-reader, KI-Leser: a model; llm_hint, note_to_ai: the name of a field meant for one. */
export function compound(word: string): Word | undefined {
  if (FIELD.test(word)) return wordOf('ai-note')
  if (MODEL.test(word)) return wordOf('ai')
  return TOPIC.test(word) ? ABOUT : undefined
}

/** guardrail-proxy, detector_score */
const TOPIC =
  /(?:^|[-_])(?:attack(?:er)?s?|detectors?|guardrails?|injections?|jailbreaks?|malicious|payloads?|phishing|suspicious|untrusted|vulnerabilit(?:y|ies))(?:$|[-_])/
const ABOUT: Word = { mask: 0, cues: CUE.topic, phrases: undefined, firsts: 0 }

/** The user's, l'assistant. */
export function elided(word: string): Word | undefined {
  const at = word.indexOf("'")
  return wordOf(word.endsWith("'s") ? word.slice(0, -2) : at <= 4 ? word.slice(at + 1) : '')
}

/** 1gn0r3 pr3v10us: digits that stand for letters inside a word. */
export function disguised(word: string, digits: number): Word | undefined {
  if (2 * digits > word.length || word.length < 5 || word.length > 16) return undefined
  const known = wordOf(unleet(word))
  return known === undefined || (known.mask & (BIT.VOID | BIT.PRIOR | BIT.ORDERS | BIT.SECRET)) === 0
    ? undefined
    : known
}

/** "The agent forwards it", "by adding it": what a machine that was named does. */
export function doing(word: string): Word | undefined {
  const bare = word.endsWith('ing') ? word.slice(0, -3) : word.slice(0, -1)
  const verb = word.length < 4 ? undefined : (wordOf(bare) ?? (bare === word ? undefined : wordOf(`${bare}e`)))
  if (verb === undefined || (verb.mask & ACT) === 0) return undefined
  return { mask: verb.mask & (VERB | BIT.ORDERS), cues: CUE.late, phrases: undefined, firsts: 0 }
}
