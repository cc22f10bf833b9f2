import * as z from 'zod'
import { DENIAL_REASONS } from '../../protocol/verdict.ts'
import { type Endpoint, limitOf, time, timeGiven } from './route.ts'
import { event, question, runResult, runSummary, scout, trace } from './shapes.ts'
import { workflowResult } from './work.ts'

const runView = z.object({
  run: runSummary,
  trace,
  intent: z.object({ label: z.string(), confidence: z.number(), source: z.string(), reason: z.string() }).optional(),
  approvals: z
    .array(z.object({ callId: z.string(), answer: z.string(), by: z.string(), at: time, keys: z.array(z.string()) }))
    .describe('What people answered during the run.'),
  question: question.optional(),
  scouts: z.array(scout),
  children: z.array(z.string()),
})

const ruling = z.object({
  decision: z.enum(['allow', 'ask', 'deny']),
  reason: z.enum(DENIAL_REASONS).optional(),
  code: z.string().optional(),
  message: z.string().optional(),
})

const changedDecision = z.object({
  runId: z.string(),
  seq: z.int(),
  callId: z.string(),
  tool: z.string(),
  args: z.string().describe('In short.'),
  was: ruling,
  now: ruling,
})

const whatIf = z.object({
  runs: z.int(),
  decisions: z.int(),
  changed: z.array(changedDecision),
  more: z.int().describe('Changed decisions that are not listed.'),
})

export const runs = {
  'GET /api/runs': {
    scope: 'read',
    summary: 'Runs, the latest first',
    query: z.object({
      session: z.string().optional(),
      mode: z.string().optional(),
      stop: z.string().optional().describe('A stop reason, or "open".'),
      q: z.string().optional().describe('Words of the task.'),
      since: timeGiven,
      until: timeGiven,
      limit: limitOf(200, 50),
      before: z.string().optional().describe('`next` of the page before.'),
    }),
    returns: z.object({ runs: z.array(runSummary), next: z.string().optional() }),
  },
  'GET /api/runs/:id': { scope: 'read', summary: 'One run, whole', returns: runView },
  'GET /api/runs/:id/events': {
    scope: 'read',
    summary: "A run's journal; as a stream it goes on until the run ends",
    query: z.object({ after: z.coerce.number().int().min(0).default(0), limit: limitOf(5000, 1000) }),
    returns: z.object({ events: z.array(event), next: z.int().optional() }),
    streams: true,
  },
  'GET /api/runs/:id/trace': { scope: 'read', summary: 'What it did, in the S3 shape', returns: trace },
  'GET /api/runs/:id/export': {
    scope: 'read',
    summary: 'Its journal, one event per line; `writ replay` reads it',
    returns: z.string(),
    type: 'application/x-ndjson',
  },
  'POST /api/runs/:id/abort': {
    scope: 'run',
    summary: 'Stop it',
    returns: z.object({ aborted: z.array(z.string()) }),
  },
  'POST /api/runs/:id/resume': {
    scope: 'run',
    summary: 'Take up a run that was cut off',
    returns: z.union([runResult, workflowResult]),
    streams: true,
  },
  'POST /api/what-if': {
    scope: 'read',
    summary: 'What another policy would have decided about recorded runs',
    body: z.strictObject({
      config: z.looseObject({}).describe('The part of `agent` that differs.'),
      runId: z.string().optional(),
      since: z.number().optional().describe('Runs begun since then. Without it and `runId`: the last week.'),
    }),
    returns: whatIf,
  },
} as const satisfies Record<string, Endpoint>

export type RunView = z.infer<typeof runView>
export type WhatIf = z.infer<typeof whatIf>
export type ChangedDecision = z.infer<typeof changedDecision>
