import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { indexWords, words } from './words.ts'

/** Whether a search for `query` finds the text. */
const meets = (text: string, query: string) => {
  const kept = new Set(indexWords(text))
  return words(query).some((word) => kept.has(word))
}

describe('Chinese', () => {
  test.each([
    ['我的数据库密码是秘密', '密码'],
    ['我的数据库密码是秘密', '数据库'],
    ['南京市长江大桥', '大桥'],
    ['南京市长江大桥', '市长'],
    ['部署环境使用阿里云服务器', '服务器'],
    ['部署环境使用阿里云服务器', '阿里云'],
    ['小猫喜欢吃鱼', '猫'],
    ['用TypeScript写的项目', '项目'],
    ['中华⼈⺠共和国', '人民'],
    ['中华人民共和国', '⼈⺠'],
    ['每天接受 200 次', '接受200次'],
    ['每天接受200次', '接受 200 次'],
    ['全 文 检 索', '检索'],
    ['小猫和鱼', '猫 鱼'],
  ])('%s is found by %s', (text, query) => {
    expect(meets(text, query)).toBe(true)
  })

  test('a character of every sentence is not a match', () => {
    expect(meets('我的密码是秘密', '明天是周五')).toBe(false)
  })

  test('any two neighbouring characters find their text', () => {
    const han = fc.integer({ min: 0x4e00, max: 0x9fff }).map((point) => String.fromCodePoint(point))
    fc.assert(
      fc.property(fc.array(han, { minLength: 2, maxLength: 30 }), fc.nat(), (characters, start) => {
        const from = start % (characters.length - 1)
        const text = characters.join('')
        return meets(`前言，${text}。`, [...text.normalize('NFKC')].slice(from, from + 2).join(''))
      }),
    )
  })
})

test('case, width and compatibility forms do not matter', () => {
  expect(words('Ｗｒｉｔ ② ﬁle')).toEqual(['writ', '2', 'file'])
  expect(words('HELLO hello')).toEqual(['hello'])
})

test('names are found by their parts', () => {
  expect(words('file_read of user@example.com')).toEqual(['file', 'read', 'of', 'user', 'example', 'com'])
})

test('a word is letters, digits and marks, and never so long that a database refuses it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      for (const word of indexWords(text)) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]{1,64}$/u)
    }),
  )
  expect(words('x'.repeat(100))).toEqual(['x'.repeat(64), 'x'.repeat(36)].filter((word) => word !== ''))
})

test('text without words is not found', () => {
  expect(words(' \0 👍 …"* ()^: \ud800')).toEqual([])
})
