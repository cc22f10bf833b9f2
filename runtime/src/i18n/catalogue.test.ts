import { describe, expect, test } from 'vitest'
import { WritError } from '../errors/writ-error.ts'
import { en } from './en.ts'
import { messages, parseLang, pickLang } from './locale.ts'
import { zh } from './zh.ts'

/** Any parameter of a text; lists for plural names, so that they can be joined. */
const anything = new Proxy({}, { get: (_, name) => (/s$/.test(String(name)) && name !== 'ms' ? ['x'] : 7) })
const numbers = new Proxy({}, { get: () => 7 })

function say(text: unknown): string {
  if (typeof text !== 'function') return String(text)
  try {
    return String(text(anything))
  } catch {
    return String(text(numbers))
  }
}

function textsOf(catalogue: object, path = ''): [string, string][] {
  return Object.entries(catalogue).flatMap(([key, value]): [string, string][] =>
    typeof value === 'object' ? textsOf(value, `${path}${key}.`) : [[`${path}${key}`, say(value)]],
  )
}

/** The same in both languages: what a user types. */
const SHARED = ['confirm.choices', 'confirm.choicesOnce']

describe('the two languages', () => {
  const english = textsOf(en)
  const chinese = new Map(textsOf(zh))

  test('have the same keys', () => {
    expect([...chinese.keys()].sort()).toEqual(english.map(([key]) => key).sort())
  })

  test.each(english)('%s exists in both languages', (key, text) => {
    const other = chinese.get(key) ?? ''
    expect(text.trim()).not.toBe('')
    if (SHARED.includes(key)) return
    expect(other).toMatch(/\p{Script=Han}|^ true/u)
    expect(text).not.toMatch(/\p{Script=Han}/u)
  })

  test('S1-95: the choices are literally [y/N/a] in both', () => {
    expect(en.confirm.choices).toBe('[y/N/a]')
    expect(zh.confirm.choices).toBe('[y/N/a]')
  })

  test('a blocked call names the intent, the family and the count', () => {
    const block = { intent: 'browser_access', family: 'network', tool: 'http_request', count: 3, limit: 2 }
    for (const text of [en.intent.blocked(block), zh.intent.blocked(block)]) {
      expect(text).toContain('browser_access')
      expect(text).toContain('network')
      expect(text).toContain('3/2')
    }
  })
})

describe('the language', () => {
  test('comes from the flag, WRIT_LANG, the configuration, then the system', () => {
    const env = { WRIT_LANG: 'zh', LANG: 'en_GB.UTF-8' }
    expect(pickLang('en', env)).toBe('en')
    expect(pickLang(undefined, env, 'en')).toBe('zh')
    expect(pickLang(undefined, { LANG: 'en_GB.UTF-8' }, 'zh')).toBe('zh')
    expect(pickLang(undefined, { LANG: 'zh_CN.UTF-8' })).toBe('zh')
    expect(pickLang(undefined, { LC_ALL: 'C', LANG: 'zh_CN.UTF-8' })).toBe('en')
    expect(pickLang(undefined, {})).toBe('en')
  })

  test('can have a region', () => {
    expect(parseLang('zh-Hant-TW')).toBe('zh')
    expect(parseLang('EN')).toBe('en')
    expect(parseLang('zhuang')).toBeUndefined()
  })

  test('is a usage error when the flag names an unsupported one', () => {
    expect(() => pickLang('fr', {})).toThrow(WritError)
    expect(messages('zh')).toBe(zh)
  })
})
