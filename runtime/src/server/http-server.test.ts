import { expect, test } from 'vitest'
import { listenFailure } from './http-server.ts'

const failure = (code: string, port: number) =>
  listenFailure(Object.assign(new Error(`listen ${code}`), { code }), { host: '127.0.0.1', port })

test('X-CLI-3: a port below 1024 without the right is explained, with what to do', () => {
  const { code, message, hint } = failure('EACCES', 80)
  expect(code).toBe('PORT_PRIVILEGED')
  expect(message).toContain('port 80')
  expect(hint).toMatch(/--port.*8080.*proxy/)
})

test('other failures keep their own code', () => {
  expect(failure('EADDRINUSE', 80).code).toBe('PORT_IN_USE')
  expect(failure('EACCES', 8080).code).toBe('HOST_UNUSABLE')
  expect(failure('EADDRNOTAVAIL', 80).code).toBe('HOST_UNUSABLE')
})
