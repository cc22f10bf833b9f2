import { expect, test } from 'vitest'
import { matchesDomain, sharedDomains } from './domain.ts'

test.each([
  ['example.com', 'example.com', 443, true],
  ['example.com', 'example.com', 8443, false],
  ['example.com:8443', 'example.com', 8443, true],
  ['example.com:8443', 'example.com', 443, false],
  ['example.com', 'api.example.com', 443, false],
  ['*.example.com', 'api.example.com', 80, true],
  ['*.example.com', 'example.com', 80, false],
  ['*.example.com', 'evilexample.com', 80, false],
  ['example.com', 'example.com.evil.test', 443, false],
  ['Example.COM', 'example.com', 443, true],
  ['*.Example.com:8443', 'API.example.com', 8443, true],
])('S3-100: the entry %s and %s:%i: %s', (entry, host, port, fits) => {
  expect(matchesDomain(entry, { host, port })).toBe(fits)
})

test('what two lists share is never more than either', () => {
  expect(sharedDomains(['*.a.test', 'b.test'], ['x.a.test', 'c.test'])).toEqual(['x.a.test'])
  expect(sharedDomains(['a.test'], ['a.test:443', 'a.test:8080'])).toEqual(['a.test:443'])
  expect(sharedDomains(['a.test'], [])).toEqual([])
  expect(sharedDomains(['*.a.test'], ['*.b.a.test'])).toEqual(['*.b.a.test'])
  expect(sharedDomains(['*.A.test', 'b.test'], ['x.a.Test', 'B.test:443'])).toEqual(['x.a.Test', 'B.test:443'])
})
