import { describe, expect, test } from 'vitest'
import { makeRedactor } from './redact.ts'

const redact = makeRedactor(['hunter2-canary'])
const letters = (count: number) => 'aB3'.repeat(count).slice(0, count)

describe('redaction on entry', () => {
  test.each([
    ['a key of a model provider', `sk-${letters(24)}`],
    ['a key of Google', `AIza${letters(35)}`],
    ['a key of AWS', `AKIA${'A1'.repeat(8)}`],
    ['a token of GitHub', `ghp_${letters(36)}`],
    ['a token of GitLab', `glpat-${letters(20)}`],
    ['a token of Slack', `xoxb-${letters(20)}`],
    ['a token of npm', `npm_${letters(36)}`],
    ['a token of this server', `writ_${letters(43)}`],
    ['a key of GLM', `${'0a'.repeat(16)}.${letters(16)}`],
    ['a signed web token', `eyJ${letters(9)}.${letters(9)}.${letters(9)}`],
    ['a private key', `-----BEGIN PRIVATE KEY-----${letters(64)}-----END PRIVATE KEY-----`],
    ['a hook of Feishu', `https://host/open-apis/bot/v2/hook/${letters(36)}`],
    ['a header', `Bearer ${letters(30)}`],
    ['a password in an address', `redis://:${letters(12)}@host/0`],
    ['a setting', `password = ${letters(12)}`],
    ['a secret of the environment', 'hunter2-canary'],
    ['the same in base64', Buffer.from('hunter2-canary').toString('base64')],
  ])('%s is masked, and what stands around it is not', (_, secret) => {
    const masked = redact({ text: `before ${secret} after` }).text
    expect(masked).toMatch(/^before .*\[REDACTED:.*\].* after$/)
    expect(masked).not.toContain(secret.replace(/^\S+ (?:= )?|^redis:\/\/:|@host\/0$/g, ''))
  })

  const odd = 'pa"ss\\wo/rd ü-1'
  const oddly = makeRedactor([odd])
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  test.each([
    ['as JSON text', JSON.stringify({ a: odd })],
    ['as JSON text in JSON text', JSON.stringify(JSON.stringify({ a: odd }))],
    ['as JSON text with slashes escaped', JSON.stringify(odd).replaceAll('/', '\\/')],
    ['as ASCII JSON text', JSON.stringify(odd).replace('ü', '\\u00fc')],
    ['URL-encoded', encodeURIComponent(odd)],
    ['URL-encoded as a form', new URLSearchParams({ a: odd }).toString().replace('a=', '')],
    ['URL-encoded in small letters', encodeURIComponent(odd).replace(/%../g, (code) => code.toLowerCase())],
    ['in base64 behind a user name', base64(`user:${odd}`)],
    ['in base64 at the second place', base64(`u${odd}`)],
    ['in base64 at the third place, with more behind it', base64(`us${odd}, and so on`)],
    ['in the base64 of addresses', Buffer.from(`user:${odd}`).toString('base64url')],
    ['in hexadecimal', Buffer.from(odd).toString('hex').toUpperCase()],
  ])('a secret of the environment is masked %s', (_, text) => {
    const masked = oddly({ text }).text
    expect(masked).toContain('[REDACTED:secret]')
    // Only the digits that depend on its neighbours may remain.
    expect(masked.replace('[REDACTED:secret]', '').length).toBeLessThan(text.length - odd.length + 4)
  })

  test('a secret in escaped JSON text is masked', () => {
    const text = JSON.stringify(JSON.stringify({ password: 'open-sesame', user: 'ann' }))
    expect(redact({ text }).text).toBe(text.replace('open-sesame', '[REDACTED:assignment]'))
  })

  test('ordinary text is unchanged', () => {
    const text = 'a writ_ is not a token, and sk-8 is a road'
    expect(redact({ text })).toEqual({ text })
  })
})
