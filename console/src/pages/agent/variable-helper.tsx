import { useId, useState } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import type { Variable } from '../../lib/workflow.ts'
import { Button } from '../../parts/button.tsx'

const KINDS = ['external', 'env', 'nodes'] as const

/** Lists the available variables by source and inserts the chosen one at the cursor. */
export function VariableHelper({
  variables,
  onInsert,
}: {
  variables: readonly Variable[]
  onInsert: (text: string) => void
}) {
  const { agent: texts } = useTexts()
  const [chosen, choose] = useState('')
  const id = useId()
  const value = variables.some(({ text }) => text === chosen) ? chosen : (variables[0]?.text ?? '')
  return (
    <div className="variables">
      <label htmlFor={id} className="small">
        {texts.variables}
      </label>
      <select id={id} className="input mono" value={value} onChange={(event) => choose(event.target.value)}>
        {KINDS.map((kind) => {
          const mine = variables.filter((variable) => variable.kind === kind)
          return (
            <optgroup key={kind} label={kind}>
              {mine.length === 0 && <option disabled>{texts.noVariables[kind]}</option>}
              {mine.map(({ text }) => (
                <option key={text} value={text}>
                  {text}
                </option>
              ))}
            </optgroup>
          )
        })}
      </select>
      <Button small disabled={value === ''} onClick={() => onInsert(value)}>
        {texts.insert}
      </Button>
    </div>
  )
}
