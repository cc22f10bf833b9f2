/** `writ work`: a worker, until Ctrl-C or SIGTERM. */
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { enforceRetention, openDispatcher, startWorker } from '../../assembly/jobs.ts'
import { errorText } from '../../errors/writ-error.ts'
import type { News } from '../../routine/engine.ts'
import { concurrencyOf } from '../concurrency-flag.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { operateTexts } from '../operate-texts.ts'
import { newsText } from './routine.ts'
import { openAgent } from './run.ts'

const CONCURRENCY = 4
/** Shorter than the usual grace period of process supervisors. */
const DRAIN_MS = 25_000
/** Time for interrupted runs to store their state. */
const LEAVE_MS = 2000

export async function work(given: Given, io: Io): Promise<number> {
  const { work: texts } = operateTexts(io.lang)
  const json = given.switches.has('json')
  const say = (line: object, text: string) => io.stdout(`${json ? JSON.stringify(line) : text}\n`)
  const tell = ({ runId = '', ...news }: { runId?: string; error?: unknown }) => {
    if (!('error' in news)) say({ type: 'work.resumed', runId }, texts.resumed({ run: runId }))
    else io.stderr(`${texts.failed({ run: runId, why: errorText(news.error, io.lang).message })}\n`)
  }
  const atOnce = concurrencyOf(given, { min: 1 }) ?? CONCURRENCY
  // A worker cannot answer questions: they stay open.
  const leaving = new AbortController()
  const { agent, close } = await openAgent({ ...given, terminated: leaving.signal }, io, async () => 'later')
  try {
    const { config } = agent.config
    const dispatcher = await openDispatcher(agent.config, io.env)
    const worker = await startWorker(agent, dispatcher, { atOnce, tell })
    const onNews = (news: News) => {
      if (news.type === 'error') tell({ error: news.error })
      else say(news, newsText(news, io))
    }
    const routines = agent.routines.engineFor(agent, { tell: onNews }).start(given.signal)
    const keeping = enforceRetention(agent, given.signal, {
      failed: (error) => tell({ error }),
      pruned: (runs) => say({ type: 'work.pruned', runs }, texts.pruned({ runs })),
    })
    io.stderr(`${config.store === 'postgres' ? texts.shared({ n: atOnce }) : texts.single}\n`)
    if (!given.signal.aborted) await once(given.signal, 'abort')
    io.stderr(`${texts.ending}\n`)
    await Promise.all([worker.stop(DRAIN_MS), Promise.race([routines, delay(DRAIN_MS, undefined, { ref: false })])])
    leaving.abort()
    await Promise.all([worker.stop(LEAVE_MS), Promise.race([routines, delay(LEAVE_MS, undefined, { ref: false })])])
    await keeping
    await dispatcher.close()
    return 0
  } finally {
    await close()
  }
}
