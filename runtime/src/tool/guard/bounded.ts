import { createContext, Script } from 'node:vm'

const context = createContext({})
const script = new Script('act()')

/**
 * Runs `act` for at most `ms`, then stops it wherever it is: a pattern or an expression
 * written by a model can otherwise hold the whole process for hours. Undefined: out of time.
 */
export function runBounded<T>(act: () => T, ms: number): { value: T } | undefined {
  context.act = act
  try {
    return { value: script.runInContext(context, { timeout: Math.max(1, Math.floor(ms)) }) as T }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  } finally {
    context.act = undefined
  }
}
