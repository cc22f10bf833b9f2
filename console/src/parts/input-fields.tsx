import type { Draft } from '../lib/workflow.ts'
import { TextField } from './field.tsx'

interface Props {
  inputs: Draft['inputs']
  given: Record<string, string>
  onChange: (given: Record<string, string>) => void
}

/** Fields for the inputs of a workflow. */
export function InputFields({ inputs = {}, given, onChange }: Props) {
  return Object.entries(inputs).map(([name, { description, default: preset }]) => (
    <TextField
      key={name}
      label={name}
      hint={description || undefined}
      placeholder={preset === undefined ? '' : String(preset)}
      value={given[name] ?? ''}
      onChange={(value) => onChange({ ...given, [name]: value })}
    />
  ))
}
