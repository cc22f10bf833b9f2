import { expect, test } from 'vitest'
import { closeCjk, unifyRadicals } from './cjk.ts'

test('radicals of both blocks are the characters they look like', () => {
  expect(unifyRadicals('⼈⺠⽇报 ⻓江 ⻢路 ⻰ ⻅ ⻚ ⻔ ⻛ ⻋ ⻩ ⻬')).toBe('人民日报 长江 马路 龙 见 页 门 风 车 黄 齐')
  const all = Array.from({ length: 0x2fd6 - 0x2e80 }, (_, i) => String.fromCodePoint(0x2e80 + i))
  const assigned = all.filter((radical) => /\p{Assigned}/u.test(radical))
  // A repeat mark, and parts that are not characters.
  const left = assigned.filter((radical) => /[\u2e80-\u2fd5]/u.test(unifyRadicals(radical)))
  expect(left).toEqual(['⺀', '⺇', '⺴', '⺵'])
})

test('white space is removed next to a Chinese or Japanese character and kept between other words', () => {
  expect(closeCjk('接受 200 次')).toBe('接受200次')
  expect(closeCjk('检\n  索 を する。 Next word')).toBe('检索をする。Next word')
  expect(closeCjk('two words, 한국 말')).toBe('two words, 한국 말')
})
