/** What is due by the clock is done while somebody chats; what came of it is said when nothing else is being said. */
import type { Agent } from '../../assembly/agent.ts'
import { messageOf } from '../../base/errors.ts'
import { newsText } from '../commands/routine.ts'
import type { Io } from '../io.ts'
import { cliTexts } from '../texts.ts'

export interface Routines {
  /** News waits while this is being said. */
  hush<T>(saying: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** A pipe is not there to wait for the clock. */
export const NO_ROUTINES: Routines = { hush: (saying) => saying(), close: async () => {} }

export function runRoutines(agent: Agent, io: Io, announce: (text: string) => void): Routines {
  const over = new AbortController()
  const waiting: string[] = []
  let hushed = false
  const flush = () => {
    if (!hushed) for (const text of waiting.splice(0)) announce(text)
  }
  const engine = agent.routines.engineFor(agent, {
    tell(news) {
      const { failed } = cliTexts(io.lang).routine
      const text =
        news.type === 'error' ? failed({ name: news.name ?? '', message: messageOf(news.error) }) : newsText(news, io)
      waiting.push(text)
      flush()
    },
  })
  const ended = engine.start(over.signal, { cut: over.signal })
  return {
    async hush(saying) {
      hushed = true
      try {
        return await saying()
      } finally {
        hushed = false
        flush()
      }
    },
    async close() {
      hushed = true
      over.abort()
      await ended
    },
  }
}
