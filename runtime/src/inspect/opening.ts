/** Words that open a clause as an order does, known or not. */

const ARTICLE = /(?:the|a|an|all|any|every|each|my|your|their|its|this|these|those|h(?:is|er)) /y
/** The letters that they begin with. */
const ARTICLES = [...'taemyih'].reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) - 97)), 0)
const NO_VERB = new Set(
  'in on at from with by for to of into onto during after before as is are was were has have had does do did am be been being if when while because since unless until than like via per about through under over near within among between both half that which who what why how where and or but so not also even just only once upon without against toward towards across behind beyond despite except inside outside regarding such yes no then thus hence here there'.split(
    ' ',
  ),
)

/** "Pull the list": no function word, and an article after it. */
export function isOpening(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(end) !== 32 || ((ARTICLES >> (text.charCodeAt(end + 1) - 97)) & 1) === 0) return false
  ARTICLE.lastIndex = end + 1
  return ARTICLE.test(text) && !NO_VERB.has(text.slice(start, end))
}
