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
  test('S3-27 S3-28 S3-144 S3-145 S3-146 S3-149 S3-150 S3-151 S3-152: rules, task and examples', () => {
    expect(whole(lang, ['Prices are in euros.'])).toMatchSnapshot()
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
