/** A run inside another: a scout, or the agent in a workflow node. Its parent gave it everything it may use. */
import { begin, fold } from '../journal/fold.ts'
import type { RunLog } from '../journal/journal.ts'
import type { Event, EventOf, GivenContext, StoredEvent } from '../protocol/event.ts'
import type { ModelPurpose } from '../protocol/message.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import type { Profile } from '../protocol/profile.ts'
import type { RunState } from '../protocol/state.ts'
import type { Stop } from '../protocol/stop.ts'
import { note, timeLimited } from './context.ts'
import { narrowingOf } from './narrowing.ts'
import { run } from './run.ts'
import type { Engine } from './turn.ts'

export interface ChildRun {
  /** The chain it is written to; what was noted there before the run began stays in front of it. */
  log: RunLog
  parentRunId: string
  /** Its parent's. */
  owner: Principal
  task: string
  profile: Profile
  /** Its whole system prompt: a child sees nothing of its parent's. */
  system: string
  purpose: ModelPurpose
  signal: AbortSignal
  given?: GivenContext
  temperature?: number
  /** In the JSON dialect, in place of the built-in examples. */
  examples?: string
}

export interface ChildEnd {
  stop: Stop
  state: RunState
}

/** The caller flushes the log after whatever it adds about the end. Narrow a child by narrowing the engine. */
export async function* runChild(engine: Engine, child: ChildRun): AsyncGenerator<Event, ChildEnd> {
  const { log, profile, task, parentRunId, given, owner } = child
  const { model, registry, lang } = engine
  const narrowing = narrowingOf(engine.policy)
  const started = log.note('run.started', {
    task,
    profile,
    model: model.id,
    lang,
    route: model.route,
    tools: registry.exposedTo(profile).map((tool) => tool.name),
    history: given?.history?.length ?? 0,
    approvals: [],
    parentRunId,
    ...(narrowing === undefined ? {} : { policy: narrowing }),
    ...(given === undefined ? {} : { given }),
    ...(owner === LOCAL ? {} : { owner }),
  })
  yield started
  const state = begin(started as unknown as EventOf<'run.started'>, { history: [], origins: [] })
  return yield* goOn(engine, child, state)
}

/** Takes a child up whose process died: `earlier` is its whole journal, and its log continues it. */
export async function* resumeChild(
  engine: Engine,
  child: ChildRun,
  earlier: readonly StoredEvent[],
): AsyncGenerator<Event, ChildEnd> {
  const state = fold(earlier, { history: [], origins: [] })
  const awayMs = Math.max(0, engine.clock.now() - (earlier.at(-1)?.timestamp ?? 0))
  yield note({ log: child.log, state }, 'run.resumed', { steps: state.steps, awayMs })
  return yield* goOn(engine, child, state)
}

async function* goOn(engine: Engine, child: ChildRun, state: RunState): AsyncGenerator<Event, ChildEnd> {
  const { log, owner } = child
  const end = yield* run({
    ...engine,
    log,
    state,
    owner,
    purpose: child.purpose,
    temperature: child.temperature ?? engine.temperature,
    signal: timeLimited(child.signal, { state, clock: engine.clock }),
    system: async () => child.system,
    ...(child.examples === undefined ? {} : { examples: child.examples }),
    stream: false,
    waitsForRate: true,
    confirm: undefined,
    liveArgs: new Map(),
  })
  // Nobody can be asked, so nothing can wait for an answer.
  if (end === 'parked') throw new Error('a child run cannot park')
  return { stop: end, state }
}
