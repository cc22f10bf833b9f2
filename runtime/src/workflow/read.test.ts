import { describe, expect, test } from 'vitest'
import type { WritError } from '../errors/writ-error.ts'
import { parseWorkflow } from './read.ts'

const aliases = (line: (i: number, before: string) => string) =>
  Array.from({ length: 20 }, (_, i) =>
    line(
      i,
      i === 0
        ? '{x: 1}'
        : Array(9)
            .fill(`*a${i - 1}`)
            .join(', '),
    ),
  ).join('\n')

describe('a workflow made to exhaust its reader is refused', () => {
  test.each([
    ['brackets', '['.repeat(200_000)],
    ['maps in one line', '{a: '.repeat(50_000)],
    ['keys', Array.from({ length: 60_000 }, (_, i) => `k${i}: 1`).join('\n')],
    ['aliases of aliases', aliases((i, before) => `k${i}: &a${i} [${before}]`)],
    ['a large part many times', `big: &b [${'1,'.repeat(20_000)}1]\nall: [${Array(50).fill('*b').join(', ')}]`],
    ['merged aliases', aliases((i, before) => `k${i}: &a${i}\n  <<: [${before}]`)],
  ])('%s', async (_, text) => {
    await expect(parseWorkflow(text, { origin: 'w.yaml' })).rejects.toMatchObject({
      code: 'WORKFLOW_INVALID',
    })
  })
})

test.each([
  ['en', 'w.yaml cannot be run:\n  line 2, column', 'nested too deeply'],
  ['zh', 'w.yaml 无法运行：\n  第 2 行第', '嵌套过深'],
] as const)(
  'S3-65 (%s): brackets that are nested too deeply are told in plain words, with their place',
  async (lang, at, why) => {
    const text = `name: w\nnodes: ${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const refused = await parseWorkflow(text, { origin: 'w.yaml' }).catch(
      (error: WritError) => error.textIn(lang).message,
    )
    expect(refused).toContain(at)
    expect(refused).toContain(why)
    expect(refused).not.toContain('call stack')
  },
)

test.each([
  ['the one that most comes of', aliases((i, before) => `k${i}: &a${i} [${before}]`), { line: 20, column: 12 }],
  ['the one inside of what it stands for', 'name: w\nnodes: &a [x, *a]\n', { line: 2, column: 15 }],
])('S3-65: of aliases that expand to too much, %s is pointed at', async (_, text, at) => {
  await expect(parseWorkflow(text, { origin: 'w.yaml' })).rejects.toMatchObject({
    problems: [{ ...at, message: { en: expect.stringContaining('too many keys, brackets or aliases') } }],
  })
})
