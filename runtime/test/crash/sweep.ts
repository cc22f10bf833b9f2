/** Kills, freezes or cuts off a run's worker at a given journal position; gives the expected and the actual outcome. */

import { setTimeout as delay } from 'node:timers/promises'
import { audit } from '../../src/journal/verify.ts'
import type { StoredEvent } from '../../src/protocol/event.ts'
import { LOCAL } from '../../src/protocol/principal.ts'
import type { Ended } from '../support/cli.ts'
import { until } from '../support/until.ts'
import type { Caught, Hold } from './hold.ts'
import { type Effects, REPLY, type Stage } from './stage.ts'

/**
 * `before`: the append is lost with its worker. `after`: it is stored, but the worker dies before it knows.
 * `late`: it is stored only when the next worker is waiting for it.
 */
export type Moment = 'before' | 'after' | 'late'

export interface Position {
  /** The last event of the append. */
  seq: number
  moment: Moment
}

/** The outcome of a run, without what may vary by timing. */
export interface Fate extends Effects {
  reply: unknown
  /** Steps reported to the model as interrupted with an unknown result. */
  unknown: number[]
  /** Steps that were repeated although they must not be. */
  repeated: number[]
  /** Memories stored for the turn. */
  memories: number
  breaches: unknown[]
}

export interface Recovery {
  fate: Fate
  /** Time until another worker wrote its first event (undefined if none had to), and until the reply. */
  takenUpMs: number | undefined
  repliedMs: number
}

/** An undisturbed run: the last event of each append, and all events. */
export interface Rehearsal {
  ends: number[]
  events: StoredEvent[]
}

export async function rehearse({ stage, hold }: Theatre): Promise<Rehearsal> {
  const runId = 'run-rehearsed'
  await stage.dispatcher.submit(stage.jobFor(runId))
  await until(() => isCommitted(stage, runId))
  return { ends: await hold.endsOf(runId), events: await stage.store.readRun(runId) }
}

export interface Theatre {
  stage: Stage
  hold: Hold
}

/** Every append, with every way to die at it. */
export function positionsOf({ ends }: Rehearsal): Position[] {
  return ends.flatMap((seq) => (['before', 'after', 'late'] as const).map((moment) => ({ seq, moment })))
}

/** The append with the n-th event of a type, counted from 1. */
export function appendOf({ ends, events }: Rehearsal, type: StoredEvent['type'], n = 1): number {
  const seq = events.filter((event) => event.type === type)[n - 1]?.seq
  const end = seq === undefined ? undefined : ends.find((each) => each >= seq)
  if (end === undefined) throw new Error(`the run has no ${n} events ${type}`)
  return end
}

const SHOWS: Record<number, { in: 'posts' | 'lines'; as: string }> = {
  1: { in: 'posts', as: 'first' },
  2: { in: 'lines', as: 'one' },
  4: { in: 'posts', as: 'second' },
  5: { in: 'lines', as: 'two' },
}

/** The outcome that the journal guarantees for a crash there. */
export function promised({ ends, events }: Rehearsal, { seq, moment }: Position): Fate {
  const start = ends[ends.indexOf(seq) - 1] ?? 0
  const stored = moment === 'before' ? start : seq
  const fate: Fate = {
    posts: ['first', 'second'],
    lines: ['one', 'two'],
    file: 'written once or twice',
    reply: REPLY,
    unknown: [],
    repeated: [],
    memories: 1,
    breaches: [],
  }
  for (const call of callsIn(events)) {
    if (call.idempotent || call.begun > stored || call.ended <= stored) continue
    fate.unknown.push(call.step)
    const show = SHOWS[call.step]
    // The call was stored but had not run when the worker died, and it is not repeated.
    if (call.begun > start && show !== undefined) fate[show.in] = fate[show.in].filter((word) => word !== show.as)
  }
  return fate
}

function callsIn(events: StoredEvent[]) {
  const calls = events.filter((event) => event.type === 'tool.call')
  const ids = [...new Set(calls.map(({ data }) => data.callId))]
  return calls.map(({ seq, data: { callId, idempotent } }) => {
    const result = events.find((each) => each.type === 'tool.result' && each.data.callId === callId)
    const isUnknown = result?.type === 'tool.result' && result.data.observation.code === 'INTERRUPTED'
    return { step: ids.indexOf(callId), idempotent, isUnknown, begun: seq, ended: result?.seq ?? Infinity }
  })
}

let crashes = 0

/** Starts a run and pauses its worker at the append that ends there. */
async function begin({ stage, hold }: Theatre, at: { seq: number; during: 'insert' | 'commit' }) {
  const runId = `run-${++crashes}-at-${at.seq}`
  await hold.arm({ runId, ...at })
  await stage.dispatcher.submit(stage.jobFor(runId))
  const caught = await hold.caught()
  const victim = stage.workers.get(caught.writer)
  if (victim === undefined) throw new Error(`${caught.writer} is none of the workers`)
  return { runId, caught, victim }
}

export async function crashAt(theatre: Theatre, { seq, moment }: Position): Promise<Recovery> {
  const { stage } = theatre
  const { runId, caught, victim } = await begin(theatre, { seq, during: 'commit' })
  if (moment === 'after') {
    victim.child.kill('SIGSTOP')
    await caught.release()
    await until(() => isStored(stage, { runId, seq }))
  }
  victim.child.kill('SIGKILL')
  const died = Date.now()
  await victim.ended
  const replaced = stage.hire()
  if (moment === 'before') await caught.drop()
  if (moment === 'late') await releaseLate(caught)
  await until(() => isCommitted(stage, runId))
  await replaced
  return recoveryOf(stage, { runId, died })
}

/** `open`: the transaction is neither committed nor rolled back, and blocks the next worker. */
export type Sleep = { seq: number; moment: 'after' | 'open' }

/** Freezes the worker until another has finished the run, then wakes it and asks it to stop. */
export async function freezeAt(theatre: Theatre, { seq, moment }: Sleep): Promise<Recovery & { woken: Ended }> {
  const { stage } = theatre
  const during = moment === 'open' ? 'insert' : 'commit'
  const { runId, caught, victim } = await begin(theatre, { seq, during })
  victim.child.kill('SIGSTOP')
  const froze = Date.now()
  await caught.release()
  await until(() => isCommitted(stage, runId))
  const recovery = await recoveryOf(stage, { runId, died: froze })
  victim.child.kill('SIGCONT')
  victim.child.kill('SIGTERM')
  const woken = await victim.ended
  await stage.hire()
  return { ...recovery, fate: await fateOf(stage, runId), woken }
}

async function recoveryOf(stage: Stage, { runId, died }: { runId: string; died: number }): Promise<Recovery> {
  const events = await stage.store.readRun(runId)
  const next = events.find(({ timestamp }) => timestamp > died)
  return {
    fate: await fateOf(stage, runId),
    takenUpMs: next === undefined ? undefined : next.timestamp - died,
    repliedMs: Math.max(0, (events.at(-1)?.timestamp ?? died) - died),
  }
}

/** The database restarts during that append. */
export async function cutAt(theatre: Theatre, seq: number, restart: () => Promise<void>): Promise<Recovery> {
  const { stage } = theatre
  const { runId } = await begin(theatre, { seq, during: 'commit' })
  const died = Date.now()
  await restart()
  await until(() => isCommitted(stage, runId))
  return recoveryOf(stage, { runId, died })
}

/** Waits until another worker is blocked by it; one that never blocks is not affected by it. */
async function releaseLate(caught: Caught): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!(await caught.isAwaited()) && Date.now() < deadline) await delay(50)
  await caught.release()
}

export async function fateOf(stage: Stage, runId: string): Promise<Fate> {
  const events = await stage.store.readRun(runId)
  const last = events.at(-1)
  const calls = callsIn(events)
  const begun = calls.flatMap(({ step, idempotent }) => (idempotent ? [] : [step]))
  const { breaches } = await audit(stage.store)
  return {
    ...stage.effectsOf(runId),
    reply: last?.type === 'turn.committed' ? last.data.reply : undefined,
    unknown: calls.flatMap(({ step, isUnknown }) => (isUnknown ? [step] : [])),
    repeated: begun.filter((step, i) => begun.indexOf(step) !== i),
    memories: (await stage.memory.list(LOCAL, { limit: 9, sessionId: stage.jobFor(runId).sessionId })).length,
    breaches: breaches.filter((breach) => breach.runId === runId),
  }
}

export async function isCommitted({ store }: Stage, runId: string): Promise<boolean> {
  return (await store.readRun(runId)).at(-1)?.type === 'turn.committed'
}

async function isStored({ store }: Stage, { runId, seq }: { runId: string; seq: number }): Promise<boolean> {
  return (await store.readRun(runId, seq - 1, 1)).length > 0
}
