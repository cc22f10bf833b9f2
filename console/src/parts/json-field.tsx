import { useEffect, useState } from 'react'
import { useTexts } from '../i18n/texts.tsx'
import { pretty } from '../lib/format.ts'
import { isObject, type Json } from '../lib/paths.ts'
import { Field } from './field.tsx'

interface Props {
  label: string
  value: Json
  onChange: (value: Json) => void
  /** What stands there is not JSON, so `value` is no longer what is seen. */
  onBroken?: () => void
  rows?: number
  hint?: string
  wrong?: string | undefined
}

/** A JSON object as text; what is not yet JSON stays in the field and says so, and changes nothing. */
export function JsonField({ label, value, onChange, onBroken, rows = 10, hint, wrong }: Props) {
  const { common } = useTexts()
  const [text, setText] = useState(() => pretty(value))
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    setText((now) => (same(now, value) ? now : pretty(value)))
    setFault(undefined)
  }, [value])
  return (
    <Field label={label} hint={hint} wrong={fault ?? wrong}>
      {(control) => (
        <textarea
          className="input code"
          spellCheck={false}
          rows={rows}
          {...control}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            try {
              const parsed: unknown = JSON.parse(event.target.value)
              if (!isObject(parsed)) throw new SyntaxError(common.notObject)
              setFault(undefined)
              onChange(parsed)
            } catch (error) {
              setFault(error instanceof Error ? error.message : String(error))
              onBroken?.()
            }
          }}
        />
      )}
    </Field>
  )
}

function same(text: string, value: Json): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value)
  } catch {
    return false
  }
}
