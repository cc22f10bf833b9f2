/** Codes are shown unchanged, with words beside them and their meaning as a tooltip. */
import type { ReactNode } from 'react'
import type { Texts } from '../i18n/en.ts'
import { useTexts } from '../i18n/texts.tsx'
import { Shown } from './text.tsx'

export type Tone = 'allow' | 'ask' | 'deny' | 'accent' | ''

/** A name or value that has no other words: a tool, a host. */
export function Code({ children, tone = '', title }: { children: string; tone?: Tone; title?: string | undefined }) {
  return (
    <span className={`badge code ${tone}`} title={title}>
      <span className="clip">
        <Shown text={children} />
      </span>
    </span>
  )
}

/** A code of the protocol, with its words. */
export function Named({ code, tone = '', children }: { code: string; tone?: Tone; children?: ReactNode }) {
  return (
    <span className={`badge named ${tone}`} title={useMeaning(code)}>
      <Worded code={code} />
      {children}
    </span>
  )
}

/** The same without a badge, inside a sentence or a table. */
export function Worded({ code }: { code: string }) {
  const word = wordFor(useTexts(), code)
  if (word === undefined) return <code>{code}</code>
  if (word.toLowerCase() === code.toLowerCase()) return word
  return (
    <>
      {word} <code className="beside">{code}</code>
    </>
  )
}

export function VerdictBadge({ decision }: { decision: 'allow' | 'ask' | 'deny' }) {
  return <Named code={decision} tone={decision} />
}

const GOOD: readonly string[] = ['final', 'reported', 'clarification']

/** A good end with refused calls is not shown like one without. */
export function StopBadge({ reason, denials = 0 }: { reason: string | undefined; denials?: number }) {
  const { common, runs } = useTexts()
  if (reason === undefined) return <span className="badge accent">{common.running}</span>
  const good = GOOD.includes(reason)
  return (
    <Named code={reason} tone={good ? (denials > 0 ? 'ask' : 'allow') : 'deny'}>
      {denials > 0 && <span className="num"> · {runs.refused({ count: denials })}</span>}
    </Named>
  )
}

export function RiskBadge({ risk }: { risk: string }) {
  const tone = risk === 'High' ? 'deny' : risk === 'Medium' ? 'ask' : 'allow'
  return <Named code={risk} tone={tone} />
}

/** Short words if there are any, else the meaning. */
export function wordFor({ words, codes }: Pick<Texts, 'words' | 'codes'>, code: string): string | undefined {
  return textOf(words, code) ?? textOf(codes, code)
}

/** Word and code, where only text can be: options, tooltips. */
export function labelFor(texts: Pick<Texts, 'words' | 'codes'>, code: string): string {
  const word = wordFor(texts, code)
  return word === undefined || word === code ? code : `${word} (${code})`
}

function useMeaning(code: string): string | undefined {
  return textOf(useTexts().codes, code)
}

function textOf(texts: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(texts, code) ? texts[code] : undefined
}
