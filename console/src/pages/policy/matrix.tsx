/** Grid of intents and tool families. One tab stop: arrow keys move, Space changes, a, s and n set. */
import { type KeyboardEvent, useRef, useState } from 'react'
import { TASK_INTENTS } from '../../../../runtime/src/protocol/intent.ts'
import { useTexts } from '../../i18n/texts.tsx'
import type { IntentPolicy, PolicyView, Problem, TaskIntentLabel, ToolFamily } from '../../lib/wire.ts'
import { Worded } from '../../parts/badge.tsx'
import { IntentSettings } from './intent-settings.tsx'
import type { Intents } from './policy-page.tsx'

export type Standing = 'allowed' | 'soft' | 'not'

export function standingOf({ allowedFamilies, softAllowedFamilies }: IntentPolicy, family: ToolFamily): Standing {
  return allowedFamilies.includes(family) ? 'allowed' : softAllowedFamilies.includes(family) ? 'soft' : 'not'
}

export function withStanding(policy: IntentPolicy, family: ToolFamily, standing: Standing): IntentPolicy {
  const others = (families: readonly ToolFamily[]) => families.filter((other) => other !== family)
  const allowed = others(policy.allowedFamilies)
  const soft = others(policy.softAllowedFamilies)
  return {
    ...policy,
    allowedFamilies: standing === 'allowed' ? [...allowed, family] : allowed,
    softAllowedFamilies: standing === 'soft' ? [...soft, family] : soft,
  }
}

const NEXT = { allowed: 'soft', soft: 'not', not: 'allowed' } as const
const BY_KEY: Readonly<Record<string, Standing>> = { a: 'allowed', s: 'soft', n: 'not' }
export const MARKS = { allowed: '●', soft: '◐', not: '✕', free: '○' } as const

/** In a row that is not enforced every family may be used, whatever the row says. */
function shownAs(policy: IntentPolicy, standing: Standing): keyof typeof MARKS {
  return policy.enabled || standing !== 'not' ? standing : 'free'
}

interface Props {
  view: PolicyView
  draft: Intents
  problems: readonly Problem[]
  onChange: (draft: Intents) => void
}

export function Matrix({ view, draft, problems, onChange }: Props) {
  const { policy: texts } = useTexts()
  const { families } = view
  const [place, setPlace] = useState({ row: 0, column: 0 })
  const grid = useRef<HTMLTableElement>(null)
  const set = (label: TaskIntentLabel, policy: IntentPolicy) => onChange({ ...draft, [label]: policy })

  function press(event: KeyboardEvent, label: TaskIntentLabel, family: ToolFamily) {
    const { row, column } = place
    const moves: Readonly<Record<string, { row: number; column: number }>> = {
      ArrowUp: { row: row - 1, column },
      ArrowDown: { row: row + 1, column },
      ArrowLeft: { row, column: column - 1 },
      ArrowRight: { row, column: column + 1 },
      Home: { row, column: 0 },
      End: { row, column: families.length - 1 },
    }
    const to = moves[event.key]
    const standing = BY_KEY[event.key.toLowerCase()]
    if (to !== undefined) {
      event.preventDefault()
      const next = {
        row: Math.min(TASK_INTENTS.length - 1, Math.max(0, to.row)),
        column: Math.min(families.length - 1, Math.max(0, to.column)),
      }
      setPlace(next)
      grid.current?.querySelector<HTMLElement>(`[data-place="${next.row} ${next.column}"]`)?.focus()
    } else if (standing !== undefined && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      set(label, withStanding(draft[label], family, standing))
    }
  }

  return (
    <div className="table-wrap">
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move between the cells of an editable grid */}
      <table className="table matrix" role="grid" aria-label={texts.matrix} ref={grid}>
        <thead>
          <tr>
            <th scope="col">{texts.intent}</th>
            {families.map((family) => (
              <th key={family} scope="col" className="family">
                <Worded code={family} />
              </th>
            ))}
            <th scope="col">{texts.settings}</th>
          </tr>
        </thead>
        <tbody>
          {TASK_INTENTS.map((label, row) => (
            <tr key={label} data-enforced={draft[label].enabled}>
              <th scope="row">
                <Worded code={label} />
                <Origin view={view} label={label} />
                <Wrongs problems={problems} label={label} />
              </th>
              {families.map((family, column) => {
                const standing = standingOf(draft[label], family)
                const changed = standing !== standingOf(view.intents[label], family)
                const shown = shownAs(draft[label], standing)
                const here = place.row === row && place.column === column
                return (
                  <td key={family} className="cell">
                    <button
                      type="button"
                      className={`standing ${shown}`}
                      data-changed={changed}
                      data-place={`${row} ${column}`}
                      tabIndex={here ? 0 : -1}
                      aria-label={texts.cell({ intent: label, family, standing: texts[shown] })}
                      title={draft[label].enabled ? texts[standing] : texts.notEnforced({ standing: texts[shown] })}
                      onFocus={() => setPlace({ row, column })}
                      onKeyDown={(event) => press(event, label, family)}
                      onClick={() => set(label, withStanding(draft[label], family, NEXT[standing]))}
                    >
                      {MARKS[shown]}
                    </button>
                  </td>
                )
              })}
              <td>
                <IntentSettings
                  label={label}
                  policy={draft[label]}
                  families={families}
                  onChange={(policy) => set(label, policy)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Origin({ view, label }: { view: PolicyView; label: TaskIntentLabel }) {
  const { policy: texts } = useTexts()
  const mark = `intents.${label}`
  const found = Object.entries(view.origins).filter(([path]) => path.includes(`${mark}.`) || path.endsWith(mark))
  const sources = [...new Set(found.map(([, source]) => source))]
  const detail = found.map(([path, source]) => `${path.split('.').at(-1)}: ${source}`).join('\n')
  return (
    <span className="small muted origin" title={detail}>
      {sources.length === 0 ? texts.builtIn : sources.join(', ')}
    </span>
  )
}

function Wrongs({ problems, label }: { problems: readonly Problem[]; label: TaskIntentLabel }) {
  const mine = problems.filter(({ path }) => path.includes(`intents.${label}.`))
  return mine.map(({ path, message }) => (
    <span key={path} className="wrong small" role="alert">
      {path.split('.').at(-1)}: {message}
    </span>
  ))
}
