import { describe, expect, test } from 'vitest'
import { policyWith } from '../../../test/support/gate-input.ts'
import { narrowedTo } from '../../agent/narrowing.ts'
import { jsonInstructions } from '../../model/dialect-json.ts'
import { narrowingIn, profileOf } from './agent-core-config.ts'
import { developerPrompt } from './agent-core-prompt.ts'

const node = {
  model: 'm',
  max_steps: 4,
  allowed_tools: ['http_request'],
  total_token_budget: 3000,
  http: { allowed_domains: ['orders.example', '*.shop.example'], allowed_methods: ['GET'] },
}
const tools = [{ name: 'http_request', description: 'Send an HTTP request.', schema: { type: 'object' } }]

function whole(lang: 'en' | 'zh', notes: string[] = []): string {
  const policy = narrowedTo(policyWith(), narrowingIn(node))
  const given = developerPrompt({ lang, profile: profileOf(node, []), policy, notes })
  return jsonInstructions(tools, lang, { given })
}

describe.each(['en', 'zh'] as const)('the prompt of a node (%s)', (lang) => {
  test('has rules, task and examples', () => {
    expect(whole(lang, ['Prices are in euros.'])).toMatchSnapshot()
  })

  const parts = () => whole(lang).split(/^\[(?:System|系统|Developer|开发者|Examples|示例)\]$/m)

  test('S3-27 S3-28: has three parts; the first names the tools with their schemas', () => {
    expect(parts()).toHaveLength(4)
    expect(parts()[1]).toContain('- http_request: Send an HTTP request. {"type":"object"}')
  })

  test('S3-144 S3-145 S3-146: allows one JSON object in two forms, and says what follows an error', () => {
    const system = parts()[1]
    expect(system).toMatch(/exactly one JSON object and nothing else|只回复一个 JSON 对象，除此之外什么都不要写/)
    expect(system).toMatch(/\{"type":"action","tool":"<[^>]+>","args":\{\.\.\.\}\}/)
    expect(system).toContain('{"type":"final","answer":"..."}')
    expect(system).toMatch(/correct them and try again, or end with Final|改正后重试，或用 Final 结束/)
  })

  test('S3-149 S3-150 S3-151 S3-152: the examples are a call and an answer, a corrected failure, and an answer alone', () => {
    const examples = (parts()[3] ?? '').split(/^(?:Example|示例).*$/m).slice(1)
    const replies = examples.map((example) =>
      [...example.matchAll(/\{"type":"(action|final)"/g)].map(([, type]) => type),
    )
    expect(replies).toEqual([['action', 'final'], ['action', 'action', 'final'], ['final']])
    expect(examples[1]).toContain('[错误] ARGS_INVALID')
  })

  test('S3-147 S3-148: the developer part names domains, methods and limits, and that results are cut', () => {
    const [, rest = ''] = whole(lang).split(/\[(?:Developer|开发者)\]/)
    const [developer = ''] = rest.split(/\[(?:Examples|示例)\]/)
    for (const fact of ['orders.example, *.shop.example', 'GET', '4', '120', '30', '3000', '256', '…(+N)']) {
      expect(developer).toContain(fact)
    }
  })
})

test('S3-143: the rules list the tools of this run and no other', () => {
  const [rules] = whole('en').split('[Developer]')
  expect(rules?.match(/^- \w+/gm)).toEqual(['- http_request'])
})
