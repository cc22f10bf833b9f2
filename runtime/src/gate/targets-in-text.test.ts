import { describe, expect, test } from 'vitest'
import type { TargetFact } from '../protocol/facts.ts'
import { ReadText } from './read-text.ts'
import { hostOf, mentions } from './targets-in-text.ts'

describe('a target is named', () => {
  test.each<[string, TargetFact['kind'], string, boolean]>([
    ['mail bob@company.example.', 'email', 'bob@company.example', true],
    ['mail bob@company.example.', 'email', 'ob@company.example', false],
    ['mail bob@company.com', 'email', 'bob@company.co', false],
    ['see www.bank.example/start', 'host', 'bank.example', true],
    ['see my-bank.example', 'host', 'bank.example', false],
    ['see bank.example.org', 'host', 'bank.example', false],
    ['pay DE75 5121 0800 1245 1261 99 now', 'account', 'DE75512108001245126199', true],
    ['pay DE75 5121 0800 1245 1261 990 now', 'account', 'DE75512108001245126199', false],
  ])('"%s", %s %s: %s', (text, kind, value, expected) => {
    expect(mentions(new ReadText(text), { kind, value })).toBe(expected)
  })

  test.each([
    ['https://evil.example?@hooks.company.example/', 'evil.example'],
    ['https://evil.example#@hooks.company.example/', 'evil.example'],
    ['https://evil.example\\@hooks.company.example/', 'evil.example'],
    ['https://user:word@shop.example/x', 'shop.example'],
    ['shop.example/x', 'shop.example'],
    ['https://例子.example/', '例子.example'],
  ])('by the host that %s connects to', (value, host) => {
    expect(hostOf({ kind: 'url', value })).toBe(host)
  })
})
