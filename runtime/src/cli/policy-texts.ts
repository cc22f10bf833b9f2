/** Texts of `policy explain --call`, `policy rules` and `policy test`. */
import { riskZh } from '../i18n/gate.ts'
import type { Lang } from '../i18n/locale.ts'

const en = {
  call: (p: { call: string }) => `Call: ${p.call}`,
  decision: { allow: 'allowed', ask: 'needs approval', deny: 'denied' },
  decided: (p: { decision: string }) => `Decision: ${p.decision}`,
  rule: (p: { rule: string }) => `Rule: ${p.rule}`,
  noRule: 'Rule: none decides',
  command: (p: { words: string; class: string }) => `  ${p.words}: ${p.class}`,
  commands: 'Classes of its commands:',
  objections: 'Objections:',
  risk: (p: { risk: string; family: string }) => `Risk: ${p.risk} (${p.family})`,
  columns: { decide: 'decision', layer: 'layer', rule: 'applies to', place: 'place', reason: 'reason' },
  tested: { result: '', place: 'place', call: 'call', expected: 'expected', decided: 'found', by: 'because of' },
  match: 'match',
  noMatch: 'no match',
  skipped: 'tool not available',
  summary: (p: { passed: number; failed: number; skipped: number }) =>
    `${p.passed} passed, ${p.failed} failed${p.skipped === 0 ? '' : `, ${p.skipped} skipped`}`,
  nothing: 'No rule has examples, and no file was given.',
}

type PolicyTexts = typeof en

const zh: PolicyTexts = {
  call: (p) => `调用：${p.call}`,
  decision: { allow: '允许', ask: '需要审批', deny: '拒绝' },
  decided: (p) => `决定：${p.decision}`,
  rule: (p) => `规则：${p.rule}`,
  noRule: '规则：没有起决定作用的规则',
  command: (p) => `  ${p.words}：${p.class}`,
  commands: '其中命令的类别：',
  objections: '反对理由：',
  risk: (p) => `风险：${riskZh(p.risk)}（${p.family}）`,
  columns: { decide: '决定', layer: '层', rule: '适用于', place: '位置', reason: '理由' },
  tested: { result: '', place: '位置', call: '调用', expected: '预期', decided: '实际', by: '原因' },
  match: '匹配',
  noMatch: '不匹配',
  skipped: '工具不可用',
  summary: (p) => `${p.passed} 项通过，${p.failed} 项失败${p.skipped === 0 ? '' : `，${p.skipped} 项跳过`}`,
  nothing: '没有带示例的规则，也没有给出文件。',
}

export function policyTexts(lang: Lang): PolicyTexts {
  return lang === 'zh' ? zh : en
}
