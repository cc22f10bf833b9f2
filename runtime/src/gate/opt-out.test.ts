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
  ])('is not what this says: %s', (task) => {
    expect(optsOut(task)).toBe(false)
  })
})
