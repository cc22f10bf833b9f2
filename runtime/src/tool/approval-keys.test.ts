import { describe, expect, test } from 'vitest'
import type { Facts, HostFact } from '../protocol/facts.ts'
import { approvalKeysOf } from './approval-keys.ts'

const PLAIN: Facts = {
  registered: true,
  exposed: true,
  family: 'unknown',
  risk: 'Medium',
  trust: 'external',
  readOnly: false,
  form: [],
}
const host = (url: string, method: string): HostFact => {
  const { hostname, port, protocol } = new URL(url)
  return { url, host: hostname, port: Number(port), scheme: protocol.slice(0, -1), method }
}
const keys = (tool: string, own: Partial<Facts>) => approvalKeysOf(tool, { ...PLAIN, ...own })

describe('S1-108: an always is kept', () => {
  test('under the tool alone where the tool says nothing more', () => {
    expect(keys('file_write', {})).toBeUndefined()
  })

  test('under the tool and the kind of call, so that a command is none of another tool’s', () => {
    expect(keys('shell', { approvalKeys: ['git', 'make'] })).toEqual(['shell git', 'shell make'])
    expect(keys('git', { approvalKeys: ['read'] })).toEqual(['git read'])
    expect(keys('own_tool', { approvalKeys: ['shell git'] })).toEqual(['own_tool shell git'])
  })

  test('under every host with its method, as one key: parts that were approved elsewhere do not add up', () => {
    const one = host('http://a.example:8080/x', 'POST')
    const other = host('http://b.example:8080/y', 'GET')
    expect(keys('http_request', { hosts: [one] })).toEqual(['http_request POST http://a.example:8080'])
    expect(keys('shell', { approvalKeys: ['jq', 'curl'], hosts: [other, one] })).toEqual([
      'shell curl+jq GET http://b.example:8080 POST http://a.example:8080',
    ])
  })

  test('under nothing where the tool says that no yes lasts', () => {
    expect(keys('browser_click', { approvalKeys: [], hosts: [host('http://a.example:8080/', 'GET')] })).toEqual([])
  })
})
