import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { issueText, misfitText } from './form.ts'

const ajv = new Ajv2020({ allErrors: true, strict: false })

const MISFITS: [object, unknown, string][] = [
  [{ type: 'string' }, 1, '必须是文本'],
  [{ type: ['integer', 'null'] }, 'x', '必须是整数或null'],
  [{ required: ['url'] }, {}, '缺少 "url"'],
  [{ dependentRequired: { a: ['b'] } }, { a: 1 }, '有 "a" 时必须有 "b"'],
  [{ enum: ['a'] }, 'b', '必须是允许的值之一'],
  [{ const: 1 }, 2, '必须是 1'],
  [{ additionalProperties: false }, { x: 1 }, '含有未知的键'],
  [{ unevaluatedProperties: false }, { x: 1 }, '含有未知的键'],
  [{ minItems: 1 }, [], '至少要有 1 项'],
  [{ maxItems: 5 }, [1, 2, 3, 4, 5, 6], '最多 5 项'],
  [{ uniqueItems: true }, [1, 2, 1], '各项不能重复（第 1 项与第 3 项相同）'],
  [{ contains: { type: 'string' } }, [1], '缺少符合要求的项'],
  [{ minLength: 1 }, '', '至少要有 1 个字符'],
  [{ maxLength: 1 }, 'xy', '最多 1 个字符'],
  [{ pattern: '^a$' }, 'b', '必须符合格式 ^a$'],
  [{ minimum: 1 }, 0, '必须 ≥ 1'],
  [{ maximum: 1 }, 2, '必须 ≤ 1'],
  [{ exclusiveMinimum: 1 }, 1, '必须 > 1'],
  [{ exclusiveMaximum: 1 }, 1, '必须 < 1'],
  [{ multipleOf: 2 }, 1, '必须是 2 的倍数'],
  [{ minProperties: 1 }, {}, '至少要有 1 个键'],
  [{ maxProperties: 0 }, { a: 1 }, '最多 0 个键'],
  [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, '含有无效的键名'],
  [{ anyOf: [{ type: 'string' }] }, 1, '不符合任何一种允许的形式'],
  [{ oneOf: [{ type: 'string' }] }, 1, '必须恰好符合一种允许的形式'],
  [{ not: {} }, 1, '是不允许的形式'],
  [{ if: false, else: { type: 'string' } }, 1, '不符合这种情况下的要求'],
  [{ properties: { a: false } }, { a: 1 }, '不允许出现'],
]

const ISSUES: [z.ZodType, unknown, string][] = [
  [z.string(), 1, '必须是文本'],
  [z.int(), 1.5, '必须是整数'],
  [z.enum(['a', 'b']), 'c', '必须是 "a"、"b" 之一'],
  [z.strictObject({}), { stepz: 1 }, '未知的键 "stepz"'],
  [z.string().min(2), 'x', '至少要有 2 个字符'],
  [z.array(z.string()).max(1), ['a', 'b'], '最多 1 项'],
  [z.number().min(1), 0, '必须 ≥ 1'],
  [z.number().lt(1), 1, '必须 < 1'],
  [z.number().multipleOf(2), 1, '必须是 2 的倍数'],
  [z.email(), 'x', '格式无效'],
  [z.union([z.string(), z.boolean()]), 1, '不符合任何一种允许的形式'],
  [z.record(z.string().min(2), z.string()), { a: 'b' }, '键名无效'],
]

describe('validation errors', () => {
  test.each(MISFITS)('against %j: %j', (schema, value, zh) => {
    const check = ajv.compile(schema)
    expect(check(value)).toBe(false)
    const errors = check.errors ?? []
    expect(errors.map((error) => misfitText(error, 'zh'))).toContain(zh)
    expect(errors.map((error) => misfitText(error, 'en'))).toEqual(errors.map(({ message }) => message))
  })

  test.each(ISSUES)('of Zod', (schema, value, zh) => {
    const [issue] = schema.safeParse(value).error?.issues ?? []
    const found = { ...issue, message: issue?.message ?? '' }
    expect(issueText(found, 'zh')).toBe(zh)
    expect(issueText(found, 'en')).toBe(issue?.message)
  })

  test('an unknown error keeps its own message', () => {
    expect(misfitText({ keyword: 'toString', params: {}, message: 'must be odd' }, 'zh')).toBe('must be odd')
    expect(issueText({ code: 'custom', message: 'must be odd' }, 'zh')).toBe('must be odd')
  })
})
