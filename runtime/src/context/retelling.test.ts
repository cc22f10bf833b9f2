import { expect, test } from 'vitest'
import { repeats } from './retelling.ts'

test.each([
  ['Q: What is my cat called?\nA: Minka.', 'My cat is called Minka.'],
  ['Q: remember that my cat is called Minka\nA: Noted.', 'My cat is called Minka.'],
  ['Q: How do I get in?\nA: With 4711.', "The user's door code is 4711"],
  ['Q: 我的猫叫什么？\nA: 咪咪。', '用户的猫叫咪咪'],
  ['Q: what is my dog called?\nA: Your dog is called Rex.', "The user's dog is called Rex and is three years old"],
  ['Q: what is the name of my pet?\nA: It is Rex.', "The user's dog is called Rex and is three years old"],
  ['Q: what is my pet called?\nA: rex', 'my dog is called rex, a terrier from the shelter'],
  ['Q: who goes to school there?\nA: Mathilda.', 'My daughter Mathilda goes to the Lindenhof school in Zurich'],
  ['Q: who is my daughter?\nA: Mathilda.', 'Mathilda goes to school by bus and plays the violin'],
  [
    'Q: may I eat this?\nA: No, you are allergic to peanuts.',
    'The user is allergic to peanuts and works as a night nurse in a hospital',
  ],
  [
    'Q: where can they write to me?\nA: To anna@example.com.',
    'Mail for the user and all invoices go to anna@example.com',
  ],
  ['Q: 我的狗叫什么？\nA: 你的狗叫旺财。', '用户的宠物狗叫旺财，今年三岁'],
  ['Q: 我女儿呢？\nA: 她叫小雨。', '我的女儿叫小雨，在实验小学上学'],
  ['Q: 哪所学校？\nA: 实验小学。', '我的女儿叫小雨，在实验小学上学'],
  ['Q: 门禁密码？\nA: 是 A4711。', '用户的门禁密码是A4711'],
])('%s repeats: %s', (summary, fact) => {
  expect(repeats(summary, fact)).toBe(true)
})

test.each([
  ['Q: What is the capital of France?\nA: Paris.', 'My cat is called Minka.'],
  ['Q: Write a TypeScript function\nA: Here it is.', 'I use TypeScript at work in Berlin'],
  ['Q: 今天天气怎么样？\nA: 晴。', '用户的猫叫咪咪'],
  ['Q: how do I wash a dog?\nA: With warm water.', "The user's dog is called Rex and is three years old"],
  ['Q: is a laptop of three years old?\nA: It still works.', "The user's dog is called Rex and is three years old"],
  ['Q: which school is the best?\nA: That depends.', 'My daughter Mathilda goes to the Lindenhof school in Zurich'],
  ['Q: how much coffee is too much?\nA: Coffee is fine in small cups.', 'Coffee is what the user drinks before work'],
  ['Q: convert this table to Markdown\nA: Done.', 'The user writes all reports in Markdown for the board'],
  ['Q: 狗为什么叫？\nA: 因为它想出去。', '用户的宠物狗叫旺财，今年三岁'],
  ['Q: 小学几年？\nA: 六年。', '我的女儿叫小雨，在实验小学上学'],
  ['Q: add 2 and 2\nA: 4', 'The user has 2 cats'],
])('%s does not tell: %s', (summary, fact) => {
  expect(repeats(summary, fact)).toBe(false)
})
