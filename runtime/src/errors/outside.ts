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
  HOOKS_FOLDER: entry<{ folder: string }>({
    exit: 1,
    private: true,
    en: ({ folder }) => [
      `${folder} is not a folder that only you can use`,
      'Remove it, or correct its owner and mode (0700).',
    ],
    zh: ({ folder }) => [`${folder} 不是仅供你使用的目录`, '请删除它，或更正其所有者和权限（0700）。'],
  }),
  HOOK_UNREADABLE: entry({
    en: () => ['the event of the hook cannot be read', 'This version of the agent may report it in another form.'],
    zh: () => ['无法读取该钩子的事件', '该代理版本可能以其他形式报告。'],
  }),
  HOOKS_AGENT: entry<{ name: string; known: string }>({
    en: ({ name, known }) => [`"${name}" is not an agent with hooks`, `Use one of ${known}.`],
    zh: ({ name, known }) => [`“${name}”不是支持钩子的代理`, `请使用 ${known} 之一。`],
  }),
  HOOKS_SETTINGS: entry<{ file: string; why: string }>({
    exit: 1,
    en: ({ file, why }) => [`${file} cannot be changed: ${why}`, 'Correct the file; nothing was written.'],
    zh: ({ file, why }) => [`无法修改 ${file}：${why}`, '请更正该文件；没有写入任何内容。'],
  }),
  GUARD_CLOSED: entry({
    exit: 1,
    en: () => ['this guarded session has ended', 'Open it again with `guard.session`.'],
    zh: () => ['此受管会话已结束', '请用 `guard.session` 重新打开。'],
  }),
}
