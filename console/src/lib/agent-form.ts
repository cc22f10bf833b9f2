/** The configuration of an agent_core node as a form, validated with the schema of the tool. */
import { isObject, type Json, valueAt } from './paths.ts'

export const NUMBER_FIELDS = [
  'temperature',
  'max_steps',
  'max_tool_calls',
  'timeout',
  'single_call_timeout',
  'total_token_budget',
  'observation_max_len',
] as const
export const TEXT_FIELDS = ['model', 'prompt', 'messages_json'] as const

export type NumberField = (typeof NUMBER_FIELDS)[number]
export type TextField = (typeof TEXT_FIELDS)[number]

export interface AgentForm {
  texts: Record<NumberField | TextField, string>
  tools: string[]
  domains: string[]
  /** Settings without a form field are kept unchanged. */
  rest: Json
}

export interface FieldRule {
  integer: boolean
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  preset?: number
  description: string
}

export type Fault =
  | { kind: 'required' }
  | { kind: 'number' }
  | { kind: 'integer' }
  | { kind: 'least'; value: number }
  | { kind: 'above'; value: number }
  | { kind: 'most'; value: number }

const MANAGED = [...NUMBER_FIELDS, ...TEXT_FIELDS, 'allowed_tools', 'http']

export function formOf(args: Json): AgentForm {
  const entries = [...NUMBER_FIELDS, ...TEXT_FIELDS].map((name) => [name, spell(args[name])])
  const strings = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  return {
    texts: Object.fromEntries(entries) as AgentForm['texts'],
    tools: strings(args.allowed_tools),
    domains: strings(valueAt(args, 'http.allowed_domains')),
    rest: Object.fromEntries(Object.entries(args).filter(([key]) => !MANAGED.includes(key) || key === 'http')),
  }
}

function spell(value: unknown): string {
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
}

/** A variable may replace a number; its value is known when the workflow runs. */
const VARIABLE = /^\{\{[^{}]+\}\}$/

function numberOf(text: string): number | string {
  return VARIABLE.test(text) ? text : Number(text)
}

/** Empty fields are left out, so that the defaults apply. */
export function argsOf({ texts, tools, domains, rest }: AgentForm): Json {
  const numbers = NUMBER_FIELDS.flatMap((name) => {
    const text = texts[name].trim()
    return text === '' ? [] : [[name, numberOf(text)]]
  })
  const words = TEXT_FIELDS.flatMap((name) => (texts[name] === '' ? [] : [[name, texts[name]]]))
  const { http, ...others } = rest
  const methods = isObject(http) && http.allowed_methods !== undefined ? { allowed_methods: http.allowed_methods } : {}
  const listed = domains.length === 0 ? {} : { allowed_domains: domains }
  const open = { ...listed, ...methods }
  return {
    ...others,
    ...Object.fromEntries([...words, ...numbers]),
    allowed_tools: tools,
    ...(Object.keys(open).length === 0 ? {} : { http: open }),
  }
}

export function ruleIn(schema: unknown, field: string): FieldRule {
  const node = valueAt(schema, `properties.${field}`)
  const of = (key: string) => (isObject(node) && typeof node[key] === 'number' ? { [key]: node[key] } : {})
  const preset = isObject(node) && typeof node.default === 'number' ? { preset: node.default } : {}
  return {
    integer: isObject(node) && node.type === 'integer',
    ...of('minimum'),
    ...of('exclusiveMinimum'),
    ...of('maximum'),
    ...preset,
    description: isObject(node) && typeof node.description === 'string' ? node.description : '',
  }
}

export function faultsIn(form: AgentForm, schema: unknown): Partial<Record<string, Fault>> {
  const faults: Partial<Record<string, Fault>> = {}
  for (const name of NUMBER_FIELDS) {
    const fault = numberFault(form.texts[name].trim(), ruleIn(schema, name), isRequired(schema, name))
    if (fault !== undefined) faults[name] = fault
  }
  if (form.texts.model.trim() === '') faults.model = { kind: 'required' }
  return faults
}

function isRequired(schema: unknown, name: string): boolean {
  const required = valueAt(schema, 'required')
  return Array.isArray(required) && required.includes(name)
}

function numberFault(text: string, rule: FieldRule, required: boolean): Fault | undefined {
  if (text === '') return required ? { kind: 'required' } : undefined
  const value = numberOf(text)
  if (typeof value === 'string') return undefined
  if (!Number.isFinite(value)) return { kind: 'number' }
  if (rule.integer && !Number.isInteger(value)) return { kind: 'integer' }
  if (rule.minimum !== undefined && value < rule.minimum) return { kind: 'least', value: rule.minimum }
  const { exclusiveMinimum } = rule
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return { kind: 'above', value: exclusiveMinimum }
  return rule.maximum !== undefined && value > rule.maximum ? { kind: 'most', value: rule.maximum } : undefined
}

/** Inserts a variable at the cursor; returns the text and the new cursor position. */
export function insertAt(text: string, piece: string, at: { start: number; end: number }) {
  return { text: text.slice(0, at.start) + piece + text.slice(at.end), caret: at.start + piece.length }
}
