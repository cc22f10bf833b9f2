/**
 * Runs a workflow: every node that is due at once, beside each other, each through the gate. The workflow's own
 * journal says what began and how it ended, before anything follows from it; what a node does stands in its own.
 */
import { PROFILES } from '../agent/profile.ts'
import type { Engine } from '../agent/turn.ts'
import { fingerprint } from '../base/hash.ts'
import type { JsonObject } from '../base/json.ts'
import { RunLog } from '../journal/journal.ts'
import { beginRun } from '../journal/run-lifecycle.ts'
import type { Event } from '../protocol/event.ts'
import type { CheckDeps } from './check.ts'
import { demandRunnable } from './examine.ts'
import type { WorkflowGrants, WorkflowResult } from './run.ts'
import { runNodes } from './scheduler.ts'

export interface WorkflowInput extends WorkflowGrants {
  /** A workflow, or the value of one that has not been looked at yet. */
  document: unknown
  input?: JsonObject
  sessionId?: string
  /** Chosen in advance by a caller that must find the run again. */
  runId?: string
  signal?: AbortSignal
}

/** Refuses, before anything runs, a document that cannot run here. */
export async function* runWorkflow(engine: Engine, given: WorkflowInput): AsyncGenerator<Event, WorkflowResult> {
  const { lang, clock, newId, store } = engine
  const { input = {}, signal = new AbortController().signal } = given
  const workflow = demandRunnable(given.document, checkDepsOf(engine, given, input), 'workflow')
  const sessionId = given.sessionId ?? newId('ses')
  const owner = await engine.ownerOf(sessionId)
  const known = given.sessionId !== undefined && (await store.listRuns({ sessionId, limit: 1 })).length > 0
  const place = {
    sessionId,
    turnId: newId('turn'),
    runId: given.runId ?? newId('run'),
    scoutId: null,
    mode: 'workflow',
  } as const
  const log = new RunLog(engine, place)
  if (!known) yield log.note('session.opened', { locale: lang })
  yield beginRun(log, {
    task: workflow.name,
    profile: { ...PROFILES.workflow, limits: { maxSteps: 0 } },
    model: 'workflow',
    lang,
    route: 'RuleBased',
    overrides: engine.overrides,
    owner,
  })
  yield log.note('workflow.started', {
    workflow: workflow.name,
    nodes: workflow.nodes.length,
    document: workflow,
    input,
    fingerprint: fingerprint({ workflow, input }),
  })
  const begun = { engine, owner, workflow, input, grants: given, log, startedAt: clock.now() }
  return yield* runNodes({ ...begun, ended: new Map(), cutOff: new Map() }, signal)
}

export function checkDepsOf(engine: Engine, grants: WorkflowGrants, input: JsonObject | undefined): CheckDeps {
  const { registry, world, policy } = engine
  const { disabledTools, envNames } = grants
  const innerTools = ['report_findings', policy.scout.dispatchToolName]
  return { registry, disabledTools, innerTools, envNames, env: world.env, input }
}
