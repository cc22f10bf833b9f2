import { describe, expect, test } from 'vitest'
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
    await expect(parseWorkflow(text, { origin: 'w.yaml', lang: 'en' })).rejects.toMatchObject({
      code: 'WORKFLOW_INVALID',
    })
  })
})
