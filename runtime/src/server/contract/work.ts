/** Workflows, routines, scouts and decisions. */
import * as z from 'zod'
import type { DecisionReport, RouteCapability } from '../../assembly/decisions.ts'
import { DECISION_ROUTES } from '../../protocol/risk.ts'
import { done, type Endpoint, limitOf, shaped, time } from './route.ts'
import { scout, total } from './shapes.ts'

const document = z.looseObject({}).describe('A workflow document, as for `writ workflow run`.')

const workflowRow = z.object({
  name: z.string(),
  description: z.string().optional(),
  nodes: z.int(),
  updatedAt: time,
})

export const workflowResult = z.object({
  runId: z.string(),
  ok: z.boolean(),
  stopReason: z.string(),
  output: z.unknown().optional().describe('The main output, if ok.'),
  outputs: z.record(z.string(), z.record(z.string(), z.unknown())).describe('By node.'),
  nodes: z.record(z.string(), z.object({ state: z.string(), elapsedMs: z.number(), error: z.string().optional() })),
  total,
})

const placed = z.object({ place: z.string(), message: z.string() })

const routine = z.object({
  name: z.string(),
  schedule: z.string(),
  timeZone: z.string(),
  task: z.string(),
  autonomy: z.string().optional(),
  approvals: z.array(z.string()).optional().describe('What it may do without asking.'),
  paused: z.boolean(),
  createdAt: time,
  createdBy: z.string(),
  owner: z.string().describe('The principal of its runs.'),
  lastRunAt: time.optional(),
  lastRunId: z.string().optional(),
  lastStop: z.string().optional(),
  nextDueAt: time,
})

const decision = shaped<DecisionReport>(
  z.object({
    run_id: z.string(),
    window_id: z.string(),
    route: z.string(),
    model: z.string(),
    generated_at_ms: z.number(),
    rationale_tags: z.array(z.string()),
    latency_us: z.int(),
    authorized: z.array(z.looseObject({ intent_id: z.string() })),
    denied: z.array(z.looseObject({ intent_id: z.string(), reason: z.string() })),
    suggestions: z.array(z.looseObject({ intent_id: z.string() })),
    denial_counts: z.record(z.string(), z.number()),
    error: z.string().nullable().describe('Why no predictor answered.'),
    executed: z.array(z.looseObject({ intent_id: z.string(), ok: z.boolean() })).optional(),
  }),
)

const routes = shaped<{ routes: RouteCapability[] }>(
  z.object({
    routes: z.array(z.object({ route: z.string(), max_risk: z.string(), allowed_actions: z.array(z.string()) })),
  }),
)

const pastDecision = z.object({
  runId: z.string(),
  windowId: z.string(),
  route: z.string(),
  decidedAt: time,
  intents: z.int(),
  authorized: z.int(),
  denied: z.int(),
  denialCounts: z.record(z.string(), z.number()),
})

export const work = {
  'GET /api/workflows': {
    scope: 'read',
    summary: 'Stored workflows',
    returns: z.object({ workflows: z.array(workflowRow) }),
  },
  'GET /api/workflows/:name': { scope: 'read', summary: 'One stored workflow', returns: z.object({ document }) },
  'PUT /api/workflows/:name': {
    scope: 'admin',
    summary: 'Validate and store a workflow',
    body: z.strictObject({ document }),
    returns: workflowRow,
  },
  'DELETE /api/workflows/:name': { scope: 'admin', summary: 'Delete a workflow', returns: done },
  'POST /api/workflows/check': {
    scope: 'read',
    summary: 'Validate a workflow',
    body: z.strictObject({ document }),
    returns: z.object({ ok: z.boolean(), problems: z.array(placed) }),
  },
  'POST /api/workflows/:name/run': {
    scope: 'run',
    summary: 'Run a workflow and wait for its outputs',
    body: z.strictObject({ input: z.looseObject({}).default({}) }),
    returns: workflowResult,
    streams: true,
  },
  'GET /api/routines': {
    scope: 'read',
    summary: 'Scheduled tasks',
    returns: z.object({ routines: z.array(routine) }),
  },
  'POST /api/routines': {
    scope: 'admin',
    summary: 'Create a routine',
    body: z.strictObject({
      name: z.string(),
      schedule: z.string(),
      task: z.string(),
      timeZone: z.string().optional(),
      autonomy: z.enum(['ReadOnly', 'Supervised', 'Full']).optional(),
    }),
    returns: routine,
    status: 201,
  },
  'DELETE /api/routines/:name': { scope: 'admin', summary: 'Delete a routine', returns: done },
  'POST /api/routines/:name/pause': { scope: 'admin', summary: 'Pause a routine', returns: routine },
  'POST /api/routines/:name/resume': { scope: 'admin', summary: 'Resume a routine', returns: routine },
  'POST /api/routines/:name/run': {
    scope: 'admin',
    summary: 'Run a routine now, unattended',
    returns: z.object({ name: z.string() }),
    status: 202,
  },
  'GET /api/scouts': {
    scope: 'read',
    summary: 'Scouts of a session or run; without either, all running scouts',
    query: z.object({ session: z.string().optional(), run: z.string().optional() }),
    returns: z.object({ scouts: z.array(scout) }),
  },
  'POST /api/scouts/:id/cancel': {
    scope: 'run',
    summary: 'Stop a scout in any process, within 3 s',
    returns: done,
  },
  'POST /api/decisions': {
    scope: 'run',
    summary: 'Judge a batch of predicted intents, or let the predictors create one for a window',
    body: z.strictObject({
      batch: z.looseObject({}).optional().describe('Absent: the predictors create it.'),
      context: z.looseObject({}),
      route: z
        .enum(DECISION_ROUTES)
        .optional()
        .describe('With a batch: its source. Without: the only predictor to use.'),
      execute: z.boolean().default(false).describe('Execute what is authorised; responds when the window ends.'),
    }),
    returns: decision,
  },
  'GET /api/decisions/routes': {
    scope: 'read',
    summary: 'What each decision route may propose',
    returns: routes,
  },
  'GET /api/decisions': {
    scope: 'read',
    summary: 'Judged batches, latest first',
    query: z.object({ limit: limitOf(200, 50) }),
    returns: z.object({ decisions: z.array(pastDecision) }),
  },
} as const satisfies Record<string, Endpoint>

export type DecisionView = DecisionReport
export type WorkflowRow = z.infer<typeof workflowRow>
export type WorkflowResult = z.infer<typeof workflowResult>
export type RoutineView = z.infer<typeof routine>
export type PastDecision = z.infer<typeof pastDecision>
