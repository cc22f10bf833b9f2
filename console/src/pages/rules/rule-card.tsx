import { useTexts } from '../../i18n/texts.tsx'
import { summarise } from '../../lib/format.ts'
import { isObject, type Json, valueAt, withValue } from '../../lib/paths.ts'
import { examplesText, type Kind, listAt, type RuleList, withExamples, withList } from '../../lib/rule-draft.ts'
import { labelFor } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Field, SelectField, TextField } from '../../parts/field.tsx'
import { ListField } from '../../parts/list-field.tsx'

interface Props {
  number: number
  rule: Json
  onChange: (rule: Json) => void
  onRemove: () => void
}

const SHOWN = ['command', 'path', 'access', 'host']
const DECISIONS = ['allow', 'ask', 'deny'] as const

export function RuleCard({ number, rule, onChange, onRemove }: Props) {
  const all = useTexts()
  const { rules: texts, common } = all
  const decide = DECISIONS.find((each) => each === rule.decide) ?? 'ask'
  const access = String(valueAt(rule, 'when.access') ?? '')
  const list = (label: string, path: RuleList) => (
    <ListField label={label} values={listAt(rule, path)} onChange={(next) => onChange(withList(rule, path, next))} />
  )
  const examples = (label: string, kind: Kind) => (
    <Field label={label}>
      {(control) => (
        <textarea
          className="input code"
          rows={2}
          spellCheck={false}
          {...control}
          defaultValue={examplesText(rule, kind)}
          key={examplesText(rule, kind)}
          onBlur={(event) => onChange(withExamples(rule, kind, event.target.value))}
        />
      )}
    </Field>
  )
  const others = Object.fromEntries(
    Object.entries(isObject(rule.when) ? rule.when : {}).filter(([key]) => !SHOWN.includes(key)),
  )
  const reason = String(rule.reason ?? '')
  return (
    <fieldset className={`card rule-card ${decide}`}>
      <legend className="visually-hidden">{texts.rule({ number })}</legend>
      <div className="row between">
        <strong>{texts.rule({ number })}</strong>
        <Button
          small
          look="plain"
          icon="trash"
          aria-label={common.remove({ name: texts.rule({ number }) })}
          onClick={onRemove}
        />
      </div>
      <div className="rule-fields">
        <SelectField
          label={texts.decide}
          value={decide}
          options={DECISIONS.map((value) => ({ value, label: labelFor(all, value) }))}
          onChange={(value) => onChange({ ...rule, decide: value })}
        />
        {list(texts.tool, 'tool')}
        {list(texts.command, 'when.command')}
        {list(texts.path, 'when.path')}
        <SelectField
          label={texts.access}
          value={access}
          options={[
            { value: '', label: common.any },
            { value: 'read', label: texts.reads },
            { value: 'write', label: texts.writes },
          ]}
          onChange={(value) => onChange(withValue(rule, 'when.access', value === '' ? undefined : value))}
        />
        {list(texts.host, 'when.host')}
      </div>
      {Object.keys(others).length > 0 && (
        <p className="small muted">
          {texts.others} <code>{summarise(others)}</code>
        </p>
      )}
      <TextField
        label={texts.reason}
        value={reason}
        onChange={(value) => onChange(withValue(rule, 'reason', value === '' ? undefined : value))}
      />
      <div className="rule-fields">
        {examples(texts.match, 'match')}
        {examples(texts.noMatch, 'noMatch')}
      </div>
    </fieldset>
  )
}
