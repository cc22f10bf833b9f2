/** Shapes shared by several endpoints. */
import * as z from 'zod'
import type { StoredEvent } from '../../protocol/event.ts'
import type { Rule } from '../../protocol/rule.ts'
import { STOP_REASONS } from '../../protocol/stop.ts'
import type { Trace, TraceEntry } from '../../protocol/trace.ts'
import { type Question, RULE_SCOPES } from '../../protocol/verdict.ts'
import { shaped, time } from './route.ts'

export const event = shaped<StoredEvent>(
  z
    .looseObject({
      seq: z.int(),
      type: z.string(),
      sessionId: z.string(),
      turnId: z.string(),
      runId: z.string(),
      scoutId: z.string().nullable(),
      timestamp: time,
      mode: z.string(),
      reason: z.string(),
      data: z.looseObject({}),
      hash: z.string(),
    })
    .describe('A stored event of the journal.'),
)

const ruleShape = shaped<Rule>(z.looseObject({ decide: z.string() }))

const review = z.object({
  model: z.string(),
  decision: z.enum(['allow', 'ask']),
  reason: z.string().optional(),
  failed: z.enum(['unreachable', 'unparsable', 'over_budget', 'late']).optional(),
})

export const question = shaped<Question>(
  z.object({
    callId: z.string(),
    tool: z.string(),
    risk: z.string(),
    reasons: z.array(z.string()),
    message: z.string(),
    preview: z.string().describe('Exactly what will run: the command, the diff, the request.'),
    keys: z.array(z.string()).describe('What the answer "a" (always) allows for the rest of the session.'),
    targets: z.array(z.object({ kind: z.string(), value: z.string() })),
    args: z.unknown().optional().describe('The arguments of the call, which "edit" can replace. Secrets are masked.'),
    edited: z.literal(true).optional().describe('A person has changed the call.'),
    review: review.optional().describe('What the reviewer model said first, where one is configured.'),
    offers: z
      .array(z.object({ rules: z.array(ruleShape) }))
      .optional()
      .describe('Rules that "remember" can store, narrowest first.'),
  }),
)

export const rememberedRule = z.object({
  id: z.string(),
  scope: z.enum(RULE_SCOPES),
  text: z.string().describe('What it allows, in words.'),
  rule: ruleShape,
})

export const usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedInputTokens: z.number().optional().describe('Of the input tokens: read from the cache of the provider.'),
  cacheWriteTokens: z.number().optional().describe('Of the input tokens: written to that cache.'),
})

export const traceEntries = shaped<TraceEntry[]>(
  z.array(
    z.object({
      step: z.int(),
      action: z.object({ tool: z.string(), args: z.unknown() }),
      observation: z.string(),
      elapsed_ms: z.number(),
      error: z.string().optional(),
      running: z.literal(true).optional().describe('Still running.'),
      review: review.optional().describe('What the reviewer model said before a person was asked.'),
    }),
  ),
)

export const trace = shaped<Trace>(
  z.object({
    final_answer: z.string(),
    trace: traceEntries,
    used_tools: z.record(z.string(), z.object({ count: z.number(), total_ms: z.number() })),
    finish_reason: z.enum(STOP_REASONS).nullable().describe('Null while the run is in progress or waiting.'),
    context: z
      .array(
        z.object({
          after: z.int().describe('Calls made before.'),
          kind: z.enum(['limited', 'shortened', 'summarised']),
          tokens: z.object({ from: z.number().optional(), to: z.number() }),
          text: z.string().optional().describe('The summary.'),
        }),
      )
      .optional()
      .describe('How the prompt was made to fit the context window.'),
    error: z.string().optional().describe('Why there is no final answer.'),
  }),
)

const cost = z.number().optional().describe('US dollars; absent when the price is unknown.')

export const total = z
  .object({ usage, cost, children: z.number().describe('Number of child runs included.') })
  .describe('Including child runs: scouts, nodes, agents in nodes.')

export const runResult = z.object({
  reply: z.string(),
  stopReason: z.string().describe('A stop reason, or "parked": waiting for the answer to `question`.'),
  notices: z.array(z.string()),
  output: z.unknown().optional().describe('The value of the answer, when an output schema was given.'),
  sessionId: z.string(),
  runId: z.string(),
  question: question.optional(),
  metadata: z.object({
    execution: z.object({
      stopReason: z.string(),
      model: z.string(),
      steps: z.number(),
      toolCalls: z.number(),
      usage,
      total,
      intent: z.string(),
      hits: z.record(z.string(), z.number()),
    }),
  }),
})

export const outsideAgent = z
  .object({ agent: z.string(), id: z.string(), cwd: z.string() })
  .describe('In a guarded session: the outside agent, its own id of the session, and its folder.')

export const runSummary = z.object({
  runId: z.string(),
  sessionId: z.string(),
  parentRunId: z.string().optional(),
  mode: z.string(),
  task: z.string(),
  model: z.string(),
  startedAt: time,
  stoppedAt: time.optional(),
  stopReason: z.string().optional(),
  steps: z.number(),
  toolCalls: z.number(),
  denials: z.number(),
  outside: outsideAgent.optional(),
  node: z.object({ id: z.string(), tool: z.string() }).optional().describe('The workflow node it is an attempt at.'),
  usage,
  cost,
  total: total.extend({ denials: z.number() }),
})

export const scout = z.object({
  scoutId: z.string(),
  runId: z.string(),
  task: z.string(),
  state: z.string(),
  tool: z.string().optional(),
  startedAt: time.optional(),
  elapsedMs: z.number(),
  status: z.string().optional(),
})

export type RememberedRule = z.infer<typeof rememberedRule>
export type RunResultView = z.infer<typeof runResult>
export type RunSummary = z.infer<typeof runSummary>
export type ScoutView = z.infer<typeof scout>
