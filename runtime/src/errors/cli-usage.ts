/** Wrong use of the command line: an unknown command or flag, a value that does not fit, flags that exclude each other. */
import { entry } from './entry.ts'

const list = (items: readonly string[]): string => items.join(', ')
const listZh = (items: readonly string[]): string => items.join('、')
const help = 'See `writ --help`.'
const helpZh = '请运行 `writ --help` 查看用法。'
const helpOf = (verb: string): string => `See \`writ ${verb} --help\`.`
const helpOfZh = (verb: string): string => `请运行 \`writ ${verb} --help\` 查看用法。`
const meant = (name: string): string => `Did you mean ${name}?`
const meantZh = (name: string): string => `是否想写 ${name}？`
const commands = (names: readonly string[]): string[] => names.map((name) => `writ ${name}`)

const INPUT_FORM = 'Write --input city=Berlin for text, --input count:=3 for JSON. Repeat --input for each value.'
const INPUT_FORM_ZH = '文本写成 --input city=Berlin，JSON 写成 --input count:=3；每个值写一个 --input。'

export const CLI_USAGE_ERRORS = {
  'USAGE.unknownFlag': entry<{ flag: string; meant: string | undefined }>({
    en: (p) => [
      `unknown flag ${p.flag}`,
      p.meant === undefined ? `${help} Put text starting with a dash after "--".` : meant(p.meant),
    ],
    zh: (p) => [
      `未知的选项 ${p.flag}`,
      p.meant === undefined ? `${helpZh}以短横线开头的文本请放在 "--" 之后。` : meantZh(p.meant),
    ],
  }),
  'USAGE.unknownVerb': entry<{ verb: string; meant: string | undefined }>({
    en: (p) => [`unknown command "${p.verb}"`, p.meant === undefined ? help : meant(`writ ${p.meant}`)],
    zh: (p) => [`未知的命令 "${p.verb}"`, p.meant === undefined ? helpZh : meantZh(`writ ${p.meant}`)],
  }),
  'USAGE.unknownSubcommand': entry<{ verb: string; names: readonly string[] }>({
    en: (p) => [`unknown command "${p.verb}"`, `Use one of: ${list(commands(p.names))}.`],
    zh: (p) => [`未知的命令 "${p.verb}"`, `可用的命令：${listZh(commands(p.names))}。`],
  }),
  'USAGE.subcommandMissing': entry<{ usage: string; names: readonly string[] }>({
    en: (p) => [`missing argument: ${p.usage}`, `Use one of: ${list(commands(p.names))}.`],
    zh: (p) => [`缺少参数：${p.usage}`, `可用的命令：${listZh(commands(p.names))}。`],
  }),
  'USAGE.noValue': entry<{ flag: string }>({
    en: (p) => [`${p.flag} takes no value`, help],
    zh: (p) => [`${p.flag} 不接受值`, helpZh],
  }),
  'USAGE.needsValue': entry<{ flag: string }>({
    en: (p) => [`${p.flag} needs a value`, help],
    zh: (p) => [`${p.flag} 需要一个值`, helpZh],
  }),
  'USAGE.flagNotHere': entry<{ flag: string; verb: string; verbs: readonly string[] }>({
    en: (p) => [
      `writ ${p.verb} has no flag ${p.flag}`,
      p.verbs.length === 0 ? helpOf(p.verb) : `Commands with this flag: ${list(p.verbs)}.`,
    ],
    zh: (p) => [
      `writ ${p.verb} 没有选项 ${p.flag}`,
      p.verbs.length === 0 ? helpOfZh(p.verb) : `有此选项的命令：${listZh(p.verbs)}。`,
    ],
  }),
  'USAGE.argumentMissing': entry<{ usage: string; verb: string }>({
    en: (p) => [`missing argument: ${p.usage}`, helpOf(p.verb)],
    zh: (p) => [`缺少参数：${p.usage}`, helpOfZh(p.verb)],
  }),
  'USAGE.unexpectedArgument': entry<{ word: string; verb: string }>({
    en: (p) => [`unexpected argument "${p.word}"`, helpOf(p.verb)],
    zh: (p) => [`多余的参数 "${p.word}"`, helpOfZh(p.verb)],
  }),
  'USAGE.flagMissing': entry<{ flag: string; verb: string }>({
    en: (p) => [`${p.flag} is required`, helpOf(p.verb)],
    zh: (p) => [`缺少 ${p.flag}`, helpOfZh(p.verb)],
  }),
  'USAGE.exclusive': entry<{ names: readonly string[]; verb: string }>({
    en: (p) => [`${p.names.join(' and ')} cannot be combined`, helpOf(p.verb)],
    zh: (p) => [`${p.names.join(' 与 ')} 不能同时使用`, helpOfZh(p.verb)],
  }),
  'USAGE.language': entry<{ value: string }>({
    en: (p) => [`unknown language "${p.value}"`, 'Use en or zh.'],
    zh: (p) => [`未知的语言 "${p.value}"`, '请使用 en 或 zh。'],
  }),
  'USAGE.time': entry<{ flag: string; text: string }>({
    en: (p) => [
      `--${p.flag}: "${p.text}" is not a valid time`,
      'Use days or hours back (7d, 24h), or a UTC date (2026-01-31).',
    ],
    zh: (p) => [
      `--${p.flag}："${p.text}" 不是有效的时间`,
      '请使用几天或几小时前（7d、24h），或 UTC 日期（2026-01-31）。',
    ],
  }),
  'USAGE.runMissing': entry({
    en: () => ['no run was specified', 'Name a run, or use --last.'],
    zh: () => ['没有指定运行', '请指定运行的 ID，或使用 --last。'],
  }),
  'USAGE.replayNothing': entry({
    en: () => [
      'no run and no file was specified',
      'Name a run or a file of events (the output of `writ run --json`), or use --all.',
    ],
    zh: () => ['没有指定运行或文件', '请指定运行的 ID 或事件文件（`writ run --json` 的输出），或使用 --all。'],
  }),
  'USAGE.sinceWithoutAll': entry({
    en: () => ['--since needs --all', helpOf('replay')],
    zh: () => ['--since 需要与 --all 一起使用', helpOfZh('replay')],
  }),
  'USAGE.pruneNothing': entry({
    en: () => [
      'nothing to delete was specified',
      'Use --keep 30d, --before 2026-01-31 or --session ID, or set agent.retention.days.',
    ],
    zh: () => [
      '没有指定要删除的内容',
      '请使用 --keep 30d、--before 2026-01-31 或 --session ID，或设置 agent.retention.days。',
    ],
  }),
  'USAGE.failOn': entry<{ level: string }>({
    en: (p) => [`--fail-on must be block or review, not "${p.level}"`, helpOf('scan')],
    zh: (p) => [`--fail-on 必须是 block 或 review，不能是 "${p.level}"`, helpOfZh('scan')],
  }),
  'USAGE.call': entry<{ text: string }>({
    en: ({ text }) => [
      `not a call: ${text}`,
      'Give --call a shell line, or {"tool": "file_read", "args": {"path": "a.txt"}}.',
    ],
    zh: ({ text }) => [
      `不是调用：${text}`,
      '请为 --call 给出一行 shell 命令，或 {"tool": "file_read", "args": {"path": "a.txt"}}。',
    ],
  }),
  'USAGE.route': entry<{ name: string; routes: readonly string[]; meant: string | undefined }>({
    en: (p) => [
      `unknown route "${p.name}"; use one of ${list(p.routes)}`,
      p.meant === undefined ? helpOf('decide') : meant(p.meant),
    ],
    zh: (p) => [
      `未知的路由 "${p.name}"；可用的有 ${listZh(p.routes)}`,
      p.meant === undefined ? helpOfZh('decide') : meantZh(p.meant),
    ],
  }),
  'USAGE.observe': entry<{ value: string; max: number }>({
    en: (p) => [`--observe must be a number of seconds from 0 to ${p.max}, not "${p.value}"`, helpOf('decide')],
    zh: (p) => [`--observe 必须是 0 到 ${p.max} 之间的秒数，不能是 "${p.value}"`, helpOfZh('decide')],
  }),
  'USAGE.port': entry<{ text: string; flag: string; verb: string }>({
    en: (p) => [`--${p.flag} must be a number from 0 to 65535, not "${p.text}"`, helpOf(p.verb)],
    zh: (p) => [`--${p.flag} 必须是 0 到 65535 之间的数字，不能是 "${p.text}"`, helpOfZh(p.verb)],
  }),
  'USAGE.concurrency': entry<{ text: string; min: number; max: number; verb: string }>({
    en: (p) => [`--at-once must be a number from ${p.min} to ${p.max}, not "${p.text}"`, helpOf(p.verb)],
    zh: (p) => [`--at-once 必须是 ${p.min} 到 ${p.max} 之间的数字，不能是 "${p.text}"`, helpOfZh(p.verb)],
  }),
  'USAGE.input': entry<{ text: string }>({
    en: (p) => [`--input ${p.text} is not NAME=VALUE`, INPUT_FORM],
    zh: (p) => [`--input ${p.text} 不是 NAME=VALUE 的形式`, INPUT_FORM_ZH],
  }),
  'USAGE.inputTwice': entry<{ name: string }>({
    en: (p) => [`--input ${p.name} is given twice`, INPUT_FORM],
    zh: (p) => [`--input ${p.name} 出现了两次`, INPUT_FORM_ZH],
  }),
  'USAGE.inputNotJson': entry<{ name: string }>({
    en: (p) => [`--input ${p.name}:=… is not valid JSON`, INPUT_FORM],
    zh: (p) => [`--input ${p.name}:=… 不是有效的 JSON`, INPUT_FORM_ZH],
  }),
}
