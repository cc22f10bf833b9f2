/** Remembered rules, each with a button that revokes it. */
import { oneLine } from '../../../runtime/src/protocol/visible-text.ts'
import { useTexts } from '../i18n/texts.tsx'
import type { RememberedRule } from '../lib/wire.ts'
import { Button } from './button.tsx'

interface Props {
  rules: readonly RememberedRule[]
  onRevoke: (id: string) => void
}

export function RuleList({ rules, onRevoke }: Props) {
  const { approval } = useTexts()
  return (
    <ul className="row small">
      {rules.map(({ id, scope, text }) => (
        <li key={id} className="badge code">
          {oneLine(text)} · {approval.scopes[scope]}
          <Button
            look="plain"
            small
            icon="close"
            aria-label={approval.revokeRule({ rule: oneLine(text) })}
            onClick={() => onRevoke(id)}
          />
        </li>
      ))}
    </ul>
  )
}
