/** Why a text that orders something may name the target all the same: the user wants its writer, or sent us there. */
import type { TargetFact } from '../../protocol/facts.ts'
import { readText } from '../read-text.ts'
import { distinctIn, hostOf, type Stranger, userWords, wordsOf } from '../sightings.ts'
import { allowance, covers, type Reading, valuesOf } from './reading.ts'

/** "… to Bob", "发给王伟": the user has said who is meant. */
const NAMES_RECIPIENT =
  /\b(?:tell|inform|notify|answer|remind|thank)\s+(?:the|my|our|his|her|their|\p{Lu})|\b(?:to|with|an|à|para|a)\s+\p{Lu}\p{L}+|给(?!我)\p{L}/u

/** True when the target is who wrote the text, the user has named him, and asks for the deed. */
export function isAnswered({ matter, asked }: Reading, { read, args }: Stranger, target: TargetFact): boolean {
  const { deed } = matter.facts
  if (deed === undefined || !covers(asked, deed)) return false
  const words = userWords(matter.state)
  const site = siteOf(args, target)
  if (site !== undefined && words.some((one) => one.holds(site))) return true
  const writer = writerOf(read.text, target)
  if (writer === undefined) return false
  if (allowance(asked, deed) === Number.POSITIVE_INFINITY) return true
  return words.some((one) => wordsOf(writer).some((name) => one.holds(name)))
}

/** "From Anna Berg <anna@…>", "Grandma (+44 …): …", "sender: anna@…". */
function writerOf(text: string, { value }: TargetFact): string | undefined {
  const at = RegExp.escape(value)
  const named = new RegExp(
    `(?:^|[\\n\\]|]|\\bfrom[:=]?|发件人[:：]?) {0,4}['"]?(\\p{L}[^\\n<(:,;]{1,60}?)[<(] ?${at}`,
    'iu',
  )
  const field = new RegExp(`(?:from|sender|author|发件人)['"]? ?[:：=] ?['"]?${at}`, 'iu')
  return named.exec(text)?.[1] ?? (field.test(text) ? value.replace(/@.*/, '') : undefined)
}

/** An address at the very site that was opened. */
function siteOf(args: unknown, { kind, value }: TargetFact): string | undefined {
  const site = kind === 'email' ? value.replace(/^.*@/, '') : undefined
  return valuesOf(args).some((one) => hostOf({ kind: 'url', value: one }) === site) ? site : undefined
}

/** True when the user sent us to this very text for this deed ("pay the invoice in D-31") and left it to say the target. */
export function isPointedAt({ matter, strangers, asked }: Reading, stranger: Stranger): boolean {
  const { deed = 'send' } = matter.facts
  if (!covers(asked, deed)) return false
  return userWords(matter.state).some(({ text, sentences }) => {
    const named = valuesOf(stranger.args).filter((value) => isDistinct(value) || isQuoted(text, value))
    return sentences.some((sentence, i) => {
      if (!named.some((value) => sentence.text.toLowerCase().includes(value.toLowerCase()))) return false
      const around = [sentences[i - 1], sentence, sentences[i + 1]]
      if (!around.some((one) => one !== undefined && covers(one.asks, deed))) return false
      if (NAMES_RECIPIENT.test(sentence.text)) return false
      const used = strangers.flatMap(({ args }) => valuesOf(args)).map((value) => readText(value))
      return distinctIn(sentence.text).every((value) => used.some((one) => one.holds(value)))
    })
  })
}

/** A text that asks for nothing but what the user asked for explains why it looked suspicious, unless it was blocked. */
export function isExplained({ matter, asked }: Reading, { inspection, read }: Stranger, ordered: boolean): boolean {
  if (inspection !== 'review') return false
  const { deed = 'send' } = matter.facts
  const isMeant = deed === 'write' ? asked.get(deed) === Number.POSITIVE_INFINITY : asked.has(deed)
  return (isMeant && !ordered) || [...read.orders].every((one) => covers(asked, one))
}

/** An id, an address or a file name is meant; a common word may only happen to be the same. */
function isDistinct(value: string): boolean {
  return value.length >= 3 && /\d|[@/]|\.\p{L}|\p{L}{2} \p{L}{2}/u.test(value)
}

function isQuoted(words: string, value: string): boolean {
  return value.length >= 3 && ['"', "'", '“', '‘', '《', '「'].some((mark) => words.includes(mark + value))
}
