/** What a person is told about decisions: why input was refused, and what an action did. */
import type { Lang } from '../i18n/locale.ts'

export interface DecisionTexts {
  invalid(at: { origin: string; problems: readonly string[] }): string
  invalidHint: string
  more(at: { n: number }): string
  tooLarge(at: { origin: string; max: number }): string
  tooLargeHint: string
  notText(at: { origin: string }): string
  otherWindow(at: { context: string; batch: string }): string
  routeUnknown(at: { name: string }): string
  routeHint(at: { routes: readonly string[] }): string
  missing: string
  wrong(at: { found: string; expected: string }): string
  unknownKey: string
  didYouMean(at: { name: string }): string
  twice(at: { value: string }): string
  empty: string
  expected: {
    object: string
    list: string
    text: string
    shortText(at: { max: number }): string
    shortList(at: { max: number }): string
    fraction: string
    integer: string
    natural: string
    oneOf(at: { values: readonly string[] }): string
    intentType: string
  }
  unavailable(at: { why: string }): string
  needsLinux: string
  notFolder(at: { path: string }): string
  needsTarget(at: { action: string }): string
  noFile(at: { target: string; why: string }): string
  notRegular(at: { target: string }): string
  blocked(at: { target: string }): string
  tooBig(at: { target: string; max: number }): string
  noProgram(at: { target: string }): string
  noProcess(at: { target: string }): string
  notPermitted(at: { target: string; why: string }): string
  noReclaim: string
  sharedGroup(at: { group: string }): string
  nothing: string
  warmed(at: {
    target: string
    files: number
    bytes: number
    before: number | undefined
    after: number | undefined
  }): string
  missingLibraries(at: { names: readonly string[] }): string
  kept(at: { target: string; changes: readonly string[] }): string
  released(at: { target: string; bytes: number; left: number }): string
  expired: string
  cancelled: string
}

const en: DecisionTexts = {
  invalid: ({ origin, problems }) => `${origin} is refused:\n${problems.map((line) => `  ${line}`).join('\n')}`,
  invalidHint: 'Nothing was judged and nothing was done. docs/guides/decisions.md shows the format.',
  more: ({ n }) => `… and ${n} more`,
  tooLarge: ({ origin, max }) => `${origin} is larger than ${max} bytes`,
  tooLargeHint: 'Split it: a batch holds the intents of one window.',
  notText: ({ origin }) => `${origin} is not UTF-8 text`,
  otherWindow: ({ context, batch }) => `is "${context}", and the batch is for window "${batch}"`,
  routeUnknown: ({ name }) => `there is no route "${name}"`,
  routeHint: ({ routes }) => `It is one of ${routes.join(', ')}.`,
  missing: 'is missing',
  wrong: ({ found, expected }) => `is ${found}; expected ${expected}`,
  unknownKey: 'is not a key here',
  didYouMean: ({ name }) => `did you mean ${name}?`,
  empty: 'is empty',
  twice: ({ value }) => `"${value}" is the id of an earlier intent too`,
  expected: {
    object: 'an object',
    list: 'a list',
    text: 'text',
    shortText: ({ max }) => `text of at most ${max} characters`,
    shortList: ({ max }) => `a list of at most ${max}`,
    fraction: 'a number from 0 to 1',
    integer: 'a whole number',
    natural: 'a whole number from 0',
    oneOf: ({ values }) => `one of ${values.map((value) => `"${value}"`).join(', ')}`,
    intentType: '"Idle" or an object with one key, such as {"OpenApp": "…"}',
  },
  unavailable: ({ why }) => `not available here: ${why}`,
  needsLinux: 'this needs Linux',
  notFolder: ({ path }) => `${path} is not a folder`,
  needsTarget: ({ action }) => `${action} needs a target: this system does not say what is in the foreground`,
  noFile: ({ target, why }) => `${target} cannot be read (${why})`,
  notRegular: ({ target }) => `${target} is not a regular file`,
  blocked: ({ target }) => `${target} is blocked by agent.security.blockedPaths, or is one of Writ's own records`,
  tooBig: ({ target, max }) => `${target} is larger than ${max} bytes; caching it would push out everything else`,
  noProgram: ({ target }) => `no program "${target}" was found`,
  noProcess: ({ target }) => `no process "${target}" of this user is running`,
  notPermitted: ({ target, why }) => `the system does not permit it for ${target} (${why})`,
  noReclaim: 'the kernel offers neither memory.reclaim (cgroup v2) nor /proc/<pid>/reclaim for this process',
  sharedGroup: ({ group }) => `the control group ${group} also holds processes of other programs or users`,
  nothing: 'nothing to do',
  warmed: ({ target, files, bytes, before, after }) =>
    `${target}: read ${bytes} bytes in ${files} ${files === 1 ? 'file' : 'files'}; in the page cache ${before === undefined || after === undefined ? 'unknown (no fincore here)' : `${before} → ${after} bytes`}`,
  missingLibraries: ({ names }) => `libraries not found: ${names.join(', ')}`,
  kept: ({ target, changes }) => `${target}: ${changes.join(', ')}, until the window ends`,
  released: ({ target, bytes, left }) => `${target}: ${bytes} bytes given back, ${left} still held`,
  expired: 'the window ended before the system was idle',
  cancelled: 'the window ended before it was done',
}

const zh: DecisionTexts = {
  invalid: ({ origin, problems }) => `${origin} 被拒绝：\n${problems.map((line) => `  ${line}`).join('\n')}`,
  invalidHint: '没有做任何裁决，也没有执行任何动作。格式见 docs/guides/decisions.md。',
  more: ({ n }) => `… 另有 ${n} 处`,
  tooLarge: ({ origin, max }) => `${origin} 超过 ${max} 字节`,
  tooLargeHint: '请拆分：一个批次只包含一个窗口的意图。',
  notText: ({ origin }) => `${origin} 不是 UTF-8 文本`,
  otherWindow: ({ context, batch }) => `是“${context}”，而批次属于窗口“${batch}”`,
  routeUnknown: ({ name }) => `没有名为“${name}”的路由`,
  routeHint: ({ routes }) => `可用的有 ${routes.join('、')}。`,
  missing: '缺失',
  wrong: ({ found, expected }) => `是 ${found}；应为${expected}`,
  unknownKey: '不是这里的键',
  didYouMean: ({ name }) => `是否想写 ${name}？`,
  empty: '不能为空',
  twice: ({ value }) => `“${value}”已是前面某个意图的 id`,
  expected: {
    object: '对象',
    list: '列表',
    text: '文本',
    shortText: ({ max }) => `不超过 ${max} 个字符的文本`,
    shortList: ({ max }) => `不超过 ${max} 项的列表`,
    fraction: ' 0 到 1 之间的数',
    integer: '整数',
    natural: '不小于 0 的整数',
    oneOf: ({ values }) => `以下之一：${values.map((value) => `"${value}"`).join('、')}`,
    intentType: ' "Idle"，或只有一个键的对象，如 {"OpenApp": "…"}',
  },
  unavailable: ({ why }) => `此处不可用：${why}`,
  needsLinux: '需要 Linux',
  notFolder: ({ path }) => `${path} 不是文件夹`,
  needsTarget: ({ action }) => `${action} 需要目标：本系统不提供前台进程的信息`,
  noFile: ({ target, why }) => `${target} 无法读取（${why}）`,
  notRegular: ({ target }) => `${target} 不是普通文件`,
  blocked: ({ target }) => `${target} 被 agent.security.blockedPaths 禁止，或属于 Writ 自身的记录`,
  tooBig: ({ target, max }) => `${target} 超过 ${max} 字节；缓存它会挤掉其他内容`,
  noProgram: ({ target }) => `找不到程序“${target}”`,
  noProcess: ({ target }) => `当前用户没有名为“${target}”的运行中进程`,
  notPermitted: ({ target, why }) => `系统不允许对 ${target} 这样做（${why}）`,
  noReclaim: '内核没有为该进程提供 memory.reclaim（cgroup v2）或 /proc/<pid>/reclaim',
  sharedGroup: ({ group }) => `控制组 ${group} 里还有其他程序或用户的进程`,
  nothing: '无需执行任何操作',
  warmed: ({ target, files, bytes, before, after }) =>
    `${target}：读取 ${files} 个文件共 ${bytes} 字节；页缓存中 ${before === undefined || after === undefined ? '未知（没有 fincore）' : `${before} → ${after} 字节`}`,
  missingLibraries: ({ names }) => `找不到的库：${names.join('、')}`,
  kept: ({ target, changes }) => `${target}：${changes.join('、')}，直到窗口结束`,
  released: ({ target, bytes, left }) => `${target}：归还 ${bytes} 字节，仍占用 ${left} 字节`,
  expired: '系统空闲之前窗口已结束',
  cancelled: '完成之前窗口已结束',
}

export function decisionTexts(lang: Lang): DecisionTexts {
  return lang === 'zh' ? zh : en
}
