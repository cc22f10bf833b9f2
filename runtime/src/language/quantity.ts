/** How many are meant. */
import { fitting } from './fitting-pattern.ts'
import { anyOccurs, type NearPattern } from './near-pattern.ts'

/** "All of them": no number is set. Of text in small letters. */
const WITHOUT_NUMBER =
  /\b(?:all|every|each|everyone|everybody|everything|both|any|anyone|anybody|whoever|whatever|people|items|things|(?:patient|customer|client|student|guest|member|participant|attendee|employee|colleague|candidate|applicant|user|friend|subscriber|follower|tenant|supplier|parent|teacher|neighbour|neighbor|recipient|coache|tutor|cleaner|driver|nurse|player|volunteer|freelancer|contractor|helper|winner|speaker|trainer|sitter|courier|vendor|kid|twin|brother|sister|doctor|judge|organi[sz]er|worker|partner)s|children|lists?|what's (?:on|in|open|left|due|missing)|them|those|these|others|the rest|alle|jede\w*|tous|toutes|chaque|todos|todas|cada|tutti|tutte|ogni|ieder\w*)\b|所有|每|全部|各|都|大家|(?<![我你您咱])们|清单|列表|哪些|那几|几个|几条|那些|这些|两位|すべて|全て|全員|みんな|모든|전부|모두/u
const MANY_OF_A_KIND: readonly NearPattern[] = [
  {
    near: /\bthe (?:\S+ )?\S{3,}s (?:named|listed|mentioned|in|from|of|that|which|who|on)\b/,
    pattern: /\bthe (?:\p{L}+ )?\p{L}{3,}(?<![sui])s (?:named|listed|mentioned|in|from|of|that|which|who|on)\b/u,
  },
  {
    near: /\b(?:delete|remove|cancel|clean|clear|drop|close|archive|pause|trash)\b/,
    pattern:
      /\b(?:delete|remove|cancel|clean(?: out| up)?|clear(?: out)?|drop|close|archive|pause|trash)\s+(?:the |my |our |old )?(?:\p{L}+ )?\p{L}{3,}(?<![suai'])s\b/u,
  },
  { near: /все|кажд/, pattern: /(?<!\p{L})(?:все|всем|кажд)/u },
]

/** Stricter: surely several; "them" may be one office. */
const MANY =
  /\b(?:all|every\w*|each|both|any\w*|people|lists?|whoever)\b|所有|每|全部|大家|都|(?<![我你您咱])们|(?<!哪)几[个位名]/iu

const NUMERAL = /\b(?:two|three|four|five|six|seven|eight|nine|ten|[2-9])\s|[两二三四五六七八九十]/
const NUMBER =
  /\b(two|three|four|five|six|seven|eight|nine|ten|[2-9])\s+(?:\p{L}+\s+){0,2}?\p{L}+s\b|([两二三四五六七八九十])(?:个|封|笔|条|份|张|位)/u

const NUMBERS = new Map(
  [...'two three four five six seven eight nine ten'.split(' '), ...'二三四五六七八九十'].map((word, i) => [
    word,
    (i % 9) + 2,
  ]),
)

const JOINS = /\s(?:and|&|und|et|y|e|ed|en|и)\s|[、和及]|以及/gu

export function meansMany(text: string): boolean {
  return fitting(text, MANY).test(text)
}

/** How many times one verb may be meant: "mail Jo and Kim" is two mails, "mail everyone" any number. Of small letters. */
export function timesPerVerb(text: string): number {
  if (fitting(text, WITHOUT_NUMBER).test(text) || anyOccurs(MANY_OF_A_KIND, text)) return Number.POSITIVE_INFINITY
  const [, word, sign] = (fitting(text, NUMERAL).test(text) && fitting(text, NUMBER).exec(text)) || []
  const number = word ?? sign ?? '1'
  return Math.max(NUMBERS.get(number) ?? (Number(number) || 2), 1 + (text.match(JOINS)?.length ?? 0))
}
