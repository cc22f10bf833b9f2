/** A run as a program watches it: its events, and its result. */
import { WritError } from '../errors/writ-error.ts'
import type { Event } from '../protocol/event.ts'
import type { RunResult } from './turns.ts'

/**
 * The events of a run as they happen, and its result at the end. The run starts when the first event or the result is
 * asked for. A loop that is left early stops the run where it is; `agent.resume` continues it.
 *
 * @example
 * ```ts
 * import { createAgent } from 'writ'
 *
 * await using agent = await createAgent({ model: 'rules', data: ':memory:' })
 * const run = agent.stream('read notes.txt')
 * const called: string[] = []
 * for await (const event of run) if (event.type === 'tool.call') called.push(event.data.tool)
 * const { stopReason } = await run.result
 * console.log(called, stopReason) // [ 'file_read' ] final
 * ```
 */
export interface RunStream<Result = RunResult> extends AsyncGenerator<Event, Result> {
  /** Settles when the run has ended. Events that were not read by then can still be read. */
  readonly result: Promise<Result>
}

export function runStream<Result>(events: AsyncGenerator<Event, Result>): RunStream<Result> {
  const end = Promise.withResolvers<Result>()
  // Marked handled: who reads the events meets the error there.
  end.promise.catch(() => {})
  /** Asked for on behalf of `result`, before the reader did. */
  const ahead: Promise<IteratorResult<Event, Result>>[] = []
  let isDraining = false

  async function step(): Promise<IteratorResult<Event, Result>> {
    try {
      const next = await events.next()
      if (next.done) end.resolve(next.value)
      return next
    } catch (error) {
      end.reject(error)
      throw error
    }
  }

  async function drain(): Promise<void> {
    isDraining = true
    for (let isOver = false; !isOver; ) {
      const next = step()
      ahead.push(next)
      isOver = await next.then(
        ({ done }) => done === true,
        () => true,
      )
    }
  }

  const stream: RunStream<Result> = {
    get result() {
      if (!isDraining) void drain()
      return end.promise
    },
    next: () => ahead.shift() ?? step(),
    return(value) {
      ahead.length = 0
      end.reject(new WritError('STREAM_LEFT'))
      return events.return(value as Result)
    },
    throw(error) {
      ahead.length = 0
      end.reject(error)
      return events.throw(error)
    },
    [Symbol.asyncIterator]: () => stream,
    async [Symbol.asyncDispose]() {
      await stream.return(undefined as never)
    },
  }
  return stream
}
