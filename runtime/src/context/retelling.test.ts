import { expect, test } from 'vitest'
import { tells } from './retelling.ts'

test.each([
  ['Q: What is my cat called?\nA: Minka.', 'My cat is called Minka.'],
  ['Q: remember that my cat is called Minka\nA: Noted.', 'My cat is called Minka.'],
  ['Q: How do I get in?\nA: With 4711.', "The user's door code is 4711"],
  ['Q: 我的猫叫什么？\nA: 咪咪。', '用户的猫叫咪咪'],
  ['Q: 门禁密码？\nA: 是 A4711。', '用户的门禁密码是A4711'],
])('%s tells: %s', (summary, fact) => {
  expect(tells(summary, fact)).toBe(true)
})

test.each([
  ['Q: What is the capital of France?\nA: Paris.', 'My cat is called Minka.'],
  ['Q: Write a TypeScript function\nA: Here it is.', 'I use TypeScript at work in Berlin'],
  ['Q: 今天天气怎么样？\nA: 晴。', '用户的猫叫咪咪'],
  ['Q: add 2 and 2\nA: 4', 'The user has 2 cats'],
])('%s does not tell: %s', (summary, fact) => {
  expect(tells(summary, fact)).toBe(false)
})
