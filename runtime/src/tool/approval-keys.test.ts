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

describe('S1-108: the key of an "always"', () => {
  test('is the tool alone when the tool says nothing more', () => {
    expect(keys('file_write', {})).toBeUndefined()
  })

  test('is the tool and the kind of call, so that it never covers another tool', () => {
    expect(keys('shell', { approvalKeys: ['git', 'make'] })).toEqual(['shell git', 'shell make'])
    expect(keys('git', { approvalKeys: ['read'] })).toEqual(['git read'])
    expect(keys('own_tool', { approvalKeys: ['shell git'] })).toEqual(['own_tool shell git'])
  })

  test('names every host with its method in one key: approvals for parts of it do not add up', () => {
    const one = host('http://a.example:8080/x', 'POST')
    const other = host('http://b.example:8080/y', 'GET')
    expect(keys('http_request', { hosts: [one] })).toEqual(['http_request POST http://a.example:8080'])
    expect(keys('shell', { approvalKeys: ['jq', 'curl'], hosts: [other, one] })).toEqual([
      'shell curl+jq GET http://b.example:8080 POST http://a.example:8080',
    ])
  })

  test('does not exist when the tool allows no lasting approval', () => {
    expect(keys('browser_click', { approvalKeys: [], hosts: [host('http://a.example:8080/', 'GET')] })).toEqual([])
  })
})
