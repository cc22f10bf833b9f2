/** Whether the user explicitly asked not to look anything up (S4 §4). Quoted words are not the user's. */
import { fitting } from '../language/fitting-pattern.ts'
import { NEGATING_WORD } from '../language/negation.ts'
import { QUOTED } from '../language/quotes.ts'
import { CLAUSE_END } from '../language/sentences.ts'

/** "Do not search the web" still allows the documents. */
const NOT_THE_WEB = '(?! *(?:the +)?(?:web|internet|online|google|互联网|网络|网页|网上|上网))'

const LOOKUP_EN =
  '(?:search(?:es|ing)?|look(?:ing)? +(?:(?:it|this|that|anything|things|them) +)?up|look-?ups?|retriev(?:e|al|ing)|research(?:ing)?|scout(?:s|ing)?|explor(?:e|ing))'
const EXTRA_EN = '(?:(?:extra|additional|further|more|other) +)'
const CALLS_EN = '(?:(?:tool|model|api) +)?calls?'
const NOUN_EN = '(?:searches|searching|look-?ups?|retrieval|research|scouts?|scouting|exploring)'
const LOOKUP_ZH = '(?:检索|搜索|搜寻|查找|查阅|查询|查资料|查文档|侦查|搜(?![索寻])|查(?![找阅询资文看明清出]))'
const CALLS_ZH =
  '(?:(?:额外|多余|更多|其他)的?(?:工具)?(?:调用|检索|搜索|查询|侦查)|调用(?:任何|其他|额外的?)?工具|使用(?:任何)?工具)'

const NOT_EN =
  "\\b(?:do +not|don['’]?t|never|no +need +(?:to|for)|not +need +to|need +not|needn['’]?t|refrain +from|avoid|without)(?: +(?:need +to|have +to|bother +(?:to|with)|do|doing|make|making|use|using|any|run|running|send|sending))*"
const NOT_ZH = '(?:不要|别|不用|无需|无须|不必|不需要|请勿|禁止|不准|不许|切勿)'
/** To read the documents is to look something up; to read a file, or to check a spelling, is not. */
const READ_EN =
  '(?:check(?:ing)?|consult(?:ing)?|read(?:ing)?|brows(?:e|ing)|refer(?:ring)? +to|go(?:ing)? +through|look(?:ing)? +(?:at|in|into|through)) +(?:(?:the|any|our|your|these|those|more) +)*(?:docs?|documents?|documentation|manuals?|references?|sources|knowledge +base)'
const READ_ZH =
  '(?:查看|翻看|翻阅|阅读|参阅|参考|浏览|看|翻|读)(?:一下|任何|这些|那些|相关的?)*(?:文档|资料|手册|说明书|知识库|文献)'

const PROHIBITIONS = [
  `${NOT_EN} +${EXTRA_EN}?${LOOKUP_EN}\\b${NOT_THE_WEB}`,
  `${NOT_EN} +${READ_EN}\\b`,
  `${NOT_ZH}(?:再|去|你|给我|帮我|自己)*${READ_ZH}`,
  `\\b(?:do +not|don['’]?t|never|avoid|without)(?: +(?:do|doing|make|making|use|using|any))* +(?:${EXTRA_EN}(?:tool +)?|(?:any +)?(?:tool|model|api) +)calls?\\b`,
  `\\bno +(?:${EXTRA_EN}(?:${CALLS_EN}|${NOUN_EN})|tool +calls|${NOUN_EN})(?= *(?:[,.;:!?]|$|please\\b|needed\\b|required\\b|necessary\\b|allowed\\b))`,
  `${NOT_ZH}(?:再|去|做|进行|任何|你|给我|帮我|派人|派|自己|做任何|进行任何)*(?:${LOOKUP_ZH}|${CALLS_ZH})${NOT_THE_WEB}`,
].map((source) => new RegExp(source, 'iu'))

const KNOWN_EN = '(?:(?:your|own|the) +)*(?:memory|knowledge|head)\\b(?! +base)'
/** "Answer from memory" also means: look nothing up. */
const FROM_MEMORY = [
  `\\b(?:answer|reply|respond|tell +me)\\b[^.:;,!?\\n]{0,40}\\b(?:from|by) +${KNOWN_EN}`,
  `\\b(?:only|just|purely|solely|simply) +(?:from|by) +${KNOWN_EN}`,
  `\\b(?:from|by) +${KNOWN_EN} +(?:only|alone)\\b`,
  '\\b(?:from|with) +(?:only +)?what +you +(?:already +)?know\\b',
  '\\boff +the +top +of +your +head\\b',
  '(?:凭|靠|依靠|根据|按照?|用)(?:着|你|您|自己|自身|已有|现有|的)*(?:记忆|印象|常识|知识(?!库)|已知(?:的?信息)?)(?:来|去|直接|就|进行)*(?:回答|作答|答复|回复|说|答|即可|就行|就好)',
  '凭(?:你|您|自己)?(?:所|已经)?知道的',
].map((source) => new RegExp(source, 'iu'))

/** What is asked for here takes looking things up. */
const WANTED = new RegExp(
  `\\b(?:${LOOKUP_EN}|compar(?:e|ing|ison)|contrast|verify|investigate|find +out)\\b|${LOOKUP_ZH}|比较|对比|核实|验证|调查`,
  'iu',
)
/** Covers every lookup, or names none. */
const ANYTHING =
  /^(?:\s|了|吧|啊|哦|任何|什么|一切|更多|东西|内容|资料|文档|文件|信息|请|please|for|in|through|the|any|anything|it|this|that|things?|more|up|at|all|docs?|documents?|documentation|files?|details?|sources?|references?|细节|now|here|again|直接|只|就)*(?:$|回答|answer|just|凭)/iu

export function optsOut(task: string): boolean {
  const unquoted = task.replace(QUOTED, ' ')
  const clauses = unquoted.split(CLAUSE_END)
  if (
    clauses.some(
      (clause) => FROM_MEMORY.some((pattern) => fitting(clause, pattern).test(clause)) && !NEGATING_WORD.test(clause),
    )
  )
    return true
  const excluded = clauses.map(excludedPart)
  if (excluded.every((part) => part === undefined))
    return PROHIBITIONS.some((pattern) => fitting(unquoted, pattern).test(unquoted))
  // "Compare a and b, don't look up c" leaves c out, and wants the others looked up.
  const wanted = clauses.filter(
    (clause, i) => excluded[i] === undefined && WANTED.test(clause) && !NEGATING_WORD.test(clause),
  )
  const isLeftOut = (part: string) => wanted.length > 0 && !ANYTHING.test(part) && !isNamedIn(part, wanted.join(' '))
  return excluded.some((part) => part !== undefined && !isLeftOut(part))
}

/** "Compare a and b, don't look up a or b" leaves nothing to look up. */
function isNamedIn(part: string, wanted: string): boolean {
  const named = wordsIn(wanted)
  // Chinese has no spaces between its words.
  const isNamed = (word: string) => named.includes(word) || (/\p{Script=Han}/u.test(word) && wanted.includes(word))
  return wordsIn(part).every((word) => ['and', 'or', 'the'].includes(word) || isNamed(word))
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}._-]+/gu) ?? []
}

/** What a clause excludes from lookups; empty: everything. Undefined: the clause forbids nothing. */
function excludedPart(clause: string): string | undefined {
  for (const pattern of PROHIBITIONS) {
    const found = fitting(clause, pattern).exec(clause)
    if (found !== null) return clause.slice(found.index + found[0].length).trim()
  }
  return undefined
}
