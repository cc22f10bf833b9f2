/** What the reviewer said, in words. */
import type { Lang } from '../base/lang.ts'
import type { Review, ReviewFailure } from '../protocol/verdict.ts'
import { oneLine } from '../protocol/visible-text.ts'

interface Words {
  allow: string
  ask: string
  failed: Record<ReviewFailure, string>
  line(p: { model: string; said: string; reason: string | undefined }): string
}

const WORDS: Record<Lang, Words> = {
  en: {
    allow: 'approved',
    ask: 'ask a person',
    failed: {
      unreachable: 'could not be reached',
      unparsable: 'its answer could not be read',
      over_budget: 'not asked: the budget is spent',
      late: 'no answer in time',
    },
    line: ({ model, said, reason }) => `Reviewer (${model}): ${said}${reason === undefined ? '' : `. ${reason}`}`,
  },
  zh: {
    allow: '已批准',
    ask: '应询问用户',
    failed: {
      unreachable: '无法连接',
      unparsable: '回答无法解析',
      over_budget: '预算已用完，未询问',
      late: '未及时回答',
    },
    line: ({ model, said, reason }) => `审查模型（${model}）：${said}${reason === undefined ? '' : `。${reason}`}`,
  },
}

export function reviewWords({ model, decision, reason, failed }: Review, lang: Lang): string {
  const words = WORDS[lang]
  const said = failed === undefined ? words[decision] : words.failed[failed]
  return words.line({ model: oneLine(model), said, reason: reason && oneLine(reason) })
}
