/** Forms that show what a word is: Chinese compounds, Russian endings, numbers and identifiers. */
import { isDigit, isHan } from './character.ts'
import { BIT, CUE } from './concept.ts'
import type { Meaning } from './lexicon.ts'

/** These only help to read others. */
export const QUIET = CUE.subject | CUE.toward | CUE.device | CUE.reads

/** 发送成功, 付款方式, 登录页面, 收件人: not a verb that orders. */
const REPORT = /(?:成功|失败|完成|完毕|方式|时间|状态|记录|按钮|页面|入口|流程|功能|金额|日期|次数|类型|[者率])/y
/** The endings of Russian imperatives. */
const COMMANDS = /(?:ь|и|й|ай|уй|ей|ируй|уйте|айте|ейте|ите|ьте|йте|ируйте)?(?![а-яё])/y

/**
 * In a script with endings or without spaces. отправьте, удали: in Russian and its neighbours an imperative has an ending
 * of its own.
 */
export function commanded(text: string, end: number, imperative: 0 | 1 | 2): 0 | 1 | 2 {
  REPORT.lastIndex = end
  if (REPORT.test(text)) return 0
  if (imperative === 2) return 2
  const last = text.charCodeAt(end - 1)
  if (last < 0x400 || last > 0x52f) return imperative
  COMMANDS.lastIndex = end
  const ending = COMMANDS.exec(text)?.[0]
  return ending === undefined ? imperative : ending.endsWith('те') ? 2 : 1
}

const COMMA = 44
/** 6222 0210 …, 0900 555 …: groups of an account or a telephone number. */
const GROUP = /[ -]\d{3,4}[ -]\d{3,4}(?!\d)/y
/** V20230720, abc-1234: an identifier; or an IBAN. */
const NUMBERED = /^[a-z]{1,4}-?\d{3,}$|^[a-z]{2}\d{2}[a-z]{4}\d{6,}$/
/** 76df5e5: the id of a commit. */
const COMMIT = /^[0-9a-f]{7,40}$/

const IBAN = / \d{4} (?:\w{4} ){2}/y

function isIban(text: string, start: number, end: number): boolean {
  IBAN.lastIndex = end
  return end - start === 4 && IBAN.test(text)
}

/** A year, a page, a port are no amounts; what follows a separator of thousands is. */
function isLong(text: string, start: number, end: number): boolean {
  const size = end - start
  if (size >= 5 || (size === 3 && text.charCodeAt(start - 1) === COMMA)) return true
  GROUP.lastIndex = end
  return size >= 3 && size <= 4 && GROUP.test(text)
}

/** An amount, an account, an identifier; not the id of a commit. */
export function isNumber(text: string, codes: Uint16Array, start: number, end: number): boolean {
  const endsInDigit = isDigit(codes[end - 1] ?? 0)
  return isDigit(codes[start] ?? 0)
    ? isLong(text, start, end) && (endsInDigit || !COMMIT.test(text.slice(start, end)))
    : endsInDigit && (NUMBERED.test(text.slice(start, end)) || isIban(text, start, end))
}

/** "You must", "must": an order. 您必须搜索每一条记录: so Chinese explains. */
export function openAfterMust(mask: number, code: number, first: boolean): 1 | 2 {
  if (isHan(code) && (mask & BIT.YOU) !== 0) return 1
  return first || (mask & (BIT.YOU | BIT.YOUR | BIT.AI)) !== 0 ? 2 : 1
}

/** True of a meaning of its own, not only a reader or a doer. */
export function isHit({ mask, cues }: Meaning): boolean {
  return mask !== 0 ? (cues & CUE.reads) === 0 : (cues & ~QUIET) !== 0
}
