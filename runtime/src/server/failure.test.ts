import { HTTPException } from 'hono/http-exception'
import { expect, test } from 'vitest'
import { CodedError } from '../base/errors.ts'
import { WritError } from '../errors/writ-error.ts'
import { failureOf } from './failure.ts'

// The catalogue itself is checked in runtime/test/architecture/errors.test.ts.
test.each([
  [
    'a body that is not JSON',
    new HTTPException(400, { message: 'Malformed JSON in request body' }),
    '请求体不是有效的 JSON',
  ],
  ['a body of another type', new HTTPException(415, { message: 'Unsupported Media Type' }), '请求体必须是 JSON'],
  ['an unexpected error', new TypeError('x is not a function'), '服务器内部错误'],
  ['a private error', new WritError('STORE_BUSY', { where: '/srv/data', why: 'locked' }), '存储当前不可用'],
  ['an error of another worker without a hint', new CodedError('SOME_CODE', '出错'), '出错'],
])('%s is answered with a message and a hint in the language of the client', (_, error, message) => {
  const zh = failureOf(error, 'zh').error
  expect(zh.message).toBe(message)
  expect(zh.hint).toMatch(/\p{Script=Han}/u)
  expect(failureOf(error, 'en').error.hint).toMatch(/^[^\p{Script=Han}]+$/u)
})
