import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTexts } from '../../i18n/texts.tsx'
import {
  type AgentForm,
  type Fault,
  insertAt,
  type TextField as Name,
  NUMBER_FIELDS,
  ruleIn,
} from '../../lib/agent-form.ts'
import { valueAt } from '../../lib/paths.ts'
import { configQuery } from '../../lib/queries.ts'
import type { ToolView } from '../../lib/wire.ts'
import { AGENT_CORE, type Draft, type DraftNode, variablesFor } from '../../lib/workflow.ts'
import { Field } from '../../parts/field.tsx'
import { ListField } from '../../parts/list-field.tsx'
import { useFaultText } from './agent-panel.tsx'
import { ToolPicker } from './tool-picker.tsx'
import { VariableHelper } from './variable-helper.tsx'

interface Props {
  draft: Draft
  node: DraftNode
  form: AgentForm
  schema: unknown
  tools: readonly ToolView[]
  faults: Partial<Record<string, Fault>>
  onChange: (form: AgentForm) => void
}

type FieldName = keyof AgentForm['texts']

interface Cursor {
  field: FieldName | 'domains'
  start: number
  end: number
}

export function AgentFields({ draft, node, form, schema, tools, faults, onChange }: Props) {
  const { agent: texts } = useTexts()
  const faultText = useFaultText()
  const config = useQuery(configQuery).data?.config
  const listed = valueAt(config, 'workflow.env')
  const envNames = Array.isArray(listed) ? listed.map(String) : []
  const cursor = useRef<Cursor>({ field: 'prompt', start: form.texts.prompt.length, end: form.texts.prompt.length })
  const boxes = useRef<Partial<Record<FieldName, HTMLTextAreaElement | HTMLInputElement | null>>>({})
  const caret = useRef<Cursor & { field: FieldName }>(undefined)
  const set = (name: FieldName, text: string) => onChange({ ...form, texts: { ...form.texts, [name]: text } })

  // Puts the cursor after an inserted variable.
  useEffect(() => {
    const to = caret.current
    if (to === undefined) return
    caret.current = undefined
    const box = boxes.current[to.field]
    box?.focus()
    box?.setSelectionRange(to.start, to.end)
  })
  function insert(piece: string) {
    const { field } = cursor.current
    if (field === 'domains') {
      onChange({ ...form, domains: [...new Set([...form.domains, piece])] })
      return
    }
    // A number or a single variable, never a mix.
    const whole = { start: 0, end: form.texts[field].length }
    const made = insertAt(form.texts[field], piece, isNumber(field) ? whole : cursor.current)
    caret.current = { field, start: made.caret, end: made.caret }
    cursor.current = caret.current
    set(field, made.text)
  }
  const remember = (field: FieldName) => (event: { currentTarget: HTMLTextAreaElement | HTMLInputElement }) => {
    const { selectionStart, selectionEnd } = event.currentTarget
    cursor.current = { field, start: selectionStart ?? 0, end: selectionEnd ?? 0 }
  }
  const keep = (field: FieldName) => (box: HTMLTextAreaElement | HTMLInputElement | null) => {
    boxes.current[field] = box
  }
  const text = (name: Name, rows: number) => (
    <Field label={texts[name]} hint={texts.hints[name]} wrong={faultText(faults[name])}>
      {(control) => {
        const shared = {
          ...control,
          className: 'input',
          value: form.texts[name],
          onFocus: remember(name),
          onSelect: remember(name),
          onBlur: remember(name),
          onChange: (event: { target: { value: string } }) => set(name, event.target.value),
        }
        return rows === 1 ? (
          <input ref={keep(name)} {...shared} />
        ) : (
          <textarea ref={keep(name)} rows={rows} {...shared} />
        )
      }}
    </Field>
  )
  return (
    <>
      <div className="stack">
        {text('prompt', 4)}
        <VariableHelper variables={variablesFor(draft, node.id, envNames)} onInsert={insert} />
        {text('messages_json', 2)}
      </div>
      {text('model', 1)}
      <div className="fields">
        {NUMBER_FIELDS.map((name) => {
          const { preset, description } = ruleIn(schema, name)
          return (
            <Field
              key={name}
              label={texts[name]}
              hint={texts.hints[name] || description}
              wrong={faultText(faults[name])}
            >
              {(control) => (
                <input
                  className="input"
                  inputMode="decimal"
                  ref={keep(name)}
                  onFocus={remember(name)}
                  {...control}
                  placeholder={preset === undefined ? '' : String(preset)}
                  value={form.texts[name]}
                  onChange={(event) => set(name, event.target.value)}
                />
              )}
            </Field>
          )
        })}
        <Field label={texts.primary_output} hint={texts.primaryHint}>
          {(control) => <input className="input mono" readOnly {...control} value={primaryOf(form)} />}
        </Field>
      </div>
      <ToolPicker
        tools={tools.filter((tool) => !tool.disabled && tool.name !== AGENT_CORE)}
        chosen={form.tools}
        onChange={(next) => onChange({ ...form, tools: next })}
      />
      <ListField
        label={texts.domains}
        hint={texts.domainsHint}
        values={form.domains}
        onFocus={() => {
          cursor.current = { field: 'domains', start: 0, end: 0 }
        }}
        onChange={(domains) => onChange({ ...form, domains })}
      />
    </>
  )
}

function isNumber(field: FieldName): boolean {
  return NUMBER_FIELDS.some((name) => name === field)
}

function primaryOf({ rest }: AgentForm): string {
  return typeof rest.primary_output === 'string' ? rest.primary_output : 'final_answer'
}
