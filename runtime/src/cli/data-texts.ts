/** Texts about data folders created elsewhere. */
import type { Lang } from '../i18n/locale.ts'

const en = {
  foreign: (p: { folder: string }) => `${p.folder} was not created by you on this machine. It contains:`,
  own: (p: { folder: string }) => `${p.folder} is already yours. It contains:`,
  runs: 'runs',
  openRuns: 'open runs, which can be resumed',
  questions: 'questions waiting for an answer',
  approvals: 'standing approvals, used without asking',
  routines: 'routines, which run on schedule',
  tokens: 'access tokens of the server',
  memories: 'memories, shown to the model',
  more: (p: { n: number }) => `… and ${p.n} more`,
  none: 'none',
  ask: 'Use this folder from now on? [y/N] ',
  adopted: (p: { folder: string }) => `Adopted ${p.folder}; Writ now uses it on this machine.`,
  wouldAdopt: 'Nothing was changed (--dry-run).',
  doctorForeign: (p: { folder: string }) => `${p.folder} was not created by you on this machine: read-only`,
  doctorHint: (p: { folder: string }) => `Review it and accept it with \`writ data adopt ${p.folder}\`.`,
}

export type DataTexts = typeof en

const zh: DataTexts = {
  foreign: ({ folder }) => `${folder} 不是你在这台机器上创建的。其中包含：`,
  own: ({ folder }) => `${folder} 已经是你的。其中包含：`,
  runs: '运行',
  openRuns: '未结束的运行，可以恢复',
  questions: '等待答复的问题',
  approvals: '长期批准，使用时不再询问',
  routines: '例行任务，会按时间表运行',
  tokens: '服务器的访问令牌',
  memories: '记忆，会提供给模型',
  more: ({ n }) => `……另有 ${n} 项`,
  none: '无',
  ask: '今后使用此目录吗？[y/N] ',
  adopted: ({ folder }) => `已接管 ${folder}；Writ 现在会在这台机器上使用它。`,
  wouldAdopt: '没有任何改动（--dry-run）。',
  doctorForeign: ({ folder }) => `${folder} 不是你在这台机器上创建的：只能读取`,
  doctorHint: ({ folder }) => `请先查看，再用 \`writ data adopt ${folder}\` 接管。`,
}

export function dataTexts(lang: Lang): DataTexts {
  return lang === 'zh' ? zh : en
}
