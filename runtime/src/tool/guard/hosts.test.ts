import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isNamed } from '../../gate/stages/content.ts'
import { classifyAddress, describeHost, hostAllowed, isOpen } from './hosts.ts'

describe('the class of an address', () => {
  test.each([
    ['127.0.0.1', 'loopback'],
    ['127.1', 'loopback'],
    ['0177.0.0.1', 'loopback'],
    ['0x7f.1', 'loopback'],
    ['2130706433', 'loopback'],
    ['0x7f000001', 'loopback'],
    ['0.0.0.0', 'loopback'],
    ['0', 'loopback'],
    ['localhost', 'loopback'],
    ['LOCALHOST.', 'loopback'],
    ['app.localhost', 'loopback'],
    ['[::1]', 'loopback'],
    ['::', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['::7f00:1', 'loopback'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['2002:7f00:1::', 'loopback'],
    ['１２７.0.0.1', 'loopback'],
    ['127。0。0。1', 'loopback'],
    ['10.0.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['172.16.5.4', 'private'],
    ['100.64.0.1', 'private'],
    ['fd12::1', 'private'],
    ['169.254.1.1', 'linklocal'],
    ['fe80::1%eth0', 'linklocal'],
    ['169.254.169.254', 'metadata'],
    ['0xa9fea9fe', 'metadata'],
    ['::ffff:a9fe:a9fe', 'metadata'],
    ['64:ff9b::169.254.169.254', 'metadata'],
    ['100.100.100.200', 'metadata'],
    ['fd00:ec2::254', 'metadata'],
    ['metadata.google.internal', 'metadata'],
    ['224.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['192.0.2.1', 'reserved'],
    ['2001:db8::1', 'reserved'],
    ['8.8.8.8', 'public'],
    ['134744072', 'public'],
    ['2606:4700::1111', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['example.com', undefined],
    ['127.0.0.1.example.com', undefined],
    ['256.1.1.1', undefined],
    ['', undefined],
  ])('%s is %s', (literal, expected) => {
    expect(classifyAddress(literal)).toBe(expected)
  })

  const closed = fc.oneof(
    fc.tuple(fc.constantFrom(10, 127, 0), fc.nat(255), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
  )
  const spellPart = (byte: number, how: number): string =>
    [`${byte}`, `0x${byte.toString(16)}`, `0${byte.toString(8)}`, `0X${byte.toString(16).toUpperCase()}`][how % 4] ?? ''
  const hex = (a: number, b: number): string => ((a << 8) | b).toString(16)

  test('no spelling makes a closed address public', () => {
    fc.assert(
      fc.property(closed, fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }), ([a, b, c, d], how) => {
        const number = ((a * 256 + b) * 256 + c) * 256 + d
        const spellings = [
          [a, b, c, d].map((byte, i) => spellPart(byte, how[i] ?? 0)).join('.'),
          `${number}`,
          `0x${number.toString(16)}`,
          `${a}.${(b * 256 + c) * 256 + d}`,
          `${a}.${b}.${c * 256 + d}`,
          `${a}.${b}.${c}.${d}.`,
          `::ffff:${a}.${b}.${c}.${d}`,
          `[::ffff:${hex(a, b)}:${hex(c, d)}]`,
          `0:0:0:0:0:ffff:${hex(a, b)}:${hex(c, d)}`,
          `64:ff9b::${hex(a, b)}:${hex(c, d)}`,
          `2002:${hex(a, b)}:${hex(c, d)}::1`,
          `::${a}.${b}.${c}.${d}`,
        ]
        for (const spelling of spellings) {
          expect(classifyAddress(spelling), spelling).toBeDefined()
          expect(classifyAddress(spelling), spelling).not.toBe('public')
        }
      }),
    )
  })

  test('every spelling of a host in a URL gives the same fact', () => {
    fc.assert(
      fc.property(closed, fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }), ([a, b, c, d], how) => {
        const host = [a, b, c, d].map((byte, i) => spellPart(byte, how[i] ?? 0)).join('.')
        const fact = describeHost(`http://${host}:8080/x`, 'GET')
        expect(fact.address).toBeDefined()
        expect(fact.address).not.toBe('public')
      }),
    )
  })

  test('any text is classified without an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        classifyAddress(text)
      }),
    )
    fc.assert(
      fc.property(fc.ipV4Extended(), (text) => {
        expect(classifyAddress(text)).toBeDefined()
      }),
    )
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        expect(classifyAddress(text)).toBeDefined()
      }),
    )
  })
})

describe('open addresses', () => {
  test('public ones are open, closed ones only by exact name and port, metadata never', () => {
    const allowed = ['127.0.0.1:8080', '169.254.169.254:80', 'LOCALHOST:3000', '[::1]:9']
    const at = (host: string, port: number) => ({ host, port })
    expect(isOpen('public', at('example.com', 443), [])).toBe(true)
    expect(isOpen('loopback', at('127.0.0.1', 8080), allowed)).toBe(true)
    expect(isOpen('loopback', at('127.0.0.1', 8081), allowed)).toBe(false)
    expect(isOpen('loopback', at('evil.example', 8080), allowed)).toBe(false)
    expect(isOpen('loopback', at('localhost', 3000), allowed)).toBe(true)
    expect(isOpen('loopback', at('::1', 9), allowed)).toBe(true)
    expect(isOpen('metadata', at('169.254.169.254', 80), allowed)).toBe(false)
  })

  test('a host is allowed by name, by name and port, or by domain', () => {
    expect(hostAllowed('example.com', 443, ['example.com'])).toBe(true)
    expect(hostAllowed('example.com', 444, ['example.com:443'])).toBe(false)
    expect(hostAllowed('api.example.com', 443, ['*.example.com'])).toBe(true)
    expect(hostAllowed('example.com', 443, ['*.example.com'])).toBe(false)
    expect(hostAllowed('notexample.com', 443, ['*.example.com', 'example.com'])).toBe(false)
    expect(hostAllowed('::1', 80, ['[::1]'])).toBe(true)
    expect(isNamed({ host: 'example.com', port: 443 }, ['example.com'])).toBe(false)
  })

  test('a URL that cannot be parsed or has no host is in a class that no rule opens', () => {
    for (const url of ['not a url', 'file:///etc/passwd', 'http://', 'data:text/plain,x']) {
      expect(describeHost(url, 'GET').address, url).toBe('reserved')
    }
    expect(describeHost('https://Example.COM./x', 'GET')).toEqual({
      url: 'https://Example.COM./x',
      host: 'example.com',
      port: 443,
      scheme: 'https',
      method: 'GET',
    })
  })
})
