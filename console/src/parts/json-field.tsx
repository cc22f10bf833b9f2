import { useEffect, useEffectEvent, useState } from 'react'
import { useTexts } from '../i18n/texts.tsx'
import { pretty } from '../lib/format.ts'
import { isObject, type Json } from '../lib/paths.ts'
import { Field } from './field.tsx'

interface Props {
  label: string
  value: Json
  onChange: (value: Json) => void
  /** Told true while the text is not a JSON object, so that `value` is not what is seen. */
  onBroken?: (broken: boolean) => void
  rows?: number
  hint?: string
  wrong?: string | undefined
}

/** A JSON object as text; what is not yet JSON stays in the field and says so, and changes nothing. */
export function JsonField({ label, value, onChange, onBroken, rows = 10, hint, wrong }: Props) {
  const { common } = useTexts()
  const [text, setText] = useState(() => pretty(value))
  const [fault, setFault] = useState<string>()
  const content = JSON.stringify(value)
  // By content: a new object that holds the same must not replace a text that is being written.
  useEffect(() => {
    setText((now) => (same(now, content) ? now : pretty(JSON.parse(content))))
    setFault(undefined)
  }, [content])
  const broken = fault !== undefined
  const tell = useEffectEvent((now: boolean) => onBroken?.(now))
  useEffect(() => {
    if (!broken) return
    tell(true)
    return () => tell(false)
  }, [broken])
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
            }
          }}
        />
      )}
    </Field>
  )
}

function same(text: string, content: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === content
  } catch {
    return false
  }
}
