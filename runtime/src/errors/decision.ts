/** Errors of decisions and their executors. */
import { type BothLines, entry } from './entry.ts'

const FORMAT = [
  'Nothing was judged and nothing was done. docs/guides/decisions.md shows the format.',
  '没有裁决，也没有执行任何动作。格式见 docs/guides/decisions.md。',
] as const

const invalid = entry<{ origin: string; problems: BothLines }>({
  en: ({ origin, problems }) => [`${origin} is not valid:\n${indented(problems.en)}`, FORMAT[0]],
  zh: ({ origin, problems }) => [`${origin} 无效：\n${indented(problems.zh)}`, FORMAT[1]],
})

export const DECISION_ERRORS = {
  BATCH_INVALID: invalid,
  CONTEXT_INVALID: invalid,
  RULES_INVALID: invalid,
  'BATCH_INVALID.arguments': entry<{ tool: string }>({
    en: ({ tool }) => [`the arguments of ${tool} are not JSON`, FORMAT[0]],
    zh: ({ tool }) => [`${tool} 的参数不是 JSON`, FORMAT[1]],
  }),
  'BATCH_INVALID.noObject': entry({
    en: () => ['the answer contains no JSON object', FORMAT[0]],
    zh: () => ['回答中没有 JSON 对象', FORMAT[1]],
  }),
  'ACTION_TARGET_MISSING.none': entry<{ action: string }>({
    en: ({ action }) => [
      `${action} needs a target: this system does not report the foreground process`,
      'Name a target in the action.',
    ],
    zh: ({ action }) => [`${action} 需要目标：本系统不提供前台进程的信息`, '请在动作中写明目标。'],
  }),
  'ACTION_TARGET_MISSING.file': entry<{ target: string; why: string }>({
    en: ({ target, why }) => [`cannot read ${target} (${why})`, 'Check the path and its permissions.'],
    zh: ({ target, why }) => [`无法读取 ${target}（${why}）`, '请检查路径及其权限。'],
  }),
  'ACTION_TARGET_MISSING.program': entry<{ target: string }>({
    en: ({ target }) => [`program "${target}" not found`, 'Give its path, or install it.'],
    zh: ({ target }) => [`找不到程序“${target}”`, '请写明路径，或先安装。'],
  }),
  'ACTION_TARGET_MISSING.process': entry<{ target: string }>({
    en: ({ target }) => [`no process "${target}" of this user is running`, 'Start it first.'],
    zh: ({ target }) => [`当前用户没有名为“${target}”的运行中进程`, '请先启动它。'],
  }),
  'ACTION_TARGET_INVALID.notRegular': entry<{ target: string }>({
    en: ({ target }) => [`${target} is not a regular file`, 'Name a regular file.'],
    zh: ({ target }) => [`${target} 不是普通文件`, '请指定普通文件。'],
  }),
  'ACTION_TARGET_INVALID.tooBig': entry<{ target: string; max: number }>({
    en: ({ target, max }) => [
      `${target} is larger than ${max} bytes; caching it would push out everything else`,
      'Name a smaller file.',
    ],
    zh: ({ target, max }) => [`${target} 超过 ${max} 字节；缓存它会挤掉其他内容`, '请指定较小的文件。'],
  }),
  'ACTION_UNAVAILABLE.linux': entry({
    en: () => ['not available here: this action needs Linux', 'Choose another action on this system.'],
    zh: () => ['此处不可用：该动作需要 Linux', '请在本系统上选择其他动作。'],
  }),
  'ACTION_UNAVAILABLE.reclaim': entry({
    en: () => [
      'not available here: the kernel offers neither memory.reclaim (cgroup v2) nor /proc/<pid>/reclaim for this process',
      'Run the program in a control group of its own.',
    ],
    zh: () => [
      '此处不可用：内核没有为该进程提供 memory.reclaim（cgroup v2）或 /proc/<pid>/reclaim',
      '请让该程序在独立的控制组中运行。',
    ],
  }),
  'ACTION_UNAVAILABLE.sharedGroup': entry<{ group: string }>({
    en: ({ group }) => [
      `not available here: the control group ${group} also holds processes of other programs or users`,
      'Run the program in a control group of its own.',
    ],
    zh: ({ group }) => [`此处不可用：控制组 ${group} 里还有其他程序或用户的进程`, '请让该程序在独立的控制组中运行。'],
  }),
  ACTION_NOT_PERMITTED: entry<{ target: string; why: string }>({
    en: ({ target, why }) => [
      `the system does not permit it for ${target} (${why})`,
      'Run Writ as a user who may change that process.',
    ],
    zh: ({ target, why }) => [`系统不允许对 ${target} 这样做（${why}）`, '请以有权更改该进程的用户运行 Writ。'],
  }),
  'PATH_BLOCKED.action': entry<{ target: string }>({
    en: ({ target }) => [
      `${target} is blocked by agent.security.blockedPaths, or is one of Writ's own records`,
      'Name a file that is not blocked.',
    ],
    zh: ({ target }) => [
      `${target} 被 agent.security.blockedPaths 禁止，或属于 Writ 自身的记录`,
      '请指定未被禁止的文件。',
    ],
  }),
  'WINDOW_EXPIRED.idle': entry({
    en: () => ['the window ended before the system was idle', 'Decide again in the next window.'],
    zh: () => ['系统空闲之前窗口已结束', '请在下一个窗口重新决策。'],
  }),
  'WINDOW_EXPIRED.cancelled': entry({
    en: () => ['the window ended before the action was done', 'Decide again in the next window.'],
    zh: () => ['动作完成之前窗口已结束', '请在下一个窗口重新决策。'],
  }),
  'COLLECTOR_UNAVAILABLE.linux': entry({
    en: () => ['not available here: watching processes needs Linux', 'Watch folders only, or give --context.'],
    zh: () => ['此处不可用：观察进程需要 Linux', '请只观察文件夹，或用 --context 给出上下文。'],
  }),
  COLLECTOR_UNAVAILABLE: entry<{ why: string }>({
    en: ({ why }) => [`not available here: ${why}`, 'Check the permissions of /proc and of the folders.'],
    zh: ({ why }) => [`此处不可用：${why}`, '请检查 /proc 和这些文件夹的权限。'],
  }),
  'COLLECTOR_UNAVAILABLE.folder': entry<{ path: string }>({
    en: ({ path }) => [`not available here: ${path} is not a folder`, 'Name a folder to watch.'],
    zh: ({ path }) => [`此处不可用：${path} 不是文件夹`, '请指定要观察的文件夹。'],
  }),
  'NO_PREDICTION.rules': entry({
    en: () => ['no rule matches this window', 'Add one to agent.decision.rules, or choose another --route.'],
    zh: () => ['没有规则匹配此窗口', '请在 agent.decision.rules 中添加规则，或另选 --route。'],
  }),
  'NO_PREDICTION.journal': entry({
    en: () => ['the journal has no similar window', 'Choose another --route.'],
    zh: () => ['日志中没有类似的窗口', '请另选 --route。'],
  }),
  'USAGE.mockRoute': entry({
    en: () => [
      'the Mock route has no backend of its own',
      'Give its answer with --batch, or let a script answer with --script.',
    ],
    zh: () => ['Mock 路由没有自己的后端', '请用 --batch 给出回答，或用 --script 让脚本回答。'],
  }),
  NOTHING_TO_SEND: entry({
    en: () => [
      'agent.decision.cloudFields is empty: nothing may be sent to the model',
      'Name the fields that may be sent, or choose another --route.',
    ],
    zh: () => ['agent.decision.cloudFields 为空：不得向模型发送任何内容', '请写明可以发送的字段，或另选 --route。'],
  }),
  'MODEL_UNKNOWN.cloudRoute': entry({
    en: () => [
      'the CloudLlm route needs a provider’s model',
      'Set agent.model, such as "openai/gpt-5-mini", or choose another --route.',
    ],
    zh: () => ['CloudLlm 路由需要提供方的模型', '请设置 agent.model，例如 "openai/gpt-5-mini"，或另选 --route。'],
  }),
  'MODEL_UNKNOWN.notProvider': entry<{ model: string }>({
    en: ({ model }) => [
      `${model} is not a provider’s model`,
      'Set agent.model, such as "openai/gpt-5-mini", or choose another --route.',
    ],
    zh: ({ model }) => [`${model} 不是提供方的模型`, '请设置 agent.model，例如 "openai/gpt-5-mini"，或另选 --route。'],
  }),
  'WRIT_FORGED.tool': entry({
    exit: 1,
    en: () => ['this writ is for a tool, not for an action', 'Only an action that passed the gate can be executed.'],
    zh: () => ['这张令状属于工具，而不是动作', '只有通过闸门的动作才能执行。'],
  }),
  'WRIT_FORGED.run': entry({
    exit: 1,
    en: () => ['this writ does not belong to this run', 'Only an action that passed the gate can be executed.'],
    zh: () => ['这张令状不属于本次运行', '只有通过闸门的动作才能执行。'],
  }),
}

function indented(problems: readonly string[]): string {
  return problems.map((line) => `  ${line}`).join('\n')
}
