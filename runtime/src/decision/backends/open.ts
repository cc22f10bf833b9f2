/** The backends this installation has, in the order they are asked. */
import type { Clock } from '../../base/clock.ts'
import type { IdSource } from '../../base/id.ts'
import type { AgentConfig } from '../../config/schema.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { Redact } from '../../journal/redact.ts'
import type { Store } from '../../journal/store.ts'
import type { Model } from '../../model/model.ts'
import type { DecisionRoute } from '../../protocol/risk.ts'
import type { Backend } from './backend.ts'
import { cloudLlm } from './cloud-llm.ts'
import { fallbackNoOp } from './fallback-no-op.ts'
import { localEvaluator } from './local-evaluator.ts'
import { ruleBased } from './rule-based.ts'

export interface Installation {
  config: AgentConfig
  env: Readonly<Record<string, string | undefined>>
  store: Store
  clock: Clock
  newId: IdSource
  redact: Redact
  /** Answers in place of the configured one: a script, or a model of the program's own. */
  model?: Model | undefined
  /** Wraps the model that is asked, for a record of the requests. */
  recorded?(model: Model): Model
}

/** A provider's model is asked only when agent.model names one: observations never leave this computer by default. */
export async function openBackends(at: Installation, only?: DecisionRoute): Promise<Backend[]> {
  const own = [localEvaluator(at), ruleBased(at.config.decision.rules)]
  switch (only) {
    case undefined: {
      const isAsked = at.config.decision.cloudFields.length > 0
      return isAsked && (at.model !== undefined || isProvider(at.config.model)) ? [await openCloud(at), ...own] : own
    }
    case 'CloudLlm':
      return [await openCloud(at)]
    case 'FallbackNoOp':
      return [fallbackNoOp]
    case 'Mock':
      if (at.model?.route === 'Mock') return [await openCloud(at)]
      throw new WritError('USAGE.mockRoute')
    default:
      return own.filter(({ route }) => route === only)
  }
}

function isProvider(model: string | undefined): model is string {
  return model !== undefined && model !== 'rules' && model !== 'scripted'
}

async function openCloud(at: Installation): Promise<Backend> {
  const { config, redact, clock, newId } = at
  const { cloudFields: fields } = config.decision
  if (fields.length === 0) {
    throw new WritError('NOTHING_TO_SEND')
  }
  const model = at.model === undefined ? await configuredModel(at) : standingFor(at.model, config.model)
  const attempts = config.limits.modelAttempts
  return cloudLlm(at.recorded?.(model) ?? model, { fields, redact, attempts, clock, newId })
}

/** Requests are recorded under the configured name; the journal says that a script answered. */
function standingFor(model: Model, named: string | undefined): Model {
  return named === undefined || model.route !== 'Mock' ? model : { ...model, standsFor: named }
}

async function configuredModel({ config, env }: Installation): Promise<Model> {
  const { model, baseURL, limits, maxOutputTokens } = config
  if (!isProvider(model)) {
    throw new WritError('MODEL_UNKNOWN.cloudRoute')
  }
  const { chooseModel, keyFor } = await import('../../model/choose.ts')
  const { openModel } = await import('../../model/providers.ts')
  const choice = await chooseModel(model, env)
  if (choice === 'rules' || choice === 'scripted') throw new WritError('MODEL_UNKNOWN.notProvider', { model })
  const apiKey = keyFor(choice.provider, env)
  const given = { ...(baseURL === undefined ? {} : { baseURL }), ...(apiKey === undefined ? {} : { apiKey }) }
  return openModel(
    { ...choice, ...given, maxOutputTokens },
    { idleMs: limits.modelIdleMs, totalMs: limits.modelTotalMs },
  )
}
