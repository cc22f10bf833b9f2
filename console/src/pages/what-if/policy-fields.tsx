import { useQuery } from '@tanstack/react-query'
import { AUTONOMY_LEVELS } from '../../../../runtime/src/protocol/policy.ts'
import { useTexts } from '../../i18n/texts.tsx'
import { type Json, valueAt, withValue } from '../../lib/paths.ts'
import { toolsQuery } from '../../lib/queries.ts'
import { SelectField } from '../../parts/field.tsx'
import { ListField } from '../../parts/list-field.tsx'

const ON_OFF = ['true', 'false'] as const
const PROVENANCE = ['off', 'ask', 'deny'] as const

/** Controls for common settings, editing the same JSON. */
export function PolicyFields({ config, onChange }: { config: Json; onChange: (config: Json) => void }) {
  const { whatIf: texts } = useTexts()
  const tools = useQuery(toolsQuery).data?.tools.map((tool) => tool.name) ?? []
  const textOf = (path: string) => String(valueAt(config, path) ?? '')
  const choice = (label: string, path: string, values: readonly string[]) => (
    <SelectField
      label={label}
      value={textOf(path)}
      options={[{ value: '', label: texts.unchanged }, ...values.map((value) => ({ value, label: value }))]}
      onChange={(value) => onChange(withValue(config, path, readChoice(value)))}
    />
  )
  const list = (label: string, path: string, options?: readonly string[]) => {
    const values = valueAt(config, path)
    return (
      <ListField
        label={label}
        values={Array.isArray(values) ? values.map(String) : []}
        {...(options === undefined ? {} : { options })}
        onChange={(next) => onChange(withValue(config, path, next.length === 0 ? undefined : next))}
      />
    )
  }
  return (
    <>
      <div className="fields">
        {choice(texts.autonomy, 'security.autonomy', AUTONOMY_LEVELS)}
        {choice(texts.provenance, 'security.provenance', PROVENANCE)}
        {choice(texts.guard, 'execution.intentGuard.enabled', ON_OFF)}
      </div>
      {list(texts.disabled, 'tools.disabled', tools)}
      {list(texts.commands, 'security.allowedCommands')}
      {list(texts.paths, 'security.blockedPaths')}
    </>
  )
}

function readChoice(value: string): unknown {
  if (value === '') return undefined
  return value === 'true' ? true : value === 'false' ? false : value
}
