import { useTexts } from '../../i18n/texts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ErrorNote } from '../../parts/states.tsx'
import type { Checked } from './use-check.ts'

export function Problems({ check, broken }: { check: Checked; broken: boolean }) {
  const { workflows: texts } = useTexts()
  if (broken) {
    return (
      <p className="problem" role="status">
        {texts.broken}
      </p>
    )
  }
  if (check.error !== null && check.error !== undefined) return <ErrorNote error={check.error} />
  if (check.ok === undefined) return null
  if (check.ok) {
    return (
      <p className="note allow row" role="status">
        <Icon name="approvals" /> {texts.fine}
      </p>
    )
  }
  return (
    <div className="problem" role="status">
      <strong>{texts.problems({ count: check.problems.length })}</strong>
      <ul className="stack tight">
        {check.problems.map(({ place, message }) => (
          <li key={`${place} ${message}`} className="small">
            <code>{place}</code> {message}
          </li>
        ))}
      </ul>
    </div>
  )
}
