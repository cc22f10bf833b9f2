import { type ReactNode, useId } from 'react'

interface Props {
  label: string
  hint?: ReactNode
  wrong?: string | undefined
  children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode
}

/** A control with label, hint and error, all announced by screen readers. */
export function Field({ label, hint, wrong, children }: Props) {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, wrong !== undefined && `${id}-wrong`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(described === '' ? {} : { 'aria-describedby': described }),
        ...(wrong === undefined ? {} : { 'aria-invalid': true as const }),
      })}
      <FieldNotes id={id} hint={hint} wrong={wrong} />
    </div>
  )
}

/** Hint and error, with the ids used in `aria-describedby` of the control. */
export function FieldNotes({ id, hint, wrong }: { id: string; hint?: ReactNode; wrong?: string | undefined }) {
  return (
    <>
      {hint !== undefined && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {wrong !== undefined && (
        <span className="wrong" id={`${id}-wrong`} role="alert">
          {wrong}
        </span>
      )}
    </>
  )
}

interface TextProps {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: ReactNode
  wrong?: string | undefined
  list?: string
  placeholder?: string
}

export function TextField({ label, hint, wrong, value, onChange, ...rest }: TextProps) {
  return (
    <Field label={label} hint={hint} wrong={wrong}>
      {(control) => (
        <input
          className="input"
          {...control}
          {...rest}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

interface SelectProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
  hint?: ReactNode
}

export function SelectField<T extends string>({ label, value, options, onChange, hint }: SelectProps<T>) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <select
          className="input"
          {...control}
          value={value}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.target.value)
            if (chosen !== undefined) onChange(chosen.value)
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface CheckProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  hint?: string
}

export function Check({ label, checked, onChange, hint }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {label}
        {hint !== undefined && <span className="muted small"> {hint}</span>}
      </span>
    </label>
  )
}

interface SegmentsProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}

/** A radio group with all options visible. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  const name = useId()
  return (
    <div className="segments" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
