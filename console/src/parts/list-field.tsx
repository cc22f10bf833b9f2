import { type KeyboardEvent, useId, useState } from 'react'
import { useTexts } from '../i18n/texts.tsx'
import { Button } from './button.tsx'
import { FieldNotes } from './field.tsx'

interface Props {
  label: string
  values: readonly string[]
  onChange: (values: string[]) => void
  onFocus?: () => void
  /** The allowed values; without it, any text can be added. */
  options?: readonly string[]
  hint?: string
  wrong?: string | undefined
}

/** A list of names as removable pills, with autocompletion. Enter adds, Backspace removes the last. */
export function ListField({ label, values, onChange, onFocus, options, hint, wrong }: Props) {
  const { common } = useTexts()
  const [text, setText] = useState('')
  const id = useId()
  const left = options?.filter((option) => !values.includes(option))
  const described = [hint !== undefined && `${id}-hint`, wrong !== undefined && `${id}-wrong`].filter(Boolean).join(' ')
  function add(value: string) {
    const clean = value.trim()
    if (clean === '' || values.includes(clean) || (options !== undefined && !options.includes(clean))) return
    onChange([...values, clean])
    setText('')
  }
  function press(event: KeyboardEvent) {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      add(text)
    } else if (event.key === 'Backspace' && text === '') onChange(values.slice(0, -1))
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="pills">
        {values.map((value) => (
          <span key={value} className="badge code accent">
            {value}
            <Button
              look="plain"
              small
              icon="close"
              aria-label={common.remove({ name: value })}
              onClick={() => onChange(values.filter((other) => other !== value))}
            />
          </span>
        ))}
        <input
          id={id}
          list={left === undefined ? undefined : `${id}-list`}
          value={text}
          aria-describedby={described || undefined}
          aria-invalid={wrong === undefined ? undefined : true}
          placeholder={common.add}
          autoComplete="off"
          onChange={(event) => {
            const { value } = event.target
            setText(value)
            // A value chosen from the list arrives as a single change.
            if (left?.includes(value) && !left.some((other) => other !== value && other.startsWith(value))) add(value)
          }}
          onKeyDown={press}
          onFocus={onFocus}
          onBlur={() => add(text)}
        />
        {left !== undefined && (
          <datalist id={`${id}-list`}>
            {left.map((option) => (
              <option key={option} value={option} />
            ))}
          </datalist>
        )}
      </div>
      <FieldNotes id={id} hint={hint} wrong={wrong} />
    </div>
  )
}
