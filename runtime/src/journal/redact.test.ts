import { describe, expect, test } from 'vitest'
import { makeRedactor } from './redact.ts'

const redact = makeRedactor(['hunter2-canary'])
const letters = (count: number) => 'aB3'.repeat(count).slice(0, count)

describe('the journal’s door', () => {
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

  test('ordinary text goes through untouched', () => {
    const text = 'a writ_ is not a token, and sk-8 is a road'
    expect(redact({ text })).toEqual({ text })
  })
})
