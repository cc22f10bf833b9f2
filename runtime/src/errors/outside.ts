/** Errors of guarded sessions: outside agents whose calls are judged here. */
import { entry } from './entry.ts'

export const OUTSIDE_ERRORS = {
  CALL_UNOBSERVED: entry({
    exit: 1,
    en: () => [
      'the call was allowed; the agent did not report what became of it',
      'Check what it changed before it is repeated.',
    ],
    zh: () => ['调用已被允许，但智能体没有报告结果', '重复执行前，请检查它改变了什么。'],
  }),
  OUTSIDE_ARGS: entry<{ param: string }>({
    en: ({ param }) => [
      `the argument "${param}" is missing or not a text`,
      'This version of the agent may use other names; it was judged as not understood.',
    ],
    zh: ({ param }) => [`参数“${param}”缺失或不是文本`, '该智能体版本可能使用其他名称；此调用按无法理解处理。'],
  }),
  ARGS_HIDDEN: entry({
    exit: 1,
    en: () => [
      'the arguments hold an object whose content cannot be read',
      'Let the schema of the tool give plain values; make objects of a class in the tool itself.',
    ],
    zh: () => ['参数中有无法读取其内容的对象', '请让工具的 schema 给出普通值，并在工具内部构造类的对象。'],
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
    zh: () => ['无法读取该钩子的事件', '该智能体版本可能以其他形式报告。'],
  }),
  HOOKS_AGENT: entry<{ name: string; known: string }>({
    en: ({ name, known }) => [`"${name}" is not an agent with hooks`, `Use one of ${known}.`],
    zh: ({ name, known }) => [`“${name}”不是支持钩子的智能体`, `请使用 ${known} 之一。`],
  }),
  IMPORT_AGENT: entry<{ name: string; known: string }>({
    en: ({ name, known }) => [`the settings of "${name}" cannot be imported`, `Use one of ${known}.`],
    zh: ({ name, known }) => [`无法导入“${name}”的设置`, `请使用 ${known} 之一。`],
  }),
  HOOKS_SETTINGS: entry<{ file: string; why: string }>({
    exit: 1,
    en: ({ file, why }) => [`${file} cannot be changed: ${why}`, 'Correct the file; nothing was written.'],
    zh: ({ file, why }) => [`无法修改 ${file}：${why}`, '请更正该文件；没有写入任何内容。'],
  }),
  IMPORT_UNREADABLE: entry<{ file: string; why: string }>({
    exit: 2,
    en: ({ file, why }) => [`cannot read the settings in ${file}: ${why}`, 'Name the settings file of the agent.'],
    zh: ({ file, why }) => [`无法读取 ${file} 中的设置：${why}`, '请指定该智能体的设置文件。'],
  }),
  CALL_DECLINED: entry({
    exit: 1,
    en: () => ['the call was not approved', 'The agent can continue without it.'],
    zh: () => ['此调用未获批准', '智能体可以在不执行它的情况下继续。'],
  }),
  CALL_WITHHELD: entry<{ text: string }>({
    exit: 1,
    en: ({ text }) => [text, 'The call was not made, or its result was withheld.'],
    zh: ({ text }) => [text, '调用未执行，或其结果被扣留。'],
  }),
  TOOL_NOT_GOVERNABLE: entry<{ tool: string }>({
    exit: 2,
    en: ({ tool }) => [
      `the tool "${tool}" has no code here that could be held back`,
      'Only tools that run in this process can be governed. Give this one to the agent without `govern`, knowingly, or leave it out.',
    ],
    zh: ({ tool }) => [
      `工具“${tool}”在本进程中没有可以拦截的代码`,
      '只有在本进程中运行的工具才能受管。请在知情的情况下不经 `govern` 直接交给智能体，或不使用它。',
    ],
  }),
  TOOL_REDECLARED: entry<{ tool: string }>({
    exit: 2,
    en: ({ tool }) => [
      `the tool "${tool}" was declared differently in this session`,
      'Give each tool one declaration, or open another session.',
    ],
    zh: ({ tool }) => [`工具“${tool}”在此会话中的声明不同`, '每个工具只声明一次，或打开另一个会话。'],
  }),
  TOOL_NOT_GIVEN: entry<{ tool: string }>({
    exit: 2,
    en: ({ tool }) => [`"declare" names "${tool}", which is not one of the tools`, 'Correct the name.'],
    zh: ({ tool }) => [`“declare”中的“${tool}”不在所给的工具中`, '请更正名称。'],
  }),
  GUARD_CLOSED: entry({
    exit: 1,
    en: () => ['this guarded session has ended', 'Open it again with `guard.session`.'],
    zh: () => ['此受管会话已结束', '请用 `guard.session` 重新打开。'],
  }),
}
