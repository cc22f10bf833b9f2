/** The work itself: starts what is due, waits for whatever ends first, writes it down, and looks again. */
import { setTimeout as delay } from 'node:timers/promises'
import { whileEmitting } from '../base/wait.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Lang } from '../i18n/locale.ts'
import { interrupted } from '../journal/journal.ts'
import type { Event, EventData, EventType, StoredEvent } from '../protocol/event.ts'
import { type AttemptEnd, attemptNode } from './attempt.ts'
import { ValueNotAWord } from './command-words.ts'
import type { WorkflowNode } from './document.ts'
import { argumentsFor, type NodeArguments } from './node-arguments.ts'
import { type Due, dueNodes, lookupIn, type NodeEnd, type Standing } from './plan.ts'
import { finished, resultOf, stopOf } from './result.ts'
import type { WorkflowResult, WorkflowRun } from './run.ts'
import { workflowTexts } from './texts.ts'
import { UnresolvedVariable } from './variables.ts'

/** As many calls as the gate looks back on. */
const REMEMBERED = 64

/** An attempt about to be made. */
interface Try extends NodeArguments {
  node: WorkflowNode
  runId: string
  attempt: number
  /** When the first attempt at the node was made. */
  since: number
  waitMs: number
  /** What it left when it was cut off. */
  earlier: readonly StoredEvent[]
}

interface Tried extends Try {
  end: AttemptEnd
}

/** Runs until every node has ended. A consumer that stops iterating stops the workflow. */
export async function* runNodes(run: WorkflowRun, signal: AbortSignal): AsyncGenerator<Event, WorkflowResult> {
  const gone = new AbortController()
  try {
    return yield* whileEmitting<Event, WorkflowResult>((emit) =>
      new Conductor(run, { signal: AbortSignal.any([signal, gone.signal]), emit }).run(),
    )
  } finally {
    gone.abort()
  }
}

class Conductor {
  readonly #run: WorkflowRun
  readonly #emit: (event: Event) => void
  readonly #signal: AbortSignal
  readonly #broken = new AbortController()
  readonly #standing: Standing
  readonly #begun = new Set<string>()
  readonly #running = new Map<string, Promise<Tried>>()
  /** When each tool was called, over all nodes; a call counts from the moment it is proposed. */
  readonly #minted = new Map<string, number[]>()
  /** When the last of those that wait for a tool's rate tries again. */
  readonly #promised = new Map<string, number>()

  constructor(run: WorkflowRun, { signal, emit }: { signal: AbortSignal; emit: (event: Event) => void }) {
    const { workflow, input, ended, grants, engine } = run
    const env = Object.fromEntries(grants.envNames.map((name) => [name, engine.world.env[name]]))
    this.#run = run
    this.#emit = emit
    this.#signal = AbortSignal.any([signal, this.#broken.signal])
    this.#standing = { workflow, ended, lookup: lookupIn({ workflow, input, env, ended }) }
  }

  async run(): Promise<WorkflowResult> {
    try {
      for (;;) {
        await this.#startDue()
        if (this.#running.size === 0) break
        await this.#take(await Promise.race(this.#running.values()))
      }
      return await this.#finish()
    } catch (error) {
      // The journal could not be written, so nothing more may be done.
      this.#broken.abort()
      await Promise.allSettled(this.#running.values())
      if (!(error instanceof WritError && error.code === 'RUN_INTERRUPTED')) throw error
      const { log } = this.#run
      // What had ended before; and it is the workflow that is resumed, not the node's own run.
      await log.flush()
      throw interrupted(log.place)
    }
  }

  async #startDue(): Promise<void> {
    const tries: Try[] = []
    const { workflow, ended, lookup } = this.#standing
    const open = () => dueNodes(workflow, ended, lookup).filter(({ node }) => !this.#begun.has(node.id))
    for (let due = open(); due.length > 0; due = open()) {
      for (const one of due) tries.push(...this.#begin(one))
    }
    await this.#launch(tries)
  }

  #begin(due: Due): Try[] {
    const { node } = due
    this.#begun.add(node.id)
    // One that was cut off is looked at all the same: what it may have done must be said, and its run ended.
    if (due.do === 'run' && (!this.#signal.aborted || this.#run.cutOff.has(node.id))) {
      return this.#prepare(node, { attempt: 1, since: this.#run.engine.clock.now(), waitMs: 0 })
    }
    const why = due.do === 'skip' ? due.why : 'aborted'
    const blocked = why === 'failure' ? ({ blocked: true } as const) : {}
    const end = { state: 'skipped', elapsedMs: 0, trust: 'internal', inspection: 'pass', ...blocked } as const
    this.#close(node, end, workflowTexts(this.#run.engine.lang).skipped[why])
    return []
  }

  /** Empty where a variable turned out to have no value; the node has failed then. */
  #prepare(node: WorkflowNode, own: Pick<Try, 'attempt' | 'since' | 'waitMs'>): Try[] {
    const { cutOff, engine } = this.#run
    try {
      const filled = argumentsFor(
        node,
        { ...this.#standing, input: this.#run.input },
        engine.registry.get(node.tool)?.schema,
      )
      const given = { node, ...filled, ...own }
      const cut = cutOff.get(node.id)
      cutOff.delete(node.id)
      if (cut !== undefined) {
        const { runId, attempt, events: earlier } = cut
        return [{ ...given, runId, attempt, earlier }]
      }
      const runId = engine.newId('run')
      this.#tell('node.started', { node: node.id, tool: node.tool, runId, attempt: own.attempt })
      return [{ ...given, runId, earlier: [] }]
    } catch (error) {
      const failed = unfilled(error, engine.lang)
      if (failed === undefined) throw error
      this.#close(node, { state: 'failed', elapsedMs: 0, error: failed, trust: 'internal', inspection: 'pass' })
      return []
    }
  }

  /** On disk before it begins: what was under way when the process died is known then. */
  async #launch(tries: readonly Try[]): Promise<void> {
    await this.#run.log.flush()
    for (const next of tries) {
      const made = this.#make(next)
      // Awaited later, with the others: an early rejection must not crash the process.
      made.catch(() => {})
      this.#running.set(next.node.id, made)
    }
  }

  async #make(next: Try): Promise<Tried> {
    const { engine, log, grants, owner } = this.#run
    const { tool } = next.node
    const signal = this.#signal
    if (next.waitMs > 0) await delay(next.waitMs, undefined, { signal }).catch(() => {})
    const before = this.#minted.get(tool) ?? []
    const now = engine.clock.now()
    this.#minted.set(tool, [...before, now].slice(-REMEMBERED))
    const { sessionId, turnId, runId: workflowRunId } = log.place
    const place = { sessionId, turnId, workflowRunId }
    const { disabledTools } = grants
    const attempt = { ...next, owner, place, minted: { [tool]: before }, disabledTools, signal }
    const end = await attemptNode(engine, attempt, this.#emit)
    if (end.refused !== false) this.#minted.set(tool, without(this.#minted.get(tool) ?? [], now))
    return { ...next, end }
  }

  async #take({ node, attempt, since, end }: Tried): Promise<void> {
    this.#running.delete(node.id)
    const again = this.#signal.aborted ? undefined : this.#again(node, attempt, end)
    if (again !== undefined) return this.#launch(this.#prepare(node, { since, ...again }))
    const { outputs, primary, main, own, trust, inspection } = end
    const error = this.#told(node, end)
    this.#close(node, {
      state: error === undefined ? 'done' : 'failed',
      elapsedMs: Math.max(0, this.#run.engine.clock.now() - since),
      trust,
      inspection,
      ...(outputs === undefined ? {} : { outputs }),
      ...(primary === undefined ? {} : { primary }),
      ...(main === undefined ? {} : { main }),
      ...(own === undefined ? {} : { own }),
      ...(error === undefined ? {} : { error }),
    })
  }

  #again(node: WorkflowNode, attempt: number, end: AttemptEnd): Pick<Try, 'attempt' | 'waitMs'> | undefined {
    if (end.refused !== 'rate') return repetition(node, attempt, end)
    const now = this.#run.engine.clock.now()
    // One after the other: if all came back at once, all but one would be refused again, and each time written down.
    const at = Math.max(now, this.#promised.get(node.tool) ?? 0) + 1000 / node.rate_limit.per_second
    this.#promised.set(node.tool, at)
    return { attempt, waitMs: Math.ceil(at - now) }
  }

  /** Explains why a retry that was configured did not happen. */
  #told({ retry }: WorkflowNode, { error, refused, repeatable }: AttemptEnd): NodeEnd['error'] {
    if (error === undefined || retry === undefined || refused !== false || repeatable || this.#signal.aborted)
      return error
    return { ...error, message: workflowTexts(this.#run.engine.lang).notRepeated(error) }
  }

  #close({ id }: WorkflowNode, end: NodeEnd, message?: string): void {
    this.#run.ended.set(id, end)
    this.#tell('node.finished', finished(id, end, message), end.error?.code ?? end.state)
  }

  async #finish(): Promise<WorkflowResult> {
    const { log, engine, startedAt } = this.#run
    const stop = stopOf(this.#standing, { aborted: this.#signal.aborted, lang: engine.lang })
    const ok = stop.reason === 'final'
    this.#tell('workflow.finished', { ok, elapsedMs: Math.max(0, engine.clock.now() - startedAt) })
    const usage = { inputTokens: 0, outputTokens: 0 }
    const failed = [...this.#run.ended.values()].some(({ error }) => error && error.code !== 'VARIABLE_UNRESOLVED')
    const inner = stop.reason === 'tool_error' && failed ? ({ inner: true } as const) : {}
    this.#tell('run.stopped', { stop, steps: 0, toolCalls: 0, usage, ...inner }, stop.reason)
    await log.flush()
    const { runId, sessionId } = log.place
    return { runId, sessionId, ...resultOf(this.#standing, stop.reason) }
  }

  #tell<T extends EventType>(type: T, data: EventData[T], reason = ''): void {
    this.#emit(this.#run.log.note(type, data, reason))
  }
}

function unfilled(error: unknown, lang: Lang): NodeEnd['error'] {
  const texts = workflowTexts(lang)
  if (error instanceof UnresolvedVariable) return { code: 'VARIABLE_UNRESOLVED', message: texts.unresolved(error) }
  if (error instanceof ValueNotAWord) return { code: 'VALUE_NOT_A_WORD', message: texts.notAWord(error) }
  return undefined
}

/** What to do once more, and after how long. Undefined: this was the last attempt. */
function repetition(
  { retry }: WorkflowNode,
  attempt: number,
  { error, repeatable }: AttemptEnd,
): Pick<Try, 'attempt' | 'waitMs'> | undefined {
  if (error === undefined || !repeatable) return undefined
  // It was cut off and is not known to have ended; a read is simply made again.
  if (error.code === 'INTERRUPTED') return { attempt, waitMs: 0 }
  if (retry === undefined || attempt > retry.count) return undefined
  return { attempt: attempt + 1, waitMs: Math.round(retry.delay * 1000) }
}

function without(times: readonly number[], time: number): number[] {
  const at = times.indexOf(time)
  return at < 0 ? [...times] : times.toSpliced(at, 1)
}
