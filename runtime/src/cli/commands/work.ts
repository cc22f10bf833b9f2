/** `writ work`: a worker, until it is asked to end. */
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { keepSmall, openDispatcher, putToWork } from '../../assembly/work-desk.ts'
import { messageOf } from '../../base/errors.ts'
import type { News } from '../../routine/engine.ts'
import { atOnceOf } from '../at-once.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { operateTexts } from '../operate-texts.ts'
import { newsText } from './routine.ts'
import { openAgent } from './run.ts'

const AT_ONCE = 4
/** Shorter than what supervisors commonly give before they kill. */
const DRAIN_MS = 25_000
/** How long runs that are left may take to store what they know. */
const LEAVE_MS = 2000

export async function work(given: Given, io: Io): Promise<number> {
  const { work: texts } = operateTexts(io.lang)
  const json = given.switches.has('json')
  const say = (line: object, text: string) => io.stdout(`${json ? JSON.stringify(line) : text}\n`)
  const tell = ({ runId = '', ...news }: { runId?: string; error?: unknown }) => {
    if (!('error' in news)) say({ type: 'work.resumed', runId }, texts.goesOn({ run: runId }))
    else io.stderr(`${texts.failed({ run: runId, why: messageOf(news.error) })}\n`)
  }
  const atOnce = atOnceOf(given, io, { min: 1 }) ?? AT_ONCE
  // A question is left for whoever can answer it; a worker is nobody.
  const leaving = new AbortController()
  const { agent, close } = await openAgent({ ...given, terminated: leaving.signal }, io, async () => 'later')
  try {
    const { config } = agent.config
    const dispatcher = await openDispatcher(agent.config, io.env)
    const worker = await putToWork(agent, dispatcher, { atOnce, tell })
    const onNews = (news: News) => {
      if (news.type === 'error') tell({ error: news.error })
      else say(news, newsText(news, io))
    }
    const routines = agent.routines.engineFor(agent, { tell: onNews }).start(given.signal)
    const keeping = keepSmall(agent, given.signal, {
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
