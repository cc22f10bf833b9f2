import * as z from 'zod'
import { DENIAL_REASONS } from '../../protocol/verdict.ts'
import { type Endpoint, limitOf, time, timeGiven } from './route.ts'
import { event, question, runResult, runSummary, scout, trace, traceEntries } from './shapes.ts'
import { workflowResult } from './work.ts'

const results = z
  .array(z.int())
  .describe('The number of the event with the result of each call; running calls come last and have none.')
const earlier = z.string().optional().describe('To read the calls before these. Absent when there are none.')

const runView = z.object({
  run: runSummary,
  trace: trace.describe('At least the 200 newest calls.'),
  results,
  before: earlier,
  intent: z.object({ label: z.string(), confidence: z.number(), source: z.string(), reason: z.string() }).optional(),
  approvals: z
    .array(
      z.object({
        callId: z.string(),
        answer: z.string(),
        by: z.string(),
        at: time,
        keys: z.array(z.string()),
        reason: z.string().optional(),
        remembered: z.string().optional().describe('The rule that was remembered, in words.'),
      }),
    )
    .describe('Answers to approvals during the run.'),
  question: question.optional(),
  scouts: z.array(scout),
  children: z.array(z.string()),
  undoable: z.boolean().describe('It has recorded file changes.'),
  undone: z.array(z.object({ by: z.string(), at: time, files: z.int() })).describe('Undos of its file changes.'),
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
  args: z.string().describe('Shortened.'),
  was: ruling,
  now: ruling,
})

export const whatIf = z.object({
  runs: z.int(),
  decisions: z.int(),
  changed: z.array(changedDecision),
  more: z.int().describe('Number of changed decisions that are not listed.'),
})

const undoPreview = z.object({
  runId: z.string(),
  sessionId: z.string(),
  task: z.string(),
  killed: z
    .literal(true)
    .optional()
    .describe('The run was killed: what others changed until it was certainly dead counts as its own.'),
  files: z
    .array(
      z.object({
        path: z.string(),
        change: z.enum(['modified', 'deleted', 'created']),
        late: z.literal(true).optional().describe('Changed after the last event of the killed run.'),
      }),
    )
    .describe('What the run did to the files that are restored.'),
  conflicts: z
    .array(z.object({ path: z.string(), why: z.enum(['changed', 'shared']) }))
    .describe('Left as they are: changed after the run, or by another run at the same time.'),
  unrestored: z
    .array(
      z.object({
        path: z.string(),
        why: z.enum(['ignored', 'large', 'nested', 'closed', 'special']),
        unsure: z.literal(true).optional(),
      }),
    )
    .describe('Changed since, but not recorded.'),
  outside: z.array(z.string()).describe('Paths outside the workspace that the run wrote.'),
  remote: z.array(z.string()).describe('Calls with effects elsewhere.'),
  git: z.array(z.string()).describe('Git commands that changed the repository, which is never touched.'),
})

const undoResult = undoPreview.extend({
  tree: z.string().describe('The workspace before the undo, a tree in the shadow repository.'),
  restored: z.array(z.string()),
  failed: z.array(z.object({ path: z.string(), why: z.string() })),
})

export const runs = {
  'GET /api/runs': {
    scope: 'read',
    summary: 'Runs, latest first',
    query: z.object({
      session: z.string().optional(),
      parent: z.string().optional().describe('Child runs of this run; "none": only runs without a parent.'),
      mode: z.string().optional(),
      stop: z.string().optional().describe('A stop reason, or "open".'),
      q: z.string().optional().describe('Words of the task.'),
      agent: z.string().optional().describe('Only runs of this outside agent.'),
      since: timeGiven,
      until: timeGiven,
      limit: limitOf(200, 50),
      before: z.string().optional().describe('`next` of the previous page.'),
    }),
    returns: z.object({ runs: z.array(runSummary), next: z.string().optional() }),
  },
  'GET /api/runs/:id': { scope: 'read', summary: 'One run with its trace, approvals and scouts', returns: runView },
  'GET /api/runs/:id/events': {
    scope: 'read',
    summary: 'The journal of a run; as a stream, until the run ends',
    query: z.object({
      after: z.coerce.number().int().min(0).default(0),
      before: z.coerce.number().int().min(1).optional().describe('The newest events before this one, instead.'),
      limit: limitOf(5000, 1000),
    }),
    returns: z.object({ events: z.array(event), next: z.int().optional(), previous: z.int().optional() }),
    streams: true,
  },
  'GET /api/runs/:id/trace': {
    scope: 'read',
    summary: 'The trace of a run: steps, observations, final answer',
    returns: trace,
  },
  'GET /api/runs/:id/calls': {
    scope: 'read',
    summary: 'Earlier calls of a run',
    query: z.object({
      before: z.string().describe('`before` of the run, or of the previous page.'),
      limit: limitOf(1000, 200),
    }),
    returns: z.object({ entries: traceEntries, results, before: earlier }),
  },
  'GET /api/runs/:id/files/:sha256': {
    scope: 'read',
    summary: 'A picture or PDF of a run, as it was read or attached',
    returns: z.string(),
    type: 'application/octet-stream',
  },
  'GET /api/runs/:id/export': {
    scope: 'read',
    summary: 'The journal of a run, one event per line, for `writ replay`',
    returns: z.string(),
    type: 'application/x-ndjson',
  },
  'POST /api/runs/:id/abort': {
    scope: 'run',
    summary: 'Stop a run',
    returns: z.object({ aborted: z.array(z.string()) }),
  },
  'POST /api/runs/:id/resume': {
    scope: 'run',
    summary: 'Resume an interrupted run',
    returns: z.union([runResult, workflowResult]),
    streams: true,
  },
  'GET /api/runs/:id/undo': {
    scope: 'run',
    summary: 'What an undo of the run would restore, and what it would not',
    returns: undoPreview,
  },
  'POST /api/runs/:id/undo': {
    scope: 'run',
    summary: 'Restore the files as they were before the run',
    returns: undoResult,
  },
  'POST /api/what-if': {
    scope: 'read',
    summary: 'Judge recorded runs under another policy',
    body: z.strictObject({
      config: z.looseObject({}).describe('The settings of `agent` that differ.'),
      runId: z.string().optional(),
      since: z
        .number()
        .optional()
        .describe('Runs started at or after this time. Default without `runId`: the last week.'),
    }),
    returns: whatIf,
  },
} as const satisfies Record<string, Endpoint>

export type RunView = z.infer<typeof runView>
export type UndoView = z.infer<typeof undoPreview>
export type WhatIf = z.infer<typeof whatIf>
export type ChangedDecision = z.infer<typeof changedDecision>
