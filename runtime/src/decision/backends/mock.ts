import type { StructuredContext } from '../../protocol/action.ts'
import type { Backend, Predicted } from './backend.ts'

/** Says what it was told to say: for tests, and for trying a policy on imagined predictions. */
export function mock(answer: Predicted | Error | ((context: StructuredContext) => Predicted)): Backend {
  return {
    route: 'Mock',
    model: 'mock',
    async predict(context) {
      if (answer instanceof Error) throw answer
      return typeof answer === 'function' ? answer(context) : answer
    },
  }
}
