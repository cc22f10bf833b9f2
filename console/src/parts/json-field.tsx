import { useState } from 'react'
import { useTexts } from '../i18n/texts.tsx'
import { pretty } from '../lib/format.ts'
import { isObject, type Json } from '../lib/paths.ts'
import { Field } from './field.tsx'

interface Props {
  label: string
  value: Json
  /** A text that is not a JSON object yet. Its owner keeps it, so that it outlives the field, until the next `onChange`. */
  unfinished: string | undefined
  onChange: (value: Json) => void
  onUnfinished: (text: string) => void
  readOnly?: boolean
  rows?: number
  hint?: string
  wrong?: string | undefined
}

/** Edits a JSON object as text. Invalid text stays in the field with an error and does not change the value. */
export function JsonField({
  label,
  value,
  unfinished,
  onChange,
  onUnfinished,
  readOnly,
  rows = 10,
  hint,
  wrong,
}: Props) {
  const { common } = useTexts()
  const [written, setWritten] = useState('')
  const content = JSON.stringify(value)
  const parse = (text: string): { value: Json } | { fault: string } => {
    try {
      const parsed: unknown = JSON.parse(text)
      return isObject(parsed) ? { value: parsed } : { fault: common.notObject }
    } catch (error) {
      return { fault: error instanceof Error ? error.message : String(error) }
    }
  }
  const parsed = unfinished === undefined ? undefined : parse(unfinished)
  // By content: a text that says the same keeps the layout it was written in.
  const text = unfinished ?? (same(written, content) ? written : pretty(value))
  return (
    <Field label={label} hint={hint} wrong={parsed !== undefined && 'fault' in parsed ? parsed.fault : wrong}>
      {(control) => (
        <textarea
          className="input code"
          spellCheck={false}
          rows={rows}
          readOnly={readOnly}
          {...control}
          value={text}
          onChange={(event) => {
            const next = parse(event.target.value)
            setWritten(event.target.value)
            if ('value' in next) onChange(next.value)
            else onUnfinished(event.target.value)
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
