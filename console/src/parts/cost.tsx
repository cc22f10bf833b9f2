import { useLanguage } from '../i18n/texts.tsx'
import { formatMoney } from '../lib/format.ts'

/** An unknown price is shown as unknown, not as zero. */
export function CostText({ usd }: { usd: number | null | undefined }) {
  const { texts, lang } = useLanguage()
  const { common } = texts
  if (usd === undefined || usd === null) {
    return (
      <span className="muted" title={common.unpriced}>
        {common.unknown}
      </span>
    )
  }
  return (
    <span className="num">
      {usd === 0 ? '$0' : usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${formatMoney(usd, lang)}`}
    </span>
  )
}
