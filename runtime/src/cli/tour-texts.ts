/** What `writ tour` says. */
import type { Lang } from '../i18n/locale.ts'

const en = {
  title: 'A tour of Writ',
  intro: (p: { folder: string }) =>
    `Three tasks in ${p.folder}, done by the built-in rules: no key, no network, no language model.`,
  step: (p: { n: number; of: number; task: string }) => `${p.n}/${p.of}  ${p.task}`,
  tasks: ['list files in docs', 'how many lines in package.json', 'read "/etc/passwd"'],
  facts: (p: { family: string; risk: string }) => `family ${p.family}, risk ${p.risk}`,
  traced: (p: { steps: readonly string[] }) => `trace: ${p.steps.join(' → ')}`,
  allowed: 'allowed',
  refused: 'refused',
  moral: {
    first: 'A read inside the workspace is of low risk, so nobody had to be asked.',
    later: 'The tool ran because the gate minted a writ for exactly this call.',
    refuse:
      'The gate refused before anything was opened. The model cannot talk it round; only a person could change the policy.',
  },
  auditing: 'Every step above is in a journal, each event hashed onto the one before:',
  next: 'Now yours:',
  commands: [
    ['writ run "list the files here"', 'a task of your own'],
    ['writ doctor', 'what is here, what is missing'],
    ['writ --help', 'everything else'],
  ],
}

type TourTexts = typeof en

const zh: TourTexts = {
  title: 'Writ 导览',
  intro: (p) => `在 ${p.folder} 里做三个任务，由内置规则完成：没有密钥，没有网络，没有语言模型。`,
  step: (p) => `${p.n}/${p.of}  ${p.task}`,
  tasks: ['列出 docs 目录的文件', 'package.json 有多少行', '读取 "/etc/passwd"'],
  facts: (p) => `工具族 ${p.family}，风险 ${p.risk}`,
  traced: (p) => `轨迹：${p.steps.join(' → ')}`,
  allowed: '放行',
  refused: '拒绝',
  moral: {
    first: '工作区内的读取风险低，所以不必问人。',
    later: '工具能运行，是因为闸门为这一次调用签发了令状。',
    refuse: '什么都还没打开，闸门就拒绝了。模型说服不了它；只有人能改策略。',
  },
  auditing: '以上每一步都在日志里，每个事件都接在前一个的哈希上：',
  next: '轮到你了：',
  commands: [
    ['writ run "列出文件"', '你自己的任务'],
    ['writ doctor', '有什么，缺什么'],
    ['writ --help', '其余一切'],
  ],
}

export function tourTexts(lang: Lang): TourTexts {
  return lang === 'zh' ? zh : en
}
