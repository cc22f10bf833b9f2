/** Texts about scouts. States and codes are protocol and are not translated. */
import type { Lang } from '../i18n/locale.ts'
import type { ScoutStatus } from '../protocol/scout.ts'

interface ScoutTexts {
  scout(p: { n: number }): string
  seconds(p: { s: string }): string
  status: Record<ScoutStatus, string>
  sources(p: { count: number; dropped: number }): string
}

const en: ScoutTexts = {
  scout: ({ n }) => `scout ${n}`,
  seconds: ({ s }) => `${s} s`,
  status: { success: 'success', partial: 'partial', failed: 'failed', timeout: 'timeout', aborted: 'aborted' },
  sources: ({ count, dropped }) =>
    `${count} piece${count === 1 ? '' : 's'} of evidence${dropped === 0 ? '' : `, ${dropped} unverified dropped`}`,
}

const zh: ScoutTexts = {
  scout: ({ n }) => `侦察员 ${n}`,
  seconds: ({ s }) => `${s} 秒`,
  status: { success: '成功', partial: '部分完成', failed: '失败', timeout: '超时', aborted: '已取消' },
  sources: ({ count, dropped }) => `${count} 条证据${dropped === 0 ? '' : `，剔除 ${dropped} 条未经证实的`}`,
}

export function scoutTexts(lang: Lang): ScoutTexts {
  return lang === 'zh' ? zh : en
}
