import { useTexts } from '../../i18n/texts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ErrorNote } from '../../parts/states.tsx'
import type { Checked } from './use-check.ts'

interface Props {
  check: Checked
  /** The document's own text is not JSON yet. */
  unfinished: boolean
  /** Nodes whose arguments are not. */
  unfinishedArgs: readonly string[]
}

export function Problems({ check, unfinished, unfinishedArgs }: Props) {
  const { workflows: texts } = useTexts()
  if (unfinished || unfinishedArgs.length > 0) {
    return (
      <p className="problem" role="status">
        {unfinished ? texts.broken : texts.brokenArgs({ nodes: unfinishedArgs })}
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
