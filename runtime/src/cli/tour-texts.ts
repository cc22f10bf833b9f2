/** Texts of `writ tour`. */
import { riskZh } from '../i18n/gate.ts'
import type { Lang } from '../i18n/locale.ts'

const en = {
  title: 'A tour of Writ',
  intro: (p: { folder: string }) =>
    `Three tasks in Writ’s own folder (${p.folder}), run by the built-in rules: no key, no network, no language model.`,
  step: (p: { n: number; of: number; task: string }) => `${p.n}/${p.of}  ${p.task}`,
  tasks: ['list the files here', 'how many lines in bin/too-old.js', 'read "/etc/passwd"'],
  facts: (p: { family: string; risk: string }) => `family ${p.family}, risk ${p.risk}`,
  traced: (p: { steps: readonly string[] }) => `trace: ${p.steps.join(' → ')}`,
  allowed: 'allowed',
  refused: 'denied',
  moral: {
    first: 'Reading inside the workspace is low risk, so no approval was needed.',
    later: 'The tool ran because the gate issued a writ for exactly this call.',
    refuse:
      'The gate denied the call before anything was opened. The model cannot change that; only you can, by changing the policy.',
  },
  auditing: 'Every step above is in the journal, and each event contains the hash of the previous one:',
  next: 'Try it yourself:',
  commands: [
    ['writ run "how many lines in package.json"', 'run a task of your own'],
    ['writ doctor', 'check the installation'],
    ['writ --help', 'all commands'],
  ],
}

type TourTexts = typeof en

const zh: TourTexts = {
  title: 'Writ 导览',
  intro: (p) => `在 Writ 自己的目录（${p.folder}）中运行三个任务，由内置规则完成：不需要密钥、网络和语言模型。`,
  step: (p) => `${p.n}/${p.of}  ${p.task}`,
  tasks: ['列出文件', 'bin/too-old.js 有多少行', '读取 "/etc/passwd"'],
  facts: (p) => `工具族 ${p.family}，${riskZh(p.risk)}`,
  traced: (p) => `轨迹：${p.steps.join(' → ')}`,
  allowed: '允许',
  refused: '拒绝',
  moral: {
    first: '在工作区内读取属于低风险，因此不需要审批。',
    later: '工具能够运行，是因为闸门为这一次调用签发了令状。',
    refuse: '在打开任何文件之前，闸门就拒绝了这次调用。模型无法改变这一点；只有你可以修改策略。',
  },
  auditing: '以上每一步都记录在日志中，每个事件都包含前一个事件的哈希：',
  next: '自己试试：',
  commands: [
    ['writ run "package.json 有多少行"', '运行你自己的任务'],
    ['writ doctor', '检查安装'],
    ['writ --help', '全部命令'],
  ],
}

export function tourTexts(lang: Lang): TourTexts {
  return lang === 'zh' ? zh : en
}
