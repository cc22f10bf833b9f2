/** How English and Chinese say what not to do, and a few words of other languages. */
import { fitting } from './fitting-pattern.ts'
import { pattern } from './pattern.ts'

/** A "no" that forbids nothing. */
export const POLITE_NO = pattern(
  String.raw`
    \bwhy (?:don't|not)(?: you| we)?\b|\b(?:can't|won't|couldn't|wouldn't) you\b|\bif you don't mind\b|
    \bno problem\b|\bno worries\b`,
  'gu',
)

/** From here on a clause says what not to do. */
export const NEGATION_START = pattern(String.raw`
    \b(?:do not|don't|dont|never|without|no need (?:to|for)|needn't|not (?:to|by|with|via|the|a)|instead of|
    rather than|avoid|stop|must not|mustn't|shouldn't|should not|no(?! longer| one)|not|skip|
    refrain from)\b(?! (?:forget|only|just|hesitate|worry|found|work|working|defined|responding|updating|
    showing|loading|a function))|(?:请勿|不要|不用|不必|不需要|不需|无需|无须|毋须|不想|不准|不许|不得|禁止|
    切勿|避免|没必要|(?<!是)不是(?!吗|否)|不打算|用不着|而不是|不再|停止|甭|勿)(?!忘)|
    (?<![分特类识区级性个差辨告道离送])别(?![人名的墅致忘扭])|不(?:改|动|写|碰|看|查|搜|上|开|打开|联|访问|修改|
    编辑|删|删除)(?![了到出起错])`)

/** And here it says again what to do. */
export const NEGATION_END = pattern(String.raw`
    \b(?:but|just|only|instead|simply|rather)\b|而是|只(?:要|需|是|想|把|用|看)?|直接|仅仅?|就行`)

/** A negation with the verb it negates. Of text in small letters. */
const NEGATED_VERB =
  /\b(?:do not|don't|dont|never|without|no need to|not to|rather than|nicht|ne pas|sin|senza)\s+\p{L}+|(?:不要|别|不用|无需|勿|不必|不需要)\p{L}{2}/gu

const NEGATION =
  /\b(?:do not|don't|dont|never|without|no need to|not to|rather than|nicht|ne pas|sin|senza)\s|不要|别|不用|无需|勿|不必|不需要/

/** The text without what it says not to do. */
export function withoutNegated(text: string): string {
  return fitting(text, NEGATION).test(text) ? text.replace(fitting(text, NEGATED_VERB), ' ') : text
}

/** What the text says not to do: each negation with the rest of its clause. */
export function negatedIn(text: string): readonly string[] {
  return text.match(NEGATED_CLAUSE) ?? []
}

/** A condition or an exception is no ban: "don't pay before Friday", "nothing but". */
const NEGATED_CLAUSE =
  /(?:\b(?:do not|don't|dont|never|without|hold off(?: on)?|refrain from|avoid)\s(?!let )|\bno\s(?=\p{L}+(?:ings?|ions?|ments?|merges?|changes?|pushes?)\b)|不要|先不(?!急|用急)|不用(?!了)|别(?!的|让)|勿)(?:(?!\b(?:but|just|only|instead|if|unless|until|before|when|forget|worry|want|need|know|think|have|like|care|mind|see|find|understand|get)\b)[^,.;:!?()\n，。；：！？、]){1,80}/gu

/** Any word that turns the meaning of its clause around. */
export const NEGATING_WORD =
  /\b(?:not|never|don['’]?t|avoid|without|instead +of|rather +than)\b|不要|别|勿|不能|不可|不得|而不是/iu
