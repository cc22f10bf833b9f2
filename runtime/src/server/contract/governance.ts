/** Approvals, policy, configuration and tools. */
import * as z from 'zod'
import { type TaskIntent, TOOL_FAMILIES, type ToolFamily } from '../../protocol/intent.ts'
import type { IntentGuardPolicy, IntentPolicy } from '../../protocol/policy.ts'
import { REASON_MAX, RULE_SCOPES } from '../../protocol/verdict.ts'
import { done, type Endpoint, problem, shaped, time } from './route.ts'
import { outsideAgent, question, rememberedRule } from './shapes.ts'

const openQuestion = z.object({
  runId: z.string(),
  sessionId: z.string(),
  task: z.string(),
  askedAt: time,
  asked: z.int().describe('The number of the question in its run; a changed question has another'),
  question,
  outside: outsideAgent.optional(),
})

const approvalReply = z.strictObject({
  callId: z.string(),
  asked: z
    .int()
    .optional()
    .describe('The number of the question that was shown. If it has changed since, the answer is rejected.'),
  answer: z.enum(['y', 'n', 'a']),
  remember: z
    .strictObject({ offer: z.int().min(0), scope: z.enum(RULE_SCOPES) })
    .optional()
    .describe('With "y": store an offered rule. Scopes other than "session" need the token scope admin.'),
  reason: z.string().trim().min(1).max(REASON_MAX).optional().describe('With "n": why. The model reads it.'),
  edit: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('With "y": other arguments. The changed call is judged again and may be asked about again.'),
})

/** How a task would be classified, and what that means for each tool. */
export interface PolicyExplanation {
  intent: TaskIntent
  /** Why the model's label was not used, if it was requested. */
  fellBack?: string
  policy: IntentPolicy
  tools: { name: string; family: ToolFamily; verdict: 'allow' | 'soft' | 'block' }[]
}

const explanation = shaped<PolicyExplanation>(
  z.object({
    intent: z.object({ label: z.string(), confidence: z.number(), source: z.string(), reason: z.string() }),
    fellBack: z.string().optional(),
    policy: z.looseObject({ enabled: z.boolean() }),
    tools: z.array(z.object({ name: z.string(), family: z.string(), verdict: z.enum(['allow', 'soft', 'block']) })),
  }),
)

const policyView = z.object({
  intents: shaped<IntentGuardPolicy['intents']>(z.record(z.string(), z.looseObject({ enabled: z.boolean() }))),
  origins: z.record(z.string(), z.string()).describe('The source of each value of the guard, by key path.'),
  families: z.array(z.enum(TOOL_FAMILIES)),
  guard: z.object({ enabled: z.boolean(), softBlockAfter: z.number(), blockBudget: z.number() }),
})

const settings = z.looseObject({})
const agentPart = z.strictObject({ agent: settings })

const configView = z.object({
  config: settings.describe('Every key of `agent` with its current value.'),
  overrides: settings.describe(
    'What was changed through the API. It can only tighten what the server was started with.',
  ),
  origins: z.record(z.string(), z.string()),
  file: z.string().describe('The file that stores the overrides.'),
  schema: settings.describe('JSON Schema of the configuration file.'),
})

const toolView = z.object({
  name: z.string(),
  description: z.string(),
  family: z.string(),
  risk: z.string(),
  trust: z.string(),
  readOnly: z.boolean(),
  schema: settings,
  disabled: z.boolean(),
  inChat: z.boolean().describe('Whether chats can call it; other tools are for workflows and scouts.'),
})

export const governance = {
  'GET /api/approvals': {
    scope: 'read',
    summary: 'Open approvals, oldest first',
    returns: z.object({ open: z.array(openQuestion) }),
  },
  'POST /api/approvals/:runId': {
    scope: 'approve',
    summary: 'Answer an approval; the run continues in the background',
    body: approvalReply,
    returns: z.object({ runId: z.string() }),
    status: 202,
  },
  'GET /api/rules': {
    scope: 'read',
    summary: 'Remembered rules that hold in this workspace',
    returns: z.object({ rules: z.array(rememberedRule.extend({ by: z.string(), at: time })) }),
  },
  'DELETE /api/rules/:id': { scope: 'admin', summary: 'Revoke a remembered rule', returns: done },
  'POST /api/policy/explain': {
    scope: 'read',
    summary: 'Classify a task and show which tools it may use',
    body: z.strictObject({ task: z.string().trim().min(1) }),
    returns: explanation,
  },
  'GET /api/policy': { scope: 'read', summary: 'The current intent guard policy', returns: policyView },
  'GET /api/config': { scope: 'read', summary: 'Every setting and its source', returns: configView },
  'PUT /api/config': {
    scope: 'admin',
    summary: 'Tighten the settings for new runs; they can never be loosened',
    body: agentPart,
    returns: configView,
  },
  'POST /api/config/check': {
    scope: 'read',
    summary: 'Whether PUT would accept it',
    body: agentPart,
    returns: z.object({ ok: z.boolean(), problems: z.array(problem) }),
  },
  'GET /api/tools': { scope: 'read', summary: 'The tools', returns: z.object({ tools: z.array(toolView) }) },
} as const satisfies Record<string, Endpoint>

export type OpenQuestion = z.infer<typeof openQuestion>
export type PolicyView = z.infer<typeof policyView>
export type ConfigView = z.infer<typeof configView>
export type ToolView = z.infer<typeof toolView>
