/** English words that stand in any two texts. */
const FUNCTION_WORDS = `am an and are as at be been but by did do does for from had has have he how in is it its me my no
  not of on or our she that the their these they this those to was we were what when where which who with yes you your`

/** Two texts that share one of these need not have anything to do with each other. */
export const COMMON_WORDS = wordSet(`${FUNCTION_WORDS} about after all also any can could done her here him his if into
  just more now one only out said says should so some than them then there up us would`)

/** These do not tell one remembered fact from another. */
export const COMMON_IN_FACTS = wordSet(`${FUNCTION_WORDS} a i mine yours user users s t please remember note noted know
  called name named year years old day days month months week weeks time times today one two three four five six seven
  eight nine ten 用户 户的 我的 你的 他的 她的 是我 请记 记住 一个 这个 那个 什么 今年 今天`)

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/))
}
