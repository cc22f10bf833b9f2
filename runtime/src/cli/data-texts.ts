/** What is said of data folders that were not made here. */
import type { Lang } from '../i18n/locale.ts'

const en = {
  foreign: (p: { folder: string }) => `${p.folder} was not made by you on this machine. In it:`,
  own: (p: { folder: string }) => `${p.folder} is already yours. In it:`,
  runs: 'runs',
  openRuns: 'open runs, which can go on',
  questions: 'questions waiting for an answer',
  approvals: 'standing approvals, used without asking',
  routines: 'routines, run by their schedule',
  tokens: 'access tokens of the server',
  memories: 'memories, shown to the model',
  more: (p: { n: number }) => `… and ${p.n} more`,
  none: 'none',
  ask: 'Work with this folder from now on? [y/N] ',
  adopted: (p: { folder: string }) => `${p.folder} is yours now: Writ works with it on this machine.`,
  wouldAdopt: 'Nothing was changed (--dry-run).',
  refused: (p: { folder: string }) => `${p.folder} was not adopted`,
  refusedHint:
    'Run `writ data adopt --yes` to adopt it without a question, or use another folder with --data or WRIT_DATA. Reading commands, such as `writ trace`, work without it.',
  doctorForeign: (p: { folder: string }) => `${p.folder} was not made by you on this machine: it can only be read`,
  doctorHint: (p: { folder: string }) => `Look at it and accept it with \`writ data adopt ${p.folder}\`.`,
}

export type DataTexts = typeof en

const zh: DataTexts = {
  foreign: ({ folder }) => `${folder} 不是你在这台机器上创建的。其中有：`,
  own: ({ folder }) => `${folder} 已经是你的。其中有：`,
  runs: '运行',
  openRuns: '未结束的运行，可能会继续执行',
  questions: '等待答复的审批',
  approvals: '长期有效的批准，使用时不再询问',
  routines: '定时任务，会按计划运行',
  tokens: '服务器的访问令牌',
  memories: '记忆，会提供给模型',
  more: ({ n }) => `……另有 ${n} 项`,
  none: '无',
  ask: '今后使用这个文件夹吗？[y/N] ',
  adopted: ({ folder }) => `${folder} 现在归你使用：Writ 会在这台机器上使用它。`,
  wouldAdopt: '没有任何改动（--dry-run）。',
  refused: ({ folder }) => `没有接管 ${folder}`,
  refusedHint:
    '可用 `writ data adopt --yes` 直接接管，或用 --data 或 WRIT_DATA 另选文件夹。`writ trace` 等只读命令不受影响。',
  doctorForeign: ({ folder }) => `${folder} 不是你在这台机器上创建的：只能读取`,
  doctorHint: ({ folder }) => `请先查看，再用 \`writ data adopt ${folder}\` 接管。`,
}

export function dataTexts(lang: Lang): DataTexts {
  return lang === 'zh' ? zh : en
}
