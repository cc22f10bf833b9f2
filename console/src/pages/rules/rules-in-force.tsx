import type { ReactNode } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import { summarise } from '../../lib/format.ts'
import type { PlacedRuleView } from '../../lib/wire.ts'
import { Named, Worded } from '../../parts/badge.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { Shown } from '../../parts/text.tsx'

export function RulesInForce({ rules, remembered }: { rules: readonly PlacedRuleView[]; remembered: ReactNode }) {
  const { rules: texts } = useTexts()
  return (
    <div className="stack">
      {rules.length === 0 ? (
        <Empty title={texts.none}>
          <p>{texts.noneHint}</p>
        </Empty>
      ) : (
        <Table cards label={texts.inForce} head={[texts.decide, texts.matches, texts.reason, texts.layer]}>
          {rules.map(({ rule, decide, layer, from }) => (
            <tr key={from}>
              <td>
                <Named code={decide} tone={decide} />
              </td>
              <td className="mono small" data-label={texts.matches}>
                <Shown text={summarise({ ...(rule.tool !== undefined && { tool: rule.tool }), ...rule.when }, 300)} />
              </td>
              <td data-label={texts.reason}>
                <Shown text={rule.reason ?? ''} />
              </td>
              <td data-label={texts.layer}>
                <Worded code={layer} />
                <div className="small muted">
                  <Shown text={from} />
                </div>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {remembered}
      <p className="small muted">{texts.builtInNote}</p>
    </div>
  )
}
