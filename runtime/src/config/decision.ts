/** Settings of decisions, with the rules of the RuleBased route. Its capability limits it to three kinds of action. */
import * as z from 'zod'
import { ACTION_URGENCIES, CONTEXT_FIELDS, INTENT_KINDS } from '../protocol/action.ts'
import { RISK_LEVELS } from '../protocol/risk.ts'

const text = z.string().min(1)

const decisionRule = z
  .strictObject({
    name: text.max(64).describe('Short and unique; used as id and tag of the intent.'),
    when: z
      .strictObject({
        packages: z.array(text).optional().describe('One of these programs was observed.'),
        scenes: z.array(text).optional().describe('One of these scenes was entered.'),
        packagesAtLeast: z.int().min(0).optional().describe('At least this many programs were observed.'),
        notification: z.boolean().optional().describe('Whether there was a notification.'),
      })
      .prefault({})
      .describe('All given conditions must be met.'),
    intent: z
      .enum(INTENT_KINDS)
      .default('SwitchToApp')
      .describe('The predicted intent, about the program, notification, file kind or scene observed last.'),
    confidence: z.number().min(0).max(1).describe('From 0 to 1.'),
    actions: z
      .array(
        z.strictObject({
          type: z.enum(['KeepAlive', 'ReleaseMemory', 'NoOp']).describe('The only actions rules may propose.'),
          on: z.enum(['latest', 'oldest', 'nothing']).describe('The program observed last or first, or none.'),
          urgency: z.enum(ACTION_URGENCIES).default('Immediate').describe('When it is executed.'),
        }),
      )
      .describe('Suggested actions.'),
  })
  .refine(({ intent, actions }) => intent !== 'Idle' || actions.every(({ type }) => type === 'NoOp'), {
    error: 'idleRule',
    path: ['actions'],
  })

export type DecisionRule = z.output<typeof decisionRule>

/** Keeps what the user works with; when many are open, the one unused longest may release memory. */
export const DEFAULT_RULES: readonly DecisionRule[] = [
  {
    name: 'keep_latest',
    when: { packagesAtLeast: 1 },
    intent: 'SwitchToApp',
    confidence: 0.6,
    actions: [{ type: 'KeepAlive', on: 'latest', urgency: 'Immediate' }],
  },
  {
    name: 'release_oldest',
    when: { packagesAtLeast: 8 },
    intent: 'SwitchToApp',
    confidence: 0.5,
    actions: [{ type: 'ReleaseMemory', on: 'oldest', urgency: 'Immediate' }],
  },
]

const rules = z
  .array(decisionRule)
  .max(100)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, { error: 'ruleNames' })
  .default(DEFAULT_RULES.map((rule) => ({ ...rule })))
  .describe('Rules of the RuleBased route, each with name, when, intent, confidence and actions. []: none.')

export const decision = z.strictObject({
  maxAutoRisk: z
    .enum(RISK_LEVELS)
    .default('Low')
    .describe('Highest risk of an automatic action; High is never automatic.'),
  minConfidence: z.number().min(0).max(1).default(0.3).describe('Predictions below this are dropped.'),
  blockedActions: z
    .array(text)
    .default([])
    .describe('Action types that contain one of these are denied; case-sensitive.'),
  maxActionsPerBatch: z.int().min(0).default(5).describe('Approved actions per intent of a batch.'),
  cloudFields: z
    .array(z.enum(CONTEXT_FIELDS))
    .default([...CONTEXT_FIELDS])
    .describe(
      'Fields of the observed window that are sent to a language model, with secrets masked. []: no model is used.',
    ),
  timeoutMs: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .default(20_000)
    .describe('Time limit of all predictors together; after that nothing is done.'),
  rules,
})
