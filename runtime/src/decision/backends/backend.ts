/** Whoever predicts what a user will do. It says what, never by which route: that is the router's to say. */
import type { Intent, StructuredContext } from '../../protocol/action.ts'
import type { Usage } from '../../protocol/message.ts'
import type { DecisionRoute } from '../../protocol/risk.ts'

export interface Predicted {
  intents: Intent[]
  model: string
  rationale_tags: string[]
  usage?: Usage
}

export interface Backend {
  readonly route: DecisionRoute
  /** Throws when it has no answer; the next one is asked then. */
  predict(context: StructuredContext, signal: AbortSignal): Promise<Predicted>
}
