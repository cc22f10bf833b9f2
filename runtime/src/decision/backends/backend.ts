/** A predictor of what a user will do. It says what, never by which route: that is the router's to say. */
import type { Meter } from '../../model/meter.ts'
import type { Model } from '../../model/model.ts'
import type { Intent, StructuredContext } from '../../protocol/action.ts'
import type { EventData } from '../../protocol/event.ts'
import type { Usage } from '../../protocol/message.ts'
import type { DecisionRoute } from '../../protocol/risk.ts'

export interface Predicted {
  intents: Intent[]
  model: string
  rationale_tags: string[]
  usage?: Usage
}

type ModelEvent = 'model.requested' | 'model.replied' | 'model.failed'

/** Where a backend that asks a model says so; `flush` before the model is paid. */
export interface ModelJournal {
  note<T extends ModelEvent>(type: T, data: EventData[T]): void
  flush(): Promise<void>
  /** Pays for calls of this model. */
  meter(model: Model): Meter
}

export interface Backend {
  readonly route: DecisionRoute
  /** What answers, for the journal. */
  readonly model: string
  /** Throws NO_PREDICTION when it has nothing to say about this window; any other error is a failure. */
  predict(context: StructuredContext, signal: AbortSignal, journal: ModelJournal): Promise<Predicted>
}
