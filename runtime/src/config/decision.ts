/** The settings of decisions, with the rules of the RuleBased route, which its capability keeps to three kinds of action. */
import * as z from 'zod'
import { ACTION_URGENCIES, CONTEXT_FIELDS, INTENT_KINDS } from '../protocol/action.ts'
import { RISK_LEVELS } from '../protocol/risk.ts'

const text = z.string().min(1)

const decisionRule = z
  .strictObject({
    name: text.max(64).describe('Short and unique; it becomes the id and the tag of the intent.'),
    when: z
      .strictObject({
        packages: z.array(text).optional().describe('One of these programs was seen.'),
        scenes: z.array(text).optional().describe('One of these scenes was entered.'),
        packagesAtLeast: z.int().min(0).optional().describe('At least this many programs were seen.'),
        notification: z.boolean().optional().describe('Whether there was a notification.'),
      })
      .prefault({})
      .describe('All conditions given must hold.'),
    intent: z
      .enum(INTENT_KINDS)
      .default('SwitchToApp')
      .describe('What is predicted, about the program, notification, file kind or scene seen last.'),
    confidence: z.number().min(0).max(1).describe('From 0 to 1.'),
    actions: z
      .array(
        z.strictObject({
          type: z.enum(['KeepAlive', 'ReleaseMemory', 'NoOp']).describe('Rules may propose nothing else.'),
          on: z.enum(['latest', 'oldest', 'nothing']).describe('The program seen last, or first, or none.'),
          urgency: z.enum(ACTION_URGENCIES).default('Immediate').describe('When it is carried out.'),
        }),
      )
      .describe('What is suggested.'),
  })
  .refine(({ intent, actions }) => intent !== 'Idle' || actions.every(({ type }) => type === 'NoOp'), {
    error: 'idleRule',
    path: ['actions'],
  })

export type DecisionRule = z.output<typeof decisionRule>

/** What the user works with now stays; what was left first, when many are open, may give memory back. */
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
  maxAutoRisk: z.enum(RISK_LEVELS).default('Low').describe('Highest risk of an automatic action; High never is.'),
  minConfidence: z.number().min(0).max(1).default(0.3).describe('Predictions below this are dropped.'),
  blockedActions: z.array(text).default([]).describe('Action types containing one of these are refused; case matters.'),
  maxActionsPerBatch: z.int().min(0).default(5).describe('Approved actions per intent of a batch.'),
  cloudFields: z
    .array(z.enum(CONTEXT_FIELDS))
    .default([...CONTEXT_FIELDS])
    .describe('Fields of the observed window that a language model is sent, secrets masked. []: it is not asked.'),
  timeoutMs: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .default(20_000)
    .describe('How long predictors may take together; after that nothing is done.'),
  rules,
})
