/** The models an agent asks, by name. */

import { present } from '../base/present.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { Env } from '../config/places.ts'
import { WritError } from '../errors/writ-error.ts'
import { chooseModel, demandName, keyFor } from '../model/choose.ts'
import type { Model } from '../model/model.ts'
import { recordRequests } from '../model/recorder.ts'

export interface ModelOptions {
  /** `provider/name`, `rules`, or a model of your own. */
  model?: string | Model
  /** Receives every model request as one JSON line. */
  record?: (line: string) => void
}

export interface AgentModels {
  /** The configured model when no name is given. */
  open(name?: string): Promise<Model>
  /** A second model beside the main one: only a script stands in for it. */
  openBeside(name: string): Promise<Model>
  /** Throws where the name cannot be a model's. */
  checkName(name: string): void
  /** Passed to `createAgent` as an object. */
  own: Model | undefined
  /** The model with its requests recorded, where that was asked for. */
  recorded(model: Model): Model
}

export function agentModels(options: ModelOptions, at: { env: Env; loaded: LoadedConfig }): AgentModels {
  const { record } = options
  const own = typeof options.model === 'object' ? options.model : undefined
  const recorded = (model: Model) => (record === undefined ? model : recordRequests(model, record))
  return {
    own,
    recorded,
    open: async (name = at.loaded.config.model) =>
      recorded(own === undefined ? await openNamed(name, at) : standIn(own, name)),
    openBeside: async (name) => recorded(own?.route === 'Mock' ? standIn(own, name) : await openNamed(name, at)),
    checkName: (name) => {
      if (own === undefined) demandName(name)
    },
  }
}

/** A model given as an object, such as a script, is used for every name. */
function standIn(model: Model, name: string | undefined): Model {
  return name === undefined || model.route !== 'Mock' ? model : { ...model, standsFor: name }
}

async function openNamed(
  name: string | undefined,
  { env, loaded }: { env: Env; loaded: LoadedConfig },
): Promise<Model> {
  const { model: main, limits, maxOutputTokens, scout } = loaded.config
  const choice = await chooseModel(name, env)
  if (choice === 'rules') return (await import('../model/rules.ts')).rulesModel({ dispatch: scout.dispatchToolName })
  if (choice === 'scripted') throw new WritError('SCRIPT_MISSING')
  const { openModel } = await import('../model/providers.ts')
  // The configured address belongs to the configured model's provider; another provider keeps its own.
  const sameServer = main === undefined || main.startsWith(`${choice.provider}/`)
  const baseURL = sameServer ? loaded.config.baseURL : undefined
  return openModel(
    { ...choice, ...present({ baseURL, apiKey: keyFor(choice.provider, env) }), maxOutputTokens },
    { idleMs: limits.modelIdleMs, totalMs: limits.modelTotalMs },
  )
}
