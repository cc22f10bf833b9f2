/** Batches, contexts and an engine for decision tests; a test states only what it is about. */

import type { ModelJournal } from '../../src/decision/backends/backend.ts'
import { type DecisionEngine, type DecisionInput, type DecisionRun, openDecision } from '../../src/decision/engine.ts'
import { thisMachine } from '../../src/decision/machine.ts'
import { makeRedactor } from '../../src/journal/redact.ts'
import { UNMETERED } from '../../src/model/meter.ts'
import type { Intent, IntentBatch, StructuredContext, SuggestedAction } from '../../src/protocol/action.ts'
import type { DecisionRoute } from '../../src/protocol/risk.ts'
import { openStore } from '../../src/storage/open.ts'
import type { World } from '../../src/tool/tool.ts'
import { policyWith } from './gate-input.ts'

export function action(change: Partial<SuggestedAction> = {}): SuggestedAction {
  return { action_type: 'KeepAlive', target: 'com.x', urgency: 'Immediate', ...change }
}

export function intent(intent_id: string, change: Partial<Intent> = {}): Intent {
  return {
    intent_id,
    intent_type: { OpenApp: 'com.x' },
    confidence: 0.9,
    risk_level: 'Low',
    suggested_actions: [action()],
    rationale_tags: [],
    ...change,
  }
}

export function batch(intents: Intent[]): IntentBatch {
  return { window_id: 'w1', intents, generated_at_ms: 1_700_000_000_000, model: 'test' }
}

export function context(change: Partial<StructuredContext> = {}): StructuredContext {
  return {
    window_id: 'w1',
    packages: ['com.x'],
    paths: ['/a'],
    notifications: [],
    extension_categories: [],
    scenes: [],
    ...change,
  }
}

/** Nothing is blocked there but what a test says. */
export function worldAt(workspace: string, change: Partial<World> = {}): World {
  return {
    workspace,
    protectedPaths: [],
    blockedPaths: [],
    allowedHosts: [],
    env: {},
    sandbox: 'auto',
    readablePaths: [],
    ...change,
  }
}

export const unjournaled: ModelJournal = { note() {}, async flush() {}, meter: () => UNMETERED }

export async function decisionEngine(change: Partial<DecisionEngine> = {}): Promise<DecisionEngine> {
  let ids = 0
  return {
    store: await openStore({ kind: 'memory' }),
    redact: makeRedactor([]),
    clock: { now: () => 1_700_000_000_000 },
    newId: (prefix) => `${prefix}_${++ids}`,
    policy: policyWith(),
    lang: 'en',
    machine: thisMachine({}, '/'),
    world: worldAt('/'),
    ...change,
  }
}

export async function decided(
  engine: DecisionEngine,
  intents: Intent[],
  own: { route?: DecisionRoute; context?: StructuredContext } & Pick<Partial<DecisionInput>, 'windowMs'> = {},
): Promise<DecisionRun> {
  const { route = 'CloudLlm', context: seen = context(), ...rest } = own
  const result = { route, intent_batch: batch(intents), rationale_tags: [], latency_us: 0, error: null }
  return openDecision(engine, { result, context: seen, signal: new AbortController().signal, ...rest })
}
