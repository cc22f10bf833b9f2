import { createContext, Script } from 'node:vm'

const context = createContext({})
const script = new Script('act()')

/**
 * Runs `act` for at most `ms` and then interrupts it: a pattern or expression written by a model could otherwise block
 * the process for hours. Undefined: timeout.
 */
export function runBounded<T>(act: () => T, ms: number): { value: T } | undefined {
  context.act = act
  const timeout = Math.max(1, Math.floor(ms))
  const start = performance.now()
  try {
    const value = script.runInContext(context, { timeout }) as T
    // An interrupted pattern can return "no match" instead of a timeout, and the timer may fire slightly early.
    return performance.now() - start < timeout * 0.99 ? { value } : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  } finally {
    context.act = undefined
  }
}
