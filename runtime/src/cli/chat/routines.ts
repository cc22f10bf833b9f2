/** Runs due routines during a chat; their results are announced between turns. */
import type { Agent } from '../../assembly/agent.ts'
import { errorText } from '../../errors/writ-error.ts'
import { newsText } from '../commands/routine.ts'
import type { Io } from '../io.ts'
import { cliTexts } from '../texts.ts'

export interface Routines {
  /** Announcements wait until this is done. */
  quietDuring<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** For input from a pipe. */
export const NO_ROUTINES: Routines = { quietDuring: (work) => work(), close: async () => {} }

export function runRoutines(agent: Agent, io: Io, announce: (text: string) => void): Routines {
  const closing = new AbortController()
  const waiting: string[] = []
  let isQuiet = false
  const flush = () => {
    if (!isQuiet) for (const text of waiting.splice(0)) announce(text)
  }
  const engine = agent.routines.engineFor(agent, {
    tell(news) {
      const { failed } = cliTexts(io.lang).routine
      const text =
        news.type === 'error'
          ? failed({ name: news.name ?? '', message: errorText(news.error, io.lang).message })
          : newsText(news, io)
      waiting.push(text)
      flush()
    },
  })
  const ended = engine.start(closing.signal, { cut: closing.signal })
  return {
    async quietDuring(work) {
      isQuiet = true
      try {
        return await work()
      } finally {
        isQuiet = false
        flush()
      }
    },
    async close() {
      isQuiet = true
      closing.abort()
      await ended
    },
  }
}
