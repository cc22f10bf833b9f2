/** A run inside another: a scout, or the agent in a workflow node. It can use only what its parent gives it. */
import { begin, fold } from '../journal/fold.ts'
import type { RunLog } from '../journal/journal.ts'
import { beginRun } from '../journal/run-lifecycle.ts'
import type { Event, GivenContext, StoredEvent } from '../protocol/event.ts'
import type { ModelPurpose } from '../protocol/message.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Profile } from '../protocol/profile.ts'
import type { RunState } from '../protocol/state.ts'
import type { Stop } from '../protocol/stop.ts'
import { joinedPrompt, note, timeLimited } from './context.ts'
import { narrowingOf } from './narrowing.ts'
import { run } from './run.ts'
import type { Engine } from './turn.ts'

export interface ChildRun {
  /** Its journal; events noted before the run began stay in front of it. */
  log: RunLog
  parentRunId: string
  /** The parent's owner. */
  owner: Principal
  task: string
  profile: Profile
  /** The whole system prompt: a child sees nothing of its parent's. */
  system: string
  purpose: ModelPurpose
  signal: AbortSignal
  given?: GivenContext | undefined
  temperature?: number | undefined
  /** Replaces the built-in examples of the JSON dialect. */
  examples?: string | undefined
}

export interface ChildEnd {
  stop: Stop
  state: RunState
}

/** The caller flushes the log, after its own events about the end. To narrow a child, pass a narrowed engine. */
export async function* runChild(engine: Engine, child: ChildRun): AsyncGenerator<Event, ChildEnd> {
  const { log, profile, task, parentRunId, given, owner } = child
  const { model, registry, lang } = engine
  const started = beginRun(log, {
    task,
    profile,
    model: model.id,
    lang,
    route: model.route,
    tools: registry.exposedTo(profile).map((tool) => tool.name),
    history: given?.history?.length ?? 0,
    parentRunId,
    policy: narrowingOf(engine.policy),
    given,
    owner,
  })
  yield started
  return yield* drive(engine, child, begin(started, { history: [], origins: [] }))
}

/** Resumes a child whose process died: `earlier` is its whole journal, and its log continues it. */
export async function* resumeChild(
  engine: Engine,
  child: ChildRun,
  earlier: readonly StoredEvent[],
): AsyncGenerator<Event, ChildEnd> {
  const state = fold(earlier, { history: [], origins: [] })
  const awayMs = Math.max(0, engine.clock.now() - (earlier.at(-1)?.timestamp ?? 0))
  yield note({ log: child.log, state }, 'run.resumed', { steps: state.steps, awayMs })
  return yield* drive(engine, child, state)
}

async function* drive(engine: Engine, child: ChildRun, state: RunState): AsyncGenerator<Event, ChildEnd> {
  const { log, owner } = child
  const end = yield* run({
    ...engine,
    log,
    state,
    owner,
    purpose: child.purpose,
    temperature: child.temperature ?? engine.temperature,
    signal: timeLimited(child.signal, { state, clock: engine.clock }),
    system: async () => joinedPrompt(child.system),
    examples: child.examples,
    stream: false,
    waitsForRate: true,
    confirm: undefined,
    liveArgs: new Map(),
  })
  // A child has no `confirm`, so it cannot wait for an approval.
  if (end === 'parked') throw new Error('a child run cannot park')
  return { stop: end, state }
}
