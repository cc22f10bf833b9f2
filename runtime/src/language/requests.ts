/** How requests begin, and the polite words around them. */
import { fitting } from './fitting-pattern.ts'
import { anyOccurs, type NearPattern } from './near-pattern.ts'
import { pattern } from './pattern.ts'

/** Looks back from a verb: it opens a request at the start, after a mark, or after a word that leads to one. */
export const REQUEST_START =
  "(?<=^\\W*|[.!?:;,，。、\"'“”‘’(\\[>\\]*#|–—]\\s*|-\\s+|\\b(?:please|kindly|and|then|also|to|you|now|must|should|needs?|just|first|instead|always|immediately|so|or|can|could|will|would|let's|pls|next|finally|afterwards|additionally|todo|me|bitte|und|dann|veuillez|de|et|puis|favor|y|luego|favore|e|poi|пожалуйста|и)\\s+)"

/** In German the verb of a request comes last. */
export const GERMAN_REQUEST_LEAD = '(?<=\\bbitte\\b[^.!?]{0,80}\\s)'

/** "… must be set to public", "is to be put in his name": an order without a subject. Of text in small letters. */
const OBLIGATION =
  /\b(?:must|shall|needs? to|ha(?:s|ve) to|(?:is|are) to|should(?: now| always)?)\s+(?:be|read|become|receive|go|stay)\b|\b(?:is|are) (?:mandatory|obligatory|compulsory)\b|\b(?:muss|müssen)\b|\bdoi(?:t|vent)\b|\bdeben?\b|\btienen? que\b|必须|务必|应当/u
const OBLIGATION_OF_VERB: readonly NearPattern[] = [
  { near: /\b(?:can|may)(?: all| both| now)? be /, pattern: /\b(?:can|may)(?: all| both| now)? be \p{L}+ed\b/u },
  { near: /\b(?:ist|sind)\b/, pattern: /\b(?:ist|sind)\b[^.!?]{0,80}\bzu\s+\p{L}+en\b/u },
  { near: /\b(?:est|sont) à /, pattern: /\b(?:est|sont) à \p{L}+(?:er|ir|re)\b/u },
]

export function obliges(text: string): boolean {
  return fitting(text, OBLIGATION).test(text) || anyOccurs(OBLIGATION_OF_VERB, text)
}

/** Chinese, Japanese and Korean ask and tell with the same verbs; these words mark a request. */
export const CJK_REQUEST =
  /请|务必|必须|须(?!知)|劳驾|立即|马上|需要|帮|麻烦|[把将给并再]|然后|ください|下さい|して|주세요|해\s?줘|하세요/u

/** "Thank you for your order" closes a letter. Of text in small letters. */
export const THANKS = /\bthank (?:you|u)\b|\bthanks\b/g

/** Politeness before the verb of a clause. */
export const POLITE_OPENING = pattern(String.raw`
    ^(?:please|pls|plz|kindly|hey|hi|hello|ok|okay|so|also|first|next|finally|just|only|actually|maybe|quickly|
    go ahead(?: and)?|can you|can u|could you|would you(?: mind)?|will you|may i ask you to|i want you to|
    i need you to|i'd like you to|i want to|i need to|i'd like to|i would like to|we need to|you need to|
    your task is to|help me(?: to)?|help|let's|let us|try to|to|请问|请你?(?!求|教|假|客)|麻烦(?:你|您)?(?:帮我|
    帮忙)?|拜托|劳驾|帮我(?:把)?|帮忙|给我|你能不能|你能|您能|你可以|能不能|可不可以|可以|能否|能(?!源|力|量|耗|
    够)|我想让你|我想请你|我想要|我想|我要|我需要|需要|首先|先(?!生|进)|那么|那(?!个|些|里)|就|顺手|赶紧|快点|
    快(?!递|速|捷|照)|嗨|喂|嘿|好的)(?![a-z])[\s,，]*`)

/** The same before a whole request, with the words that join it to the one before. */
export const REQUEST_FILLER =
  /^(?:(?:please|kindly|can you|could you|would you|now|then|and|also|finally|first|next|i want you to|i'd like you to|请问|请你|请|帮我|麻烦你?|给我|先|再|并且|并|然后|接着|最后|同时|顺便|你能|能不能|可以|我想|我要)[ ,，]*)+/iu

/** A clause that asks for nothing. */
export const NOTHING_ASKED =
  /^(?:(?:tell me|thanks?(?: you)?|thank you|ok(?:ay)?|告诉我|谢谢你?|多谢|好的?|吧|吗|呢)[ .!。！]*)*$/iu

/** A whole message that only says: continue. */
export const CONTINUE =
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|sure|please|now|and|then|well|fine|right|just)[,.! ]*)*(?:go on|go ahead|carry on|continue|proceed|keep going|resume|do it|do that|do so|try again|retry|once more|again|next|ok(?:ay)?|yes|yeah|yep|sure|please)?(?: (?:please|then|now))?[.! ]*$|^(?:(?:好的?|行|可以|嗯|是的?|对|请|那就?|没错)[，,。！! ]*)*(?:继续(?:吧|做|执行|一下)?|接着(?:来|做|说)?|往下|开始吧?|就这样|照做|再(?:试|来)(?:一次|一下|一遍)?|重试|好的?|行|可以|是的?|对)?[吧。！! ]*$/u

/** How a message begins that drops the last task. */
export const TAKES_BACK =
  /^(?:(?:no|ok(?:ay)?|actually|well|oh|hmm)[,.! ]+)*(?:never ?mind|nvm|forget (?:it|that|about (?:it|that))\b|cancel (?:it|that)\b|leave it|drop (?:it|that)\b|something else|(?:do|try) something else|instead)|^(?:(?:不|好|嗯|哦)[，,。！! ]*)*(?:算了|不用了|不要了|取消吧|别管(?:它|那个|这个)?了|换个任务|先不[弄做查开]了?|改成别的)/u

/** "They uploaded a card": what others did is not asked for. Of small letters. */
const TOLD =
  /\b(?:they|he|she|who) (?:have |has |had |just |already |also |then ){0,2}(?:\p{L}{2,}ed|sent|wrote|left|gave|made|put|paid|bought|took)\b/gu

/** The text without what others did. */
export function withoutTold(text: string): string {
  return text.replace(fitting(text, TOLD), ' ')
}
