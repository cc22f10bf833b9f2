/** Work that is asked for here and done by whichever process of the fleet has room; alone, this one has. */
import { keepSmall, openDispatcher, performerOf, putToWork } from '../assembly/work-desk.ts'
import { messageOf, WritError } from '../base/errors.ts'
import type { Env } from '../config/places.ts'
import type { Failed, Job, Submitted } from '../dispatch/dispatch.ts'
import { localDispatcher } from '../dispatch/local.ts'
import { performing } from '../dispatch/perform.ts'
import { hasRedaction } from '../journal/redact.ts'
import type { Store } from '../journal/store.ts'
import type { Desk } from './desk.ts'
import { Refusal } from './failure.ts'
import type { Hub, Started, Work } from './hub.ts'
import type { Log } from './log.ts'
import type { ServerTexts } from './texts.ts'

/** Runs at a time. They mostly wait for models; a limit keeps a flood of sessions from filling the memory. */
const AT_ONCE = 256
/** In a fleet, so that workers get their share. */
const AT_ONCE_SHARED = 16
/** Another process may end the run, and nothing here would be told. */
const POLL_MS = 1000

/** How a run ended, or where it waits, from its journal: the same whoever ran it. Only what came after `after` counts. */
export type ReadEnd<R> = (store: Store, at: { runId: string; after: number }) => Promise<R | undefined>

type RunJob = Extract<Job, { runId: string }>

export interface Jobs {
  /** Nothing when the same was submitted before. Throws when the session can take no more. */
  submit<R>(job: RunJob, read: ReadEnd<R>): Promise<Work<R> | undefined>
  /** Takes no more work from others; what is under way goes on. */
  stop(): Promise<void>
  close(): Promise<void>
  /** Whether it does jobs that others submitted. */
  works: boolean
  /** Whether other processes may go on with what this one leaves. */
  shared: boolean
}

export interface JobsDeps {
  desk: Desk
  hub: Hub
  log: Log
  texts: ServerTexts
  env: Env
  atOnce: number | undefined
}

export async function openJobs({ desk, hub, log, texts, env, ...wish }: JobsDeps): Promise<Jobs> {
  const { agent } = desk
  const { store } = agent
  const shared = agent.config.config.store === 'postgres'
  const atOnce = wish.atOnce ?? (shared ? AT_ONCE_SHARED : AT_ONCE)
  const works = atOnce > 0
  if (!shared && !works) throw new WritError('USAGE', texts.nobodyWorks, { hint: texts.nobodyWorksHint })
  const here = localDispatcher()
  const fleet = shared ? await openDispatcher(agent.config, env) : here
  const over = new AbortController()
  const performer = performerOf(
    () => desk.agent,
    (at, open) => hub.drive(at, open).result,
  )
  const tell = ({ runId, ...news }: { runId?: string; error?: unknown }) => {
    if ('error' in news) log('error', 'work.failed', { runId, error: messageOf(news.error) })
    else log('info', 'run.resumed', { runId })
  }
  const onOver = ({ sessionId }: Job) => hub.rouse(sessionId)
  const workers = works ? [await putToWork(agent, fleet, { atOnce, performer, onOver, tell })] : []
  if (shared) workers.push(await here.work(performing(performer), { atOnce: AT_ONCE, onOver }))
  const keeping = keepSmall(agent, over.signal, {
    pruned: (runs) => log('info', 'pruned', { runs }),
    failed: (error) => log('error', 'prune.failed', { error: messageOf(error) }),
  })

  /** The queue is read by more eyes than this process: no secret goes there, nor a run that is held to less here. */
  function mayLeave(job: RunJob): boolean {
    if (Object.keys(desk.overrides).length > 0) return false
    return !hasRedaction(desk.agent.engine.redact(job))
  }

  return {
    shared,
    works,
    async submit(job, read) {
      hub.demandRoom(job.sessionId)
      const letGo = hub.expect(job)
      try {
        const after = await lastSeq(store, job.runId)
        const submitted = await (shared && mayLeave(job) ? fleet : here).submit(job)
        if (submitted !== undefined) return follow(job, { submitted, after, read, letGo })
      } catch (error) {
        letGo()
        throw error
      }
      letGo()
      return undefined
    },
    async stop() {
      over.abort()
      await Promise.all([...workers.map((worker) => worker.stop(0)), keeping])
    },
    close: () => fleet.close(),
  }

  function follow<R>(
    { sessionId, runId }: RunJob,
    { submitted, after, read, letGo }: { submitted: Submitted; after: number; read: ReadEnd<R>; letGo(): void },
  ): Work<R> {
    const begun = Promise.withResolvers<Started>()
    const ear = hub.listen(sessionId)
    let isBegun = false

    async function look(): Promise<{ end: R } | undefined> {
      if (!isBegun) {
        const [first] = await store.readRun(runId, after, 1)
        isBegun = first !== undefined
        if (first !== undefined) begun.resolve({ runId, turnId: first.turnId })
      }
      // Its process has not let go of it yet; when it has, the next turn can begin.
      if (hub.isLive(runId)) return undefined
      const fate = await submitted.fate()
      const end = await read(store, { runId, after })
      if (end !== undefined) return { end }
      if (fate?.error !== undefined) throw refusalOf(fate.error)
      return undefined
    }
    async function wait(): Promise<R> {
      for (;;) {
        const found = await look()
        if (found !== undefined) return found.end
        if (hub.closing.aborted)
          throw new Refusal(503, 'DRAINING', { message: (t) => t.draining, hint: (t) => t.drainingHint })
        for (;;) {
          const { stored, deltas } = await ear.next(POLL_MS)
          if (stored || deltas.length === 0) break
        }
      }
    }
    const result = wait().finally(() => {
      ear.close()
      letGo()
    })
    result.catch((error: unknown) => begun.reject(error))
    begun.promise.catch(() => {})
    return { sessionId, started: begun.promise, result }
  }
}

/** Of a run whose id was made for it. */
export function fresh<R>(work: Work<R> | undefined): Work<R> {
  if (work === undefined) throw new Error('a run of this id was begun before')
  return work
}

async function lastSeq(store: Store, runId: string): Promise<number> {
  return (await store.readRun(runId)).at(-1)?.seq ?? 0
}

function refusalOf({ code, message, hint }: Failed): Error {
  if (code === 'SESSION_WAITING') {
    return new Refusal(409, code, { message: (t) => t.sessionWaiting, hint: (t) => t.sessionWaitingHint })
  }
  if (code === 'QUESTION_CLOSED')
    return new Refusal(409, code, { message: (t) => t.noQuestion, hint: (t) => t.noQuestionHint })
  if (code === 'RUN_INTERRUPTED')
    return new Refusal(503, 'DRAINING', { message: (t) => t.draining, hint: (t) => t.drainingHint })
  if (code === 'INTERNAL') return new Error(message)
  return new WritError(code, message, hint === undefined ? {} : { hint })
}
