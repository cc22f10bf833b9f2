/** The backends this installation has, in the order they are asked. */
import type { Clock } from '../../base/clock.ts'
import { WritError } from '../../base/errors.ts'
import type { AgentConfig } from '../../config/schema.ts'
import type { Store } from '../../journal/store.ts'
import type { DecisionRoute } from '../../protocol/risk.ts'
import type { Backend } from './backend.ts'
import { cloudLlm } from './cloud-llm.ts'
import { fallbackNoOp } from './fallback-no-op.ts'
import { localEvaluator } from './local-evaluator.ts'
import { ruleBased } from './rule-based.ts'

interface Installation {
  config: AgentConfig
  env: Readonly<Record<string, string | undefined>>
  store: Store
  clock: Clock
}

/** A provider's model is asked only when agent.model names one: observations leave this computer on nobody's guess. */
export async function openBackends(at: Installation, only?: DecisionRoute): Promise<Backend[]> {
  const own = [localEvaluator(at), ruleBased()]
  switch (only) {
    case undefined:
      return isProvider(at.config.model) ? [await openCloud(at), ...own] : own
    case 'CloudLlm':
      return [await openCloud(at)]
    case 'FallbackNoOp':
      return [fallbackNoOp]
    case 'Mock':
      throw new WritError('USAGE', 'the Mock route has no backend of its own', {
        hint: 'Give its answer with --batch.',
      })
    default:
      return own.filter(({ route }) => route === only)
  }
}

function isProvider(model: string | undefined): model is string {
  return model !== undefined && model !== 'rules' && model !== 'scripted'
}

async function openCloud({ config, env }: Installation): Promise<Backend> {
  const { model, baseURL, limits, maxOutputTokens } = config
  if (!isProvider(model)) {
    throw new WritError('MODEL_UNKNOWN', 'the CloudLlm route needs a provider’s model', {
      hint: 'Set agent.model, such as "openai/gpt-5-mini", or choose another --route.',
    })
  }
  const { chooseModel, keyFor } = await import('../../model/choose.ts')
  const { openModel } = await import('../../model/providers.ts')
  const choice = await chooseModel(model, env)
  if (choice === 'rules' || choice === 'scripted')
    throw new WritError('MODEL_UNKNOWN', `${model} is no provider’s model`)
  const apiKey = keyFor(choice.provider, env)
  const given = { ...(baseURL === undefined ? {} : { baseURL }), ...(apiKey === undefined ? {} : { apiKey }) }
  return cloudLlm(
    await openModel(
      { ...choice, ...given, maxOutputTokens },
      { idleMs: limits.modelIdleMs, totalMs: limits.modelTotalMs },
    ),
  )
}
