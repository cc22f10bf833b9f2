import type { Backend } from './backend.ts'

/** When no backend has an answer: keep watching, do nothing. It cannot fail. */
export const fallbackNoOp: Backend = {
  route: 'FallbackNoOp',
  model: 'fallback',
  predict: async () => ({
    model: 'fallback',
    rationale_tags: ['no_backend'],
    intents: [
      {
        intent_id: 'idle',
        intent_type: 'Idle',
        confidence: 1,
        risk_level: 'Low',
        suggested_actions: [{ action_type: 'NoOp', target: null, urgency: 'Immediate' }],
        rationale_tags: [],
      },
    ],
  }),
}
