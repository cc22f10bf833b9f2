/** Formats numbers, times and values for display. */
import { oneLine } from '../../../runtime/src/protocol/visible-text.ts'
import type { Lang } from './wire.ts'

export function formatMs(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`
  const minutes = Math.floor(ms / 60_000)
  const seconds = Math.round((ms % 60_000) / 1000)
  return minutes < 60 ? `${minutes} min ${seconds} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function formatCount(n: number, lang: Lang): string {
  return new Intl.NumberFormat(lang === 'zh' ? 'zh-CN' : 'en').format(n)
}

/** Large numbers as 1.2M, so that columns keep their width; the whole number belongs in a tooltip. */
export function formatShort(n: number, lang: Lang): string {
  if (Math.abs(n) < 100_000) return formatCount(n, lang)
  const words = { notation: 'compact', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(lang === 'zh' ? 'zh-CN' : 'en', words).format(n)
}

export function formatMoney(usd: number, lang: Lang): string {
  if (usd >= 100_000) return formatShort(usd, lang)
  const words = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return new Intl.NumberFormat(lang === 'zh' ? 'zh-CN' : 'en', words).format(usd)
}

export function formatTime(at: number, lang: Lang): string {
  return new Intl.DateTimeFormat(lang === 'zh' ? 'zh-CN' : 'en', {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(at)
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

export function formatAgo(at: number, now: number, lang: Lang): string {
  const words = new Intl.RelativeTimeFormat(lang === 'zh' ? 'zh-CN' : 'en', { numeric: 'auto', style: 'short' })
  for (const [unit, ms] of UNITS) {
    if (Math.abs(at - now) >= ms) return words.format(Math.trunc((at - now) / ms), unit)
  }
  return words.format(Math.trunc((at - now) / 1000), 'second')
}

/** Arguments on one line, to tell calls apart. */
export function summarise(args: unknown, max = 120): string {
  if (args === null || typeof args !== 'object') return clipped(oneLine(String(args ?? '')), max)
  const parts = Object.entries(args).map(([key, value]) => `${key}: ${spell(value)}`)
  return clipped(oneLine(parts.join(' · ')), max)
}

function spell(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ') : JSON.stringify(value)
}

export function clipped(text: string, max: number): string {
  const marks = [...text]
  return marks.length <= max ? text : `${marks.slice(0, max).join('')}…`
}

export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? ''
}

/** `3 / 4` as `75%`; `0 / 0` is unknown. */
export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((part / whole) * 100)}%`
}
