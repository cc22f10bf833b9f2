/** Whether the summary of a turn tells a remembered fact. Whoever forgets the fact wants that gone too. */
import { indexWords, words } from './words.ts'

/** Say nothing about which fact it is. */
const COMMON = new Set(
  `a an the and or but of to in on at for with from by as is are was were be been am do does did has have had i me my
  mine you your yours he she it its we our they their this that these those user users s t not no yes please what which
  who when where how remember note noted know called name named 用户 户的 我的 你的 他的 她的 是我 请记 记住 一个 这个 那个
  什么`.split(/\s+/),
)
/** So much of what the fact says must be in the summary. */
const SHARE = 0.5
/** A code, a number or a date: alone it gives the fact away. */
const FIGURE = /(?=[\p{L}\p{N}]*\p{N})[\p{L}\p{N}]{3,}/gu

export function tells(summary: string, fact: string): boolean {
  const said = new Set(indexWords(summary))
  const figures = words((fact.match(FIGURE) ?? []).join(' '))
  if (figures.some((figure) => /\p{N}/u.test(figure) && said.has(figure))) return true
  const all = words(fact)
  const telling = all.filter((word) => word.length > 1 && !COMMON.has(word))
  const asked = telling.length === 0 ? all : telling
  return asked.length > 0 && asked.filter((word) => said.has(word)).length >= SHARE * asked.length
}
