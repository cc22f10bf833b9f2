/** Validation errors in the reader's language. The English texts are those of Ajv and Zod. */
import type { Lang } from '../base/lang.ts'
import { VISIBLE_PATTERN } from '../protocol/visible-text.ts'

/** An error of Ajv. */
export interface Misfit {
  keyword: string
  params: Readonly<Record<string, unknown>>
  message?: string
}

/** An issue of Zod. */
export interface Issue {
  code?: string
  message: string
  [detail: string]: unknown
}

export function misfitText({ keyword, params, message = keyword }: Misfit, lang: Lang): string {
  if (params.pattern === VISIBLE_PATTERN) return lang === 'zh' ? '不能为空白' : 'must not be blank'
  const text = lang === 'zh' && Object.hasOwn(MISFITS, keyword) ? MISFITS[keyword]?.(params) : undefined
  return text ?? message
}

/** The check itself timed out. */
export function uncheckable(lang: Lang): string {
  return lang === 'zh'
    ? '检查超时，或 schema 无限引用自身；请改用更短、更简单的值'
    : 'checking timed out, or the schema refers to itself without end; use shorter, simpler values'
}

export function issueText(issue: Issue, lang: Lang): string {
  const { code = '', message } = issue
  if (isMissing(issue)) return lang === 'zh' ? '缺失' : 'is missing'
  const text = lang === 'zh' && Object.hasOwn(ISSUES, code) ? ISSUES[code]?.(issue) : undefined
  return text ?? message
}

/** Zod calls a key that is not there a value of the wrong type. */
function isMissing({ code, message, errors }: Issue): boolean {
  if (code === 'invalid_type') return message.endsWith('received undefined')
  const forms = code === 'invalid_union' && Array.isArray(errors) ? (errors as Issue[][]) : []
  return forms.length > 0 && forms.every(([first]) => first !== undefined && isMissing(first))
}

type Text = (about: Readonly<Record<string, unknown>>) => string

const KINDS: Readonly<Record<string, string>> = {
  string: '文本',
  number: '数字',
  int: '整数',
  integer: '整数',
  boolean: '布尔值（true 或 false）',
  array: '数组',
  object: '对象',
  record: '对象',
  null: 'null',
}

function kind(name: unknown): string {
  const names = Array.isArray(name) ? name : String(name).split(',')
  return names.map((each) => KINDS[each] ?? String(each)).join('或')
}

const values = (all: unknown): string => (Array.isArray(all) ? all : [all]).map((one) => JSON.stringify(one)).join('、')

const MISFITS: Readonly<Record<string, Text>> = {
  type: ({ type }) => `必须是${kind(type)}`,
  required: ({ missingProperty }) => `缺少 "${missingProperty}"`,
  dependentRequired: ({ property, missingProperty }) => `有 "${property}" 时必须有 "${missingProperty}"`,
  enum: () => '必须是允许的值之一',
  const: ({ allowedValue }) => `必须是 ${JSON.stringify(allowedValue)}`,
  additionalProperties: () => '含有未知的键',
  unevaluatedProperties: () => '含有未知的键',
  propertyNames: () => '含有无效的键名',
  minItems: ({ limit }) => `至少要有 ${limit} 项`,
  maxItems: ({ limit }) => `最多 ${limit} 项`,
  uniqueItems: ({ i, j }) => `各项不能重复（第 ${Number(j) + 1} 项与第 ${Number(i) + 1} 项相同）`,
  contains: () => '缺少符合要求的项',
  minLength: ({ limit }) => `至少要有 ${limit} 个字符`,
  maxLength: ({ limit }) => `最多 ${limit} 个字符`,
  pattern: ({ pattern }) => `必须符合格式 ${pattern}`,
  minimum: ({ limit }) => `必须 ≥ ${limit}`,
  maximum: ({ limit }) => `必须 ≤ ${limit}`,
  exclusiveMinimum: ({ limit }) => `必须 > ${limit}`,
  exclusiveMaximum: ({ limit }) => `必须 < ${limit}`,
  multipleOf: ({ multipleOf }) => `必须是 ${multipleOf} 的倍数`,
  minProperties: ({ limit }) => `至少要有 ${limit} 个键`,
  maxProperties: ({ limit }) => `最多 ${limit} 个键`,
  anyOf: () => '不符合任何一种允许的形式',
  oneOf: () => '必须恰好符合一种允许的形式',
  not: () => '是不允许的形式',
  if: () => '不符合这种情况下的要求',
  'false schema': () => '不允许出现',
}

const UNITS: Readonly<Record<string, string>> = { string: '个字符', array: '项', set: '项' }

function atLeast({ origin, minimum, inclusive }: Readonly<Record<string, unknown>>): string {
  const unit = UNITS[String(origin)]
  return unit === undefined ? `必须 ${inclusive ? '≥' : '>'} ${minimum}` : `至少要有 ${minimum} ${unit}`
}

function atMost({ origin, maximum, inclusive }: Readonly<Record<string, unknown>>): string {
  const unit = UNITS[String(origin)]
  return unit === undefined ? `必须 ${inclusive ? '≤' : '<'} ${maximum}` : `最多 ${maximum} ${unit}`
}

const ISSUES: Readonly<Record<string, Text>> = {
  invalid_type: ({ expected }) => `必须是${kind(expected)}`,
  invalid_value: ({ values: allowed }) => `必须是 ${values(allowed)} 之一`,
  invalid_format: () => '格式无效',
  invalid_key: () => '键名无效',
  invalid_element: () => '其中一项无效',
  invalid_union: () => '不符合任何一种允许的形式',
  unrecognized_keys: ({ keys }) => `未知的键 ${values(keys)}`,
  not_multiple_of: ({ divisor }) => `必须是 ${divisor} 的倍数`,
  too_small: atLeast,
  too_big: atMost,
}
