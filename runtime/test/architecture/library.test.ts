/** The public interface as a whole: complete, documented, and the same as its reference page. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type PublicInterface, publicInterfaces, withoutComments } from '../../../scripts/declarations.ts'
import { examplesIn, printedBy } from '../../../scripts/examples.ts'

const ENTRIES = ['index', 'client']
let interfaces: PublicInterface[] = []
beforeAll(() => {
  interfaces = publicInterfaces(ENTRIES)
})

describe.each(ENTRIES)('the exports of %s', (entry) => {
  let declared: PublicInterface
  beforeAll(() => {
    const own = interfaces[ENTRIES.indexOf(entry)]
    if (own === undefined) throw new Error('no declarations')
    declared = own
  })

  test('X-LIB-7: everything an export mentions is exported; lists of values are, as the types made from them', () => {
    const types = declared.declarations.filter(({ kind }) => kind !== 'const')
    expect(types.length).toBeGreaterThan(100)
    const hidden = types.filter(({ name }) => !declared.exported.includes(name))
    expect(hidden.map(({ name, file }) => `${name} (${file}) is reachable, but not exported`)).toEqual([])
  })

  test('X-LIB-7: nothing of it is `any`, and of other packages it needs zod alone', () => {
    const loose = declared.declarations.filter(({ text }) => /\bany\b/.test(withoutComments(text)))
    expect(loose.map(({ name }) => name)).toEqual([])
    for (const line of declared.packages) expect(line).toContain("from 'zod'")
  })

  test('X-LIB-9: every export has a doc comment; every function and class has an example that shows what it prints', () => {
    const missing = declared.declarations.flatMap(({ name, kind, text, file }) => {
      if (kind === 'const') return []
      const where = `${name} (${file})`
      if (!text.startsWith('/**')) return [`${where} has no doc comment`]
      const examples = examplesIn(text)
      for (const code of examples) expect(printedBy(code).length, where).toBeGreaterThan(0)
      const needsOne = kind === 'function' || kind === 'class'
      // A type that is only for `instanceof` elsewhere, such as the writ, is not exported as a class.
      return needsOne && examples.length === 0 && name !== 'Writ' ? [`${where} has no example`] : []
    })
    expect(missing).toEqual([])
  })
})
