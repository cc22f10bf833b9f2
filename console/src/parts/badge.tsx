/** Codes are shown unchanged, with their meaning as a tooltip. */
import { useTexts } from '../i18n/texts.tsx'
import { Shown } from './text.tsx'

export type Tone = 'allow' | 'ask' | 'deny' | 'accent' | ''

export function Code({ children, tone = '', title }: { children: string; tone?: Tone; title?: string | undefined }) {
  return (
    <span className={`badge code ${tone}`} title={title}>
      <span className="clip">
        <Shown text={children} />
      </span>
    </span>
  )
}

export function VerdictBadge({ decision }: { decision: 'allow' | 'ask' | 'deny' }) {
  const { codes } = useTexts()
  return (
    <Code tone={decision} title={codes[decision]}>
      {decision}
    </Code>
  )
}

export function Reason({ reason, tone = '' }: { reason: string; tone?: Tone }) {
  const { codes } = useTexts()
  return (
    <Code tone={tone} title={explained(codes, reason)}>
      {reason}
    </Code>
  )
}

const GOOD: readonly string[] = ['final', 'reported', 'clarification']

export function StopBadge({ reason }: { reason: string | undefined }) {
  const { codes, common } = useTexts()
  if (reason === undefined) return <span className="badge accent">{common.running}</span>
  return (
    <Code tone={GOOD.includes(reason) ? 'allow' : 'deny'} title={explained(codes, reason)}>
      {reason}
    </Code>
  )
}

export function RiskBadge({ risk }: { risk: string }) {
  const tone = risk === 'High' ? 'deny' : risk === 'Medium' ? 'ask' : 'allow'
  return <Code tone={tone}>{risk}</Code>
}

function explained(codes: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(codes, code) ? codes[code] : undefined
}
