/**
 * Learns from the journal what followed what: how often a thing was seen in the window after another, and how lately.
 * There are no weights to store; the journal is the model, read again each time.
 */

import type { Clock } from '../../base/clock.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { Store } from '../../journal/store.ts'
import type { Intent, StructuredContext } from '../../protocol/action.ts'
import { categoryOf } from '../context.ts'
import type { Backend } from './backend.ts'

const RUNS_READ = 500
const HALF_LIFE_MS = 7 * 24 * 60 * 60_000
/** Windows further apart than this have nothing to do with each other. */
const NEXT_WITHIN_MS = 30 * 60_000
const MOST = 5

interface Past {
  at: number
  context: StructuredContext
}

export function localEvaluator({ store, clock }: { store: Store; clock: Clock }): Backend {
  return {
    route: 'LocalEvaluator',
    model: 'journal',
    async predict(context, signal) {
      const intents = predictFrom(await readPast(store, signal), context, clock.now())
      if (intents.length === 0) throw new WritError('NO_PREDICTION.journal')
      return { intents, model: 'journal', rationale_tags: ['followed_before'] }
    },
  }
}

async function readPast(store: Store, signal: AbortSignal): Promise<Past[]> {
  const past: Past[] = []
  for (const { runId } of await store.listRuns({ limit: RUNS_READ })) {
    signal.throwIfAborted()
    for (const event of await store.readRun(runId)) {
      const known = event.type === 'batch.received' ? event.data.input : undefined
      if (known !== undefined) past.push({ at: event.timestamp, context: known.context })
    }
  }
  return past.sort((a, b) => a.at - b.at)
}

/** A thing's confidence: of the times its predecessor was seen, the share after which it came, the recent counting more. */
export function predictFrom(past: readonly Past[], context: StructuredContext, now: number): Intent[] {
  const present = thingsOf(context)
  const latest = present.at(-1)
  const before = new Set(present.map(({ name }) => name))
  const seen = new Map<string, number>()
  const followed = new Map<string, number>()
  for (const [i, { at, context: earlier }] of past.entries()) {
    const next = past[i + 1]
    if (next === undefined || next.at - at > NEXT_WITHIN_MS) continue
    const weight = 2 ** (-Math.max(0, now - at) / HALF_LIFE_MS)
    const then = new Set(thingsOf(next.context).map(({ name }) => name))
    for (const { name } of thingsOf(earlier)) {
      if (!before.has(name)) continue
      seen.set(name, (seen.get(name) ?? 0) + weight)
      for (const other of then) if (other !== name) add(followed, `${name}\n${other}`, weight)
    }
  }
  return present
    .filter(({ name }) => name !== latest?.name)
    .map((thing) => ({ thing, confidence: best(thing.name, { before, seen, followed }) }))
    .filter(({ confidence }) => confidence > 0)
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, MOST)
    .map(({ thing, confidence }, i) => intentFor(thing, confidence, i))
}

interface Learned {
  before: ReadonlySet<string>
  seen: ReadonlyMap<string, number>
  followed: ReadonlyMap<string, number>
}

/** One unseen case is added to what was counted, so that a single coincidence is not a certainty. */
function best(name: string, { before, seen, followed }: Learned): number {
  const shares = [...before].map((first) => (followed.get(`${first}\n${name}`) ?? 0) / ((seen.get(first) ?? 0) + 1))
  return Math.max(0, ...shares)
}

interface Thing {
  kind: 'package' | 'path'
  name: string
}

function thingsOf({ paths, packages }: StructuredContext): Thing[] {
  return [
    ...paths.map((name) => ({ kind: 'path' as const, name })),
    ...packages.map((name) => ({ kind: 'package' as const, name })),
  ]
}

function add(counts: Map<string, number>, key: string, weight: number): void {
  counts.set(key, (counts.get(key) ?? 0) + weight)
}

function intentFor({ kind, name }: Thing, confidence: number, i: number): Intent {
  return {
    intent_id: `followed_${i + 1}`,
    intent_type: kind === 'package' ? { SwitchToApp: name } : { HandleFile: categoryOf(name) },
    confidence,
    risk_level: 'Low',
    suggested_actions: [
      { action_type: kind === 'package' ? 'PreWarmProcess' : 'PrefetchFile', target: name, urgency: 'IdleTime' },
    ],
    rationale_tags: ['followed_before'],
  }
}
