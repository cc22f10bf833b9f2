import { createContext, Script } from 'node:vm'

const context = createContext({})
const script = new Script('act()')

/**
 * Runs `act` for at most `ms`, then stops it wherever it is: a pattern or an expression
 * written by a model can otherwise hold the whole process for hours. Undefined: out of time.
 */
export function runBounded<T>(act: () => T, ms: number): { value: T } | undefined {
  context.act = act
  const timeout = Math.max(1, Math.floor(ms))
  const start = performance.now()
  try {
    const value = script.runInContext(context, { timeout }) as T
    // A pattern stopped in the middle has been seen to come back as "no match" instead of as a timeout, and the
    // timer that stops it may be a moment early.
    return performance.now() - start < timeout * 0.99 ? { value } : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  } finally {
    context.act = undefined
  }
}
