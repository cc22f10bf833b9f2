/** Text blocks: verbatim text, times, highlighted findings. */
import type { ReactNode } from 'react'
import { foldBlanks } from '../../../runtime/src/protocol/preview.ts'
import { ESCAPE, visible } from '../../../runtime/src/protocol/visible-text.ts'
import { useLanguage } from '../i18n/texts.tsx'
import { formatAgo, formatTime } from '../lib/format.ts'

/**
 * Untrusted text: characters that are invisible, reorder text or look like another letter are escaped and marked, as in
 * the terminal. Everything shown of a call uses this component.
 */
export function Shown({ text }: { text: string }) {
  const parts = visible(text).split(ESCAPE)
  if (parts.length === 1) return parts[0]
  return parts.map((part, i) =>
    i % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <mark key={i} className="escape">
        {part}
      </mark>
    ),
  )
}

/** Verbatim text; long runs of blank space are shown as a count. Lines of a diff are coloured. */
export function Preview({ text, label }: { text: string; label: string }) {
  const folded = foldBlanks(text)
  return <Scroll label={label}>{/^@@ /m.test(folded) ? <Diff text={folded} /> : <Shown text={folded} />}</Scroll>
}

export function Scroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
    <section className="preview" tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}

function Diff({ text }: { text: string }) {
  return text.split('\n').map((line, i) => {
    const kind = line.startsWith('@@') ? 'at' : line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : undefined
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text never move
      <span key={i} className={kind}>
        <Shown text={line} />
        {'\n'}
      </span>
    )
  })
}

export function Ago({ at }: { at: number }) {
  const { lang } = useLanguage()
  return (
    <time dateTime={new Date(at).toISOString()} title={formatTime(at, lang)}>
      {formatAgo(at, Date.now(), lang)}
    </time>
  )
}

export function Moment({ at }: { at: number }) {
  const { lang } = useLanguage()
  return (
    <time className="num" dateTime={new Date(at).toISOString()}>
      {formatTime(at, lang)}
    </time>
  )
}

export interface Finding {
  rule: string
  at: number
}

/** Text that replaces a withheld result has no findings to mark. */
export function findingsIn(flag: { verdict: string; findings: readonly Finding[] } | undefined): readonly Finding[] {
  return flag === undefined || flag.verdict === 'Block' ? [] : flag.findings
}

/** Marks the findings of the inspection; a mark ends at the end of its line. */
export function Highlighted({ text, findings }: { text: string; findings: readonly Finding[] }) {
  const parts = markedParts(text, findings)
  return parts.map(({ from, text: part, rule }) =>
    rule === undefined ? (
      <span key={from}>
        <Shown text={part} />
      </span>
    ) : (
      <mark key={from} title={rule}>
        <Shown text={part} />
      </mark>
    ),
  )
}

const LONGEST_MARK = 80

export function markedParts(text: string, findings: readonly Finding[]) {
  const parts: { from: number; text: string; rule?: string }[] = []
  let end = 0
  for (const { rule, at } of [...findings].sort((a, b) => a.at - b.at)) {
    if (at < end || at >= text.length) continue
    if (at > end) parts.push({ from: end, text: text.slice(end, at) })
    const newline = text.indexOf('\n', at + 1)
    const stop = Math.min(newline < 0 ? text.length : newline, at + LONGEST_MARK)
    parts.push({ from: at, text: text.slice(at, stop), rule })
    end = stop
  }
  if (end < text.length) parts.push({ from: end, text: text.slice(end) })
  return parts
}
