/** What a person is told about routines and their schedules. */
import type { Lang } from '../i18n/locale.ts'

export interface RoutineTexts {
  schedule(at: { text: string; why: string }): string
  scheduleHint: string
  outOfRange(at: { text: string }): string
  never(at: { text: string }): string
  neverHint: string
  zone(at: { zone: string }): string
  zoneHint: string
  name(at: { name: string }): string
  nameHint: string
  task(at: { max: number }): string
  taskHint: string
  taken(at: { name: string }): string
  takenHint: string
  tooMany(at: { max: number }): string
  tooManyHint: string
  autonomy(at: { wanted: string; granted: string }): string
  autonomyHint: string
  unknown(at: { name: string }): string
  didYouMean(at: { name: string }): string
  unknownHint: string
  busy(at: { name: string }): string
  busyHint: string
}

const en: RoutineTexts = {
  schedule: ({ text, why }) => `"${text}" is not a schedule${why === '' ? '' : ` (${why})`}`,
  scheduleHint:
    'Write five cron fields (minute hour day month weekday), such as "0 9 * * 1-5", or "@every 10m" with s, m or h.',
  outOfRange: ({ text }) => `"${text}" is out of range: from one second to one year`,
  never: ({ text }) => `"${text}" never comes`,
  neverHint: 'Choose a day that its month has.',
  zone: ({ zone }) => `there is no time zone "${zone}"`,
  zoneHint: 'Use an IANA name, such as Europe/Berlin, Asia/Shanghai or UTC.',
  name: ({ name }) => `"${name}" cannot be a routine's name`,
  nameHint: 'Use letters, digits, "_" and "-", 64 at most, a letter or digit first.',
  task: ({ max }) => `a routine's task is text of 1 to ${max} characters`,
  taskHint: 'Put what is long into a file in the workspace and name the file in the task.',
  taken: ({ name }) => `there is already a routine "${name}"`,
  takenHint: 'Remove it first, or choose another name.',
  tooMany: ({ max }) => `there are already ${max} routines`,
  tooManyHint: 'Remove one first.',
  autonomy: ({ wanted, granted }) => `a routine cannot be given ${wanted}: the configuration grants ${granted}`,
  autonomyHint: 'A routine may be stricter than the configuration, never looser.',
  unknown: ({ name }) => `there is no routine "${name}"`,
  didYouMean: ({ name }) => `Did you mean ${name}?`,
  unknownHint: '`writ routine list` shows what there is.',
  busy: ({ name }) => `the routine "${name}" is running right now`,
  busyHint: 'Wait until it has ended.',
}

const zh: RoutineTexts = {
  schedule: ({ text, why }) => `“${text}” 不是有效的时间表${why === '' ? '' : `（${why}）`}`,
  scheduleHint: '请写五个 cron 字段（分 时 日 月 周），例如 "0 9 * * 1-5"；或写 "@every 10m"，单位可用 s、m、h。',
  outOfRange: ({ text }) => `“${text}” 超出范围：最短一秒，最长一年`,
  never: ({ text }) => `“${text}” 永远不会到来`,
  neverHint: '请选择该月份里存在的日子。',
  zone: ({ zone }) => `没有时区 “${zone}”`,
  zoneHint: '请用 IANA 名称，例如 Asia/Shanghai、Europe/Berlin 或 UTC。',
  name: ({ name }) => `“${name}” 不能用作例行任务的名字`,
  nameHint: '可用字母（汉字）、数字、“_” 和 “-”，最多 64 个，首字符须为字母或数字。',
  task: ({ max }) => `例行任务的内容须是 1 到 ${max} 个字符的文本`,
  taskHint: '内容太长时，请写进工作区的文件，再在任务里写文件名。',
  taken: ({ name }) => `已经有名为 “${name}” 的例行任务`,
  takenHint: '请先删除它，或换一个名字。',
  tooMany: ({ max }) => `例行任务已有 ${max} 个`,
  tooManyHint: '请先删除一个。',
  autonomy: ({ wanted, granted }) => `不能给例行任务 ${wanted}：配置只授予 ${granted}`,
  autonomyHint: '例行任务的权限只能比配置更严。',
  unknown: ({ name }) => `没有名为 “${name}” 的例行任务`,
  didYouMean: ({ name }) => `是不是 ${name}？`,
  unknownHint: '`writ routine list` 列出已有的例行任务。',
  busy: ({ name }) => `例行任务 “${name}” 正在运行`,
  busyHint: '请等它结束。',
}

export function routineTexts(lang: Lang): RoutineTexts {
  return lang === 'zh' ? zh : en
}
