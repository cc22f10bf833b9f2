import { useTexts } from '../i18n/texts.tsx'

/** An unknown price is shown as unknown, not as zero. */
export function CostText({ usd }: { usd: number | null | undefined }) {
  const { common } = useTexts()
  if (usd === undefined || usd === null) {
    return (
      <span className="muted" title={common.unpriced}>
        {common.unknown}
      </span>
    )
  }
  return <span className="num">{usd === 0 ? '$0' : usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`}</span>
}
