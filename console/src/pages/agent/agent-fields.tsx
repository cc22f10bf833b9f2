import { useQuery } from '@tanstack/react-query'
import { type FocusEventHandler, type Ref, useEffect, useRef } from 'react'
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
type NumberName = (typeof NUMBER_FIELDS)[number]

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
  const { cursor, remember, keep, moveTo } = useCursor(form.texts.prompt.length)
  const set = (name: FieldName, text: string) => onChange({ ...form, texts: { ...form.texts, [name]: text } })

  function insert(piece: string) {
    const { field } = cursor.current
    if (field === 'domains') {
      onChange({ ...form, domains: [...new Set([...form.domains, piece])] })
      return
    }
    // A number or a single variable, never a mix.
    const whole = { start: 0, end: form.texts[field].length }
    const made = insertAt(form.texts[field], piece, isNumber(field) ? whole : cursor.current)
    moveTo(field, made.caret)
    set(field, made.text)
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
  const number = (name: NumberName) => (
    <NumberField
      key={name}
      label={texts[name]}
      hint={texts.hints[name]}
      wrong={faultText(faults[name])}
      rule={ruleIn(schema, name)}
      box={keep(name)}
      onFocus={remember(name)}
      value={form.texts[name]}
      onChange={(text) => set(name, text)}
    />
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
        {NUMBER_FIELDS.map(number)}
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

type Box = HTMLTextAreaElement | HTMLInputElement

/** Which field had the focus last, and where its cursor was. */
function useCursor(at: number) {
  const cursor = useRef<Cursor>({ field: 'prompt', start: at, end: at })
  const boxes = useRef<Partial<Record<FieldName, Box | null>>>({})
  const caret = useRef<Cursor & { field: FieldName }>(undefined)
  // After the text was inserted: setting the value moves the cursor to the end.
  useEffect(() => {
    const to = caret.current
    if (to === undefined) return
    caret.current = undefined
    const box = boxes.current[to.field]
    box?.focus()
    box?.setSelectionRange(to.start, to.end)
  })
  const remember = (field: FieldName) => (event: { currentTarget: Box }) => {
    const { selectionStart, selectionEnd } = event.currentTarget
    cursor.current = { field, start: selectionStart ?? 0, end: selectionEnd ?? 0 }
  }
  const keep = (field: FieldName) => (box: Box | null) => {
    boxes.current[field] = box
  }
  const moveTo = (field: FieldName, to: number) => {
    caret.current = { field, start: to, end: to }
    cursor.current = caret.current
  }
  return { cursor, remember, keep, moveTo }
}

interface NumberProps {
  label: string
  hint: string
  wrong: string | undefined
  rule: ReturnType<typeof ruleIn>
  box: Ref<HTMLInputElement>
  onFocus: FocusEventHandler<HTMLInputElement>
  value: string
  onChange: (text: string) => void
}

function NumberField({ label, hint, wrong, rule, box, onFocus, value, onChange }: NumberProps) {
  return (
    <Field label={label} hint={hint || rule.description} wrong={wrong}>
      {(control) => (
        <input
          className="input"
          inputMode="decimal"
          ref={box}
          onFocus={onFocus}
          {...control}
          placeholder={rule.preset === undefined ? '' : String(rule.preset)}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

function isNumber(field: FieldName): boolean {
  return NUMBER_FIELDS.some((name) => name === field)
}

function primaryOf({ rest }: AgentForm): string {
  return typeof rest.primary_output === 'string' ? rest.primary_output : 'final_answer'
}
