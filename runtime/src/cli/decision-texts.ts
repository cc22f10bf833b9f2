/** Texts of `writ decide`. */
import type { Lang } from '../i18n/locale.ts'

export interface DecisionLineTexts {
  window: string
  route: string
  model: string
  latency: string
  tags: string
  run: string
  error: string
  took(at: { ms: string }): string
  handedIn: string
  none: string
  authorized(at: { n: number }): string
  denied(at: { n: number }): string
  suggestions(at: { n: number }): string
  executed(at: { n: number }): string
  counts: string
  noTarget: string
  maxRisk: string
  actions: string
}

const en: DecisionLineTexts = {
  window: 'Window',
  route: 'Route',
  model: 'Model',
  latency: 'Latency',
  tags: 'Tags',
  run: 'Run',
  error: 'Error',
  took: ({ ms }) => `${ms} ms`,
  handedIn: 'none (the batch came from a file)',
  none: 'none',
  authorized: ({ n }) => `Authorized: ${n}`,
  denied: ({ n }) => `Denied: ${n}`,
  suggestions: ({ n }) => `Suggestions for you to decide: ${n}`,
  executed: ({ n }) => `Executed: ${n}`,
  counts: 'Denials by reason',
  noTarget: '(no target)',
  maxRisk: 'Max risk',
  actions: 'Allowed actions',
}

const zh: DecisionLineTexts = {
  window: '窗口',
  route: '路由',
  model: '模型',
  latency: '耗时',
  tags: '标签',
  run: '运行',
  error: '错误',
  took: ({ ms }) => `${ms} 毫秒`,
  handedIn: '无（批次来自文件）',
  none: '无',
  authorized: ({ n }) => `已授权：${n}`,
  denied: ({ n }) => `已拒绝：${n}`,
  suggestions: ({ n }) => `供你决定的建议：${n}`,
  executed: ({ n }) => `已执行：${n}`,
  counts: '按原因统计的拒绝',
  noTarget: '（无目标）',
  maxRisk: '最高风险',
  actions: '允许的动作',
}

export function decisionLineTexts(lang: Lang): DecisionLineTexts {
  return lang === 'zh' ? zh : en
}
