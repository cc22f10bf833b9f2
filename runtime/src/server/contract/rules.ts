/** The rules of the configuration: shown, and tried as a draft. */
import * as z from 'zod'
import { RULE_DECISIONS, RULE_LAYERS, type Rule, type RuleExample } from '../../protocol/rule.ts'
import { DENIAL_REASONS } from '../../protocol/verdict.ts'
import { type Endpoint, problem, shaped, timeGiven } from './route.ts'
import { whatIf } from './runs.ts'

const MAX_CALLS = 50

const deciding = z.object({ decide: z.enum(RULE_DECISIONS), layer: z.enum(RULE_LAYERS), from: z.string() })

const placedRule = deciding.extend({
  rule: shaped<Rule>(z.looseObject({})),
  own: z.boolean().describe('Stored by the server; `PUT /api/config` replaces it.'),
})

const call = shaped<RuleExample>(
  z.union([z.string().min(1).max(4000), z.strictObject({ tool: z.string().min(1), args: z.looseObject({}) })]),
)

const verdict = z.object({
  decision: z.enum(['allow', 'ask', 'deny']),
  reason: z.enum(DENIAL_REASONS).optional(),
  rule: deciding.optional().describe('The rule that decided.'),
})

const tested = z.object({
  problems: z.array(problem).describe('Why the draft is not valid. Then nothing was tried.'),
  examples: z.array(
    z.object({
      rule: z.int().describe('Counted from 0.'),
      example: call,
      expected: z.enum(['match', 'noMatch']),
      outcome: z.enum(['ok', 'failed', 'skipped']).describe('`skipped`: its tool is not available here.'),
      instead: z.string().optional().describe('The rule that matched instead.'),
      unclear: z.string().optional(),
    }),
  ),
  calls: z.array(z.object({ call, now: verdict, draft: verdict })),
  notes: z.array(z.string()).describe('Rules that have no effect, or less than they seem to have.'),
})

export const policyRules = {
  'GET /api/policy/rules': {
    scope: 'read',
    summary: 'The rules of the configuration, the highest layer first',
    returns: z.object({ rules: z.array(placedRule) }),
  },
  'POST /api/policy/test': {
    scope: 'read',
    summary:
      'Try rules in place of those the server stores: their examples, and what they would decide. Stores nothing',
    body: z.strictObject({
      // Checked by the handler, so that every problem is listed with its place.
      rules: z.array(z.unknown()).max(200),
      calls: z.array(call).max(MAX_CALLS).default([]).describe('Shell lines, or {tool, args}.'),
    }),
    returns: tested,
  },
  'GET /api/policy/shadow': {
    scope: 'read',
    summary: 'Recorded decisions that the shadow policy would have made differently; the last week by default',
    query: z.object({ since: timeGiven }),
    returns: whatIf,
  },
} as const satisfies Record<string, Endpoint>

export type RulesTested = z.infer<typeof tested>
export type TestedVerdict = z.infer<typeof verdict>
export type PlacedRuleView = z.infer<typeof placedRule>
