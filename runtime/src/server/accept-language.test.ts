import { expect, test } from 'vitest'
import { preferredLang } from './accept-language.ts'

test.each([
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['en-GB, zh;q=0.9', 'en'],
  ['fr, de;q=0.9, zh;q=0.1', 'zh'],
  ['en;q=0.2, zh;q=0.7', 'zh'],
  ['en;q=0, zh;q=0.1', 'zh'],
])('%s → %s', (header, lang) => {
  expect(preferredLang(header, lang === 'zh' ? 'en' : 'zh')).toBe(lang)
})

test.each([undefined, '', '*', 'fr-CA', 'en;q=0', 'english', ';;,,q=1'])(
  '%s → the language of the server',
  (header) => {
    expect([preferredLang(header, 'en'), preferredLang(header, 'zh')]).toEqual(['en', 'zh'])
  },
)
