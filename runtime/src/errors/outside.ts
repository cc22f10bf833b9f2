/** Errors of guarded sessions: outside agents whose calls are judged here. */
import { entry } from './entry.ts'

export const OUTSIDE_ERRORS = {
  CALL_UNOBSERVED: entry({
    exit: 1,
    en: () => [
      'the call was allowed; the agent did not report what became of it',
      'Check what it changed before it is repeated.',
    ],
    zh: () => ['调用已被允许，但代理没有报告结果', '重复执行前，请检查它改变了什么。'],
  }),
  OUTSIDE_ARGS: entry<{ param: string }>({
    en: ({ param }) => [
      `the argument "${param}" is missing or not a text`,
      'This version of the agent may use other names; it was judged as not understood.',
    ],
    zh: ({ param }) => [`参数“${param}”缺失或不是文本`, '该代理版本可能使用其他名称；此调用按无法理解处理。'],
  }),
  GUARD_CLOSED: entry({
    exit: 1,
    en: () => ['this guarded session has ended', 'Open it again with `guard.session`.'],
    zh: () => ['此受管会话已结束', '请用 `guard.session` 重新打开。'],
  }),
}
