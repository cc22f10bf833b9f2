/** Approvals, policy, configuration, tools: what may be done, and who said so. */
import * as z from 'zod'
import { type TaskIntent, TOOL_FAMILIES, type ToolFamily } from '../../protocol/intent.ts'
import type { IntentGuardPolicy, IntentPolicy } from '../../protocol/policy.ts'
import { type Endpoint, problem, shaped, time } from './route.ts'
import { question } from './shapes.ts'

const openQuestion = z.object({
  runId: z.string(),
  sessionId: z.string(),
  task: z.string(),
  askedAt: time,
  question,
})

export interface PolicyExplanation {
  intent: TaskIntent
  /** Why the model's label was not used, when it was asked for and was not. */
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
  origins: z.record(z.string(), z.string()).describe('Where each value of the guard comes from, by key path.'),
  families: z.array(z.enum(TOOL_FAMILIES)),
  guard: z.object({ enabled: z.boolean(), softBlockAfter: z.number(), blockBudget: z.number() }),
})

const settings = z.looseObject({})
const agentPart = z.strictObject({ agent: settings })

const configView = z.object({
  config: settings.describe('Every key of `agent` with the value in force.'),
  overrides: settings.describe('What was set here, below the ceiling of what the server was started with.'),
  origins: z.record(z.string(), z.string()),
  file: z.string().describe('Where what is set here is kept.'),
  schema: settings.describe('JSON Schema of the file.'),
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
  inChat: z.boolean().describe('Whether a conversation may call it; the others are for workflows and scouts.'),
})

export const governance = {
  'GET /api/approvals': {
    scope: 'read',
    summary: 'Questions that wait for a person, the oldest first',
    returns: z.object({ open: z.array(openQuestion) }),
  },
  'POST /api/approvals/:runId': {
    scope: 'approve',
    summary: 'Answer one; the run goes on in the background',
    body: z.strictObject({ callId: z.string(), answer: z.enum(['y', 'n', 'a']) }),
    returns: z.object({ runId: z.string() }),
    status: 202,
  },
  'POST /api/policy/explain': {
    scope: 'read',
    summary: 'What a task is taken for, and what each tool may do in it',
    body: z.strictObject({ task: z.string().trim().min(1) }),
    returns: explanation,
  },
  'GET /api/policy': { scope: 'read', summary: 'The intent guard as it is in force', returns: policyView },
  'GET /api/config': { scope: 'read', summary: 'Every setting, and where it comes from', returns: configView },
  'PUT /api/config': {
    scope: 'admin',
    summary: 'Hold new runs to less than the server was started with; never to more',
    body: agentPart,
    returns: configView,
  },
  'POST /api/config/check': {
    scope: 'read',
    summary: 'Whether PUT would take it',
    body: agentPart,
    returns: z.object({ ok: z.boolean(), problems: z.array(problem) }),
  },
  'GET /api/tools': { scope: 'read', summary: 'The tools', returns: z.object({ tools: z.array(toolView) }) },
} as const satisfies Record<string, Endpoint>

export type OpenQuestion = z.infer<typeof openQuestion>
export type PolicyView = z.infer<typeof policyView>
export type ConfigView = z.infer<typeof configView>
export type ToolView = z.infer<typeof toolView>
