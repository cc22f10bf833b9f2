/** Workflows, routines, scouts and decisions: the other ways to have something done. */
import * as z from 'zod'
import type { DecisionReport, RouteCapability } from '../../assembly/decision-desk.ts'
import { DECISION_ROUTES } from '../../protocol/risk.ts'
import { done, type Endpoint, limitOf, shaped, time } from './route.ts'
import { scout, total } from './shapes.ts'

const document = z.looseObject({}).describe('A workflow, as `writ workflow run` reads it.')

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
  output: z.unknown().optional().describe('What it comes to, where it is ok.'),
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
  approvals: z.array(z.string()).optional().describe('What a person allowed it beforehand.'),
  paused: z.boolean(),
  createdAt: time,
  createdBy: z.string(),
  owner: z.string().describe('The principal its runs work for.'),
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
    error: z.string().nullable().describe('Why no predictor could answer.'),
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
  'GET /api/workflows/:name': { scope: 'read', summary: 'One of them', returns: z.object({ document }) },
  'PUT /api/workflows/:name': {
    scope: 'admin',
    summary: 'Store one, after it was checked',
    body: z.strictObject({ document }),
    returns: workflowRow,
  },
  'DELETE /api/workflows/:name': { scope: 'admin', summary: 'Forget one', returns: done },
  'POST /api/workflows/check': {
    scope: 'read',
    summary: 'What is wrong with a workflow',
    body: z.strictObject({ document }),
    returns: z.object({ ok: z.boolean(), problems: z.array(placed) }),
  },
  'POST /api/workflows/:name/run': {
    scope: 'run',
    summary: 'Run one and wait for its outputs',
    body: z.strictObject({ input: z.looseObject({}).default({}) }),
    returns: workflowResult,
    streams: true,
  },
  'GET /api/routines': {
    scope: 'read',
    summary: 'Tasks done by the clock',
    returns: z.object({ routines: z.array(routine) }),
  },
  'POST /api/routines': {
    scope: 'admin',
    summary: 'Add one',
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
  'DELETE /api/routines/:name': { scope: 'admin', summary: 'Forget one', returns: done },
  'POST /api/routines/:name/pause': { scope: 'admin', summary: 'Leave one out', returns: routine },
  'POST /api/routines/:name/resume': { scope: 'admin', summary: 'Go on with one', returns: routine },
  'POST /api/routines/:name/run': {
    scope: 'admin',
    summary: 'Run one now, with the authority it has when nobody is there',
    returns: z.object({ name: z.string() }),
    status: 202,
  },
  'GET /api/scouts': {
    scope: 'read',
    summary: 'Scouts of a session or run; without either, those at work now',
    query: z.object({ session: z.string().optional(), run: z.string().optional() }),
    returns: z.object({ scouts: z.array(scout) }),
  },
  'POST /api/scouts/:id/cancel': {
    scope: 'run',
    summary: 'Stop one scout, wherever it runs: within 3 s',
    returns: done,
  },
  'POST /api/decisions': {
    scope: 'run',
    summary: 'Judge a batch of predicted intents, or what the predictors make of a window',
    body: z.strictObject({
      batch: z.looseObject({}).optional().describe('Absent: the predictors are asked.'),
      context: z.looseObject({}),
      route: z.enum(DECISION_ROUTES).optional().describe('Of a batch: who made it. Else: the only predictor to ask.'),
      execute: z.boolean().default(false).describe('Carry out what is authorised; answers when the window ends.'),
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
    summary: 'Batches judged so far, the latest first',
    query: z.object({ limit: limitOf(200, 50) }),
    returns: z.object({ decisions: z.array(pastDecision) }),
  },
} as const satisfies Record<string, Endpoint>

export type DecisionView = DecisionReport
export type WorkflowRow = z.infer<typeof workflowRow>
export type WorkflowResult = z.infer<typeof workflowResult>
export type RoutineView = z.infer<typeof routine>
export type PastDecision = z.infer<typeof pastDecision>
