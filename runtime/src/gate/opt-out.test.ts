import { describe, expect, test } from 'vitest'
import { optsOut } from './opt-out.ts'

describe('the user wants nothing looked up', () => {
  test.each([
    '不要检索，直接回答',
    '请不要搜索',
    '别查资料了，凭你知道的说',
    '不要额外调用',
    '无需检索',
    '不要进行任何检索',
    '不要调用工具',
    '不用去查文档',
    "Don't search, just answer",
    'do not look anything up',
    'Answer without searching.',
    'no extra calls please',
    'No lookups, please.',
    "please don't make any extra tool calls",
    'without any tool calls',
    'no need to research',
    'do not send scouts',
    'From memory only: what is the cap?',
    'What is the cap? Answer from memory.',
    'just from memory please, how many plans are there?',
    'Reply only from your own knowledge',
    'tell me off the top of your head',
    '凭记忆回答即可',
    '上限是多少？凭印象回答就行',
    '根据你已有的知识回答',
    '凭你知道的说',
    '检索一下 a，算了，不要检索了',
    'search the docs? no, do not search anything',
  ])('S4-74: %s', (task) => {
    expect(optsOut(task)).toBe(true)
  })
  test.each([
    '别忘了检索文档',
    '不要忘记查一下文档',
    '比较甲和乙',
    '检索一下缓存的说明',
    '不要搜索网页，只看文档',
    '翻译“不要检索”',
    "don't forget to search the docs",
    "don't search the web, compare the documents",
    'why are there no search results?',
    'explain the "do not search" flag',
    'do not stop searching until you find it',
    'search the docs',
    '检索 a 和 b，不要检索 c',
    '不要检索 c，检索 a 和 b',
    'Search a.md and b.md, but do not search c.md',
    "don't answer from memory, look it up",
    '不要凭记忆回答，请查文档',
    '根据知识库回答',
    'why does the program read from memory?',
    'look up how the cache is loaded from memory',
  ])('is not what this says: %s', (task) => {
    expect(optsOut(task)).toBe(false)
  })
})
