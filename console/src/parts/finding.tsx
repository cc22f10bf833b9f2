/** What a scout found: summary, checked quotes, confidence, and what was dropped. */
import { useTexts } from '../i18n/texts.tsx'
import type { Evidence, Finding } from '../lib/lanes.ts'
import { Prose } from './prose.tsx'
import { Shown } from './text.tsx'
import './finding.css'

export function FindingView({ finding }: { finding: Finding }) {
  const { scout } = useTexts()
  const { summary, confidence, evidence, dropped, withheld, error } = finding
  return (
    <div className="finding stack">
      {summary !== '' && <Prose text={summary} />}
      {evidence.length > 0 && <Quotes evidence={evidence} label={scout.quotes} />}
      <p className="row small muted">
        <Confidence value={confidence} />
        <span>{scout.checked({ kept: evidence.length })}</span>
      </p>
      {dropped.count > 0 && (
        <details className="small">
          <summary>{scout.dropped({ count: dropped.count })}</summary>
          <Quotes evidence={dropped.evidence} label={scout.dropped({ count: dropped.count })} />
        </details>
      )}
      {withheld.length > 0 && (
        <p className="note ask">
          {scout.withheld} <Shown text={withheld.join(', ')} />
        </p>
      )}
      {error !== undefined && (
        <p className="note ask">
          <Shown text={error} />
        </p>
      )}
    </div>
  )
}

function Quotes({ evidence, label }: { evidence: readonly Evidence[]; label: string }) {
  return (
    <ul className="quotes" aria-label={label}>
      {evidence.map(({ source, quote, note }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a result never move
        <li key={i}>
          {quote !== undefined && quote !== '' && (
            <blockquote>
              <Shown text={quote} />
            </blockquote>
          )}
          <p className="small muted">
            <code>
              <Shown text={source} />
            </code>
            {note !== '' && (
              <>
                {' '}
                · <Shown text={note} />
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  )
}

function Confidence({ value }: { value: number }) {
  const { scout } = useTexts()
  const percent = Math.round(value * 100)
  return (
    <span className="row confidence">
      <meter min={0} max={100} value={percent} aria-label={scout.confidence} />
      <span className="num">
        {scout.confidence} {percent}%
      </span>
    </span>
  )
}
