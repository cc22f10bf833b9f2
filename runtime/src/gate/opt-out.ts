/** Whether the user asked, in so many words, that nothing be looked up (S4 §4). Words in quotes are not the user's. */
const QUOTED = /"[^"]*"|“[^”]*”|「[^」]*」|『[^』]*』|`[^`]*`/gu

/** Not to search the web leaves the documents open. */
const NOT_THE_WEB = '(?! *(?:the +)?(?:web|internet|online|google|互联网|网络|网页|网上|上网))'

const LOOKUP_EN =
  '(?:search(?:es|ing)?|look(?:ing)? +(?:(?:it|this|that|anything|things|them) +)?up|look-?ups?|retriev(?:e|al|ing)|research(?:ing)?|scout(?:s|ing)?|explor(?:e|ing))'
const EXTRA_EN = '(?:(?:extra|additional|further|more|other) +)'
const CALLS_EN = '(?:(?:tool|model|api) +)?calls?'
const NOUN_EN = '(?:searches|searching|look-?ups?|retrieval|research|scouts?|scouting|exploring)'
const LOOKUP_ZH = '(?:检索|搜索|搜寻|查找|查阅|查询|查资料|查文档|侦查|搜(?![索寻])|查(?![找阅询资文看明清出]))'
const CALLS_ZH =
  '(?:(?:额外|多余|更多|其他)的?(?:工具)?(?:调用|检索|搜索|查询|侦查)|调用(?:任何|其他|额外的?)?工具|使用(?:任何)?工具)'

const SAYINGS = [
  `\\b(?:do +not|don['’]?t|never|no +need +to|not +need +to|refrain +from|avoid|without)(?: +(?:do|doing|make|making|use|using|any|run|running|send|sending))* +${EXTRA_EN}?${LOOKUP_EN}\\b${NOT_THE_WEB}`,
  `\\b(?:do +not|don['’]?t|never|avoid|without)(?: +(?:do|doing|make|making|use|using|any))* +(?:${EXTRA_EN}(?:tool +)?|(?:any +)?(?:tool|model|api) +)calls?\\b`,
  `\\bno +(?:${EXTRA_EN}(?:${CALLS_EN}|${NOUN_EN})|tool +calls|${NOUN_EN})(?= *(?:[,.;:!?]|$|please\\b|needed\\b|required\\b|necessary\\b|allowed\\b))`,
  `(?:不要|别|不用|无需|无须|不必|不需要|请勿|禁止|不准|不许|切勿)(?:再|去|做|进行|任何|你|给我|帮我|派人|派|自己|做任何|进行任何)*(?:${LOOKUP_ZH}|${CALLS_ZH})${NOT_THE_WEB}`,
].map((source) => new RegExp(source, 'iu'))

export function optsOut(task: string): boolean {
  const own = task.replace(QUOTED, ' ')
  return SAYINGS.some((saying) => saying.test(own))
}
