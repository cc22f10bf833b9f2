/** Errors of routines and schedules. */

import type { Bilingual } from '../base/lang.ts'
import { entry } from './entry.ts'

const SCHEDULE_HINT =
  'Write five cron fields (minute hour day month weekday), such as "0 9 * * 1-5", or "@every 10m" with s, m or h.'
const SCHEDULE_HINT_ZH =
  '请写五个 cron 字段（分 时 日 月 周），例如 "0 9 * * 1-5"；或写 "@every 10m"，单位可用 s、m、h。'

export const ROUTINE_ERRORS = {
  SCHEDULE_INVALID: entry<{ schedule: string; why: string }>({
    en: ({ schedule, why }) => [`"${schedule}" is not a valid schedule${why === '' ? '' : ` (${why})`}`, SCHEDULE_HINT],
    zh: ({ schedule, why }) => [`“${schedule}”不是有效的时间表${why === '' ? '' : `（${why}）`}`, SCHEDULE_HINT_ZH],
  }),
  'SCHEDULE_INVALID.range': entry<{ schedule: string }>({
    en: ({ schedule }) => [`"${schedule}" is out of range: from one second to one year`, SCHEDULE_HINT],
    zh: ({ schedule }) => [`“${schedule}”超出范围：最短一秒，最长一年`, SCHEDULE_HINT_ZH],
  }),
  SCHEDULE_NEVER: entry<{ schedule: string }>({
    en: ({ schedule }) => [`"${schedule}" never comes due`, 'Choose a day that exists in its month.'],
    zh: ({ schedule }) => [`“${schedule}”永远不会到期`, '请选择该月份中存在的日期。'],
  }),
  'SCHEDULE_NEVER.again': entry<{ schedule: string }>({
    en: ({ schedule }) => [`"${schedule}" does not come due again`, 'Give the routine another schedule.'],
    zh: ({ schedule }) => [`“${schedule}”不会再次到期`, '请给例行任务换一个时间表。'],
  }),
  TIME_ZONE_UNKNOWN: entry<{ zone: string }>({
    en: ({ zone }) => [`unknown time zone "${zone}"`, 'Use an IANA name, such as Europe/Berlin, Asia/Shanghai or UTC.'],
    zh: ({ zone }) => [`没有时区“${zone}”`, '请用 IANA 名称，例如 Asia/Shanghai、Europe/Berlin 或 UTC。'],
  }),
  ROUTINE_NAME: entry<{ name: string }>({
    en: ({ name }) => [
      `"${name}" is not a valid routine name`,
      'Use letters, digits, "_" and "-", at most 64, starting with a letter or digit.',
    ],
    zh: ({ name }) => [
      `“${name}”不能用作例行任务的名称`,
      '可用字母（含汉字）、数字、“_”和“-”，最多 64 个，首字符须为字母或数字。',
    ],
  }),
  ROUTINE_TASK: entry<{ max: number }>({
    en: ({ max }) => [
      `a routine's task must be text of 1 to ${max} characters`,
      'Put long instructions into a file in the workspace and name the file in the task.',
    ],
    zh: ({ max }) => [
      `例行任务的内容须是 1 到 ${max} 个字符的文本`,
      '内容较长时，请写进工作区的文件，再在任务中写明文件名。',
    ],
  }),
  ROUTINE_TAKEN: entry<{ name: string }>({
    en: ({ name }) => [`a routine "${name}" already exists`, 'Delete it first, or choose another name.'],
    zh: ({ name }) => [`已有名为“${name}”的例行任务`, '请先删除它，或换一个名称。'],
  }),
  ROUTINE_LIMIT: entry<{ max: number }>({
    en: ({ max }) => [`there are already ${max} routines, the maximum`, 'Delete one first.'],
    zh: ({ max }) => [`例行任务已达上限 ${max} 个`, '请先删除一个。'],
  }),
  ROUTINE_AUTONOMY: entry<{ requested: string; granted: string }>({
    en: ({ requested, granted }) => [
      `a routine cannot have ${requested}: the configuration grants ${granted}`,
      'A routine can be stricter than the configuration, never looser.',
    ],
    zh: ({ requested, granted }) => [
      `例行任务不能使用 ${requested}：配置只授予 ${granted}`,
      '例行任务的权限只能比配置更严格。',
    ],
  }),
  ROUTINE_UNKNOWN: entry<{ name: string; nearest?: string | undefined }>({
    status: 404,
    en: ({ name, nearest }) => [
      `unknown routine "${name}"`,
      nearest === undefined ? 'List routines with `writ routine list`.' : `Did you mean ${nearest}?`,
    ],
    zh: ({ name, nearest }) => [
      `没有名为“${name}”的例行任务`,
      nearest === undefined ? '用 `writ routine list` 列出例行任务。' : `是不是 ${nearest}？`,
    ],
  }),
  ROUTINE_BUSY: entry<{ name: string }>({
    status: 409,
    en: ({ name }) => [`the routine "${name}" is already running`, 'Wait until it has ended.'],
    zh: ({ name }) => [`例行任务“${name}”正在运行`, '请等它结束。'],
  }),
  ROUTINE_ALLOW: entry<{ line: string; why: Bilingual }>({
    en: ({ line, why }) => [
      `"${line}" cannot be allowed in advance${why.en === '' ? '' : `: ${why.en}`}`,
      'Allow plain commands without variables or substitutions. High-risk commands cannot be allowed.',
    ],
    zh: ({ line, why }) => [
      `不能预先允许“${line}”${why.zh === '' ? '' : `：${why.zh}`}`,
      '只能允许不含变量和命令替换的普通命令，高风险命令不能预先允许。',
    ],
  }),
}
