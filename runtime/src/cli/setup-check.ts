/** What `writ setup` checks before anything is stored. */
import { present } from '../base/present.ts'
import { nearest } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import { isKeyless, keyFor } from '../model/choose.ts'
import { checkKey, type KeyCheck } from '../model/key-check.ts'
import { KEY_VARIABLES } from '../model/key-variables.ts'
import type { Provider } from '../model/providers.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'

export interface Plan {
  provider: Provider | 'rules'
  /** The value of agent.model. */
  model: string
  baseURL?: string
  key?: string
}

/** `none`: nothing was asked. */
export interface CheckedPlan {
  plan: Plan
  checked: KeyCheck | 'none'
}

export type CheckAt = Pick<Io, 'env'> & Pick<Given, 'signal'>

/** Throws when the provider rejects the key, or when the address is not one of its API. */
export async function checkPlan(plan: Plan, { env, signal }: CheckAt): Promise<CheckedPlan> {
  const { provider, key, baseURL } = plan
  if (provider === 'rules') return { plan, checked: 'none' }
  const isOpen = isKeyless(provider)
  if (!isOpen && key === undefined && keyFor(provider, env) === undefined) {
    throw new WritError('MODEL_KEY_MISSING.setup', { provider, variables: KEY_VARIABLES[provider] ?? [] })
  }
  // Printable ASCII without spaces: anything else was pasted wrongly and cannot be sent in a header.
  if (key !== undefined && !/^[\x21-\x7e]{1,1000}$/.test(key)) throw new WritError('SETUP_KEY_INVALID')
  // One from the environment is checked too: it is the one that runs will use.
  const used = key ?? keyFor(provider, env)?.trim()
  const checked = await checkAddress({ provider, ...present({ key: used, baseURL }) }, signal)
  if (used !== undefined && checked.is === 'rejected') throw new WritError('SETUP_KEY_REJECTED', { provider })
  return { plan, checked }
}

export async function checkAddress(given: Parameters<typeof checkKey>[0], signal: AbortSignal): Promise<KeyCheck> {
  const checked = await checkKey(given, signal)
  if (checked.is === 'elsewhere') throw new WritError('SETUP_ADDRESS_WRONG', checked)
  return checked
}

/** These list only a part of the names that they accept. */
const PARTIAL_LISTS: readonly Plan['provider'][] = ['anthropic', 'google']

/** Undefined when the server lists the model, or its list says nothing about it. */
export function unlistedModel(
  { provider, model: whole }: Plan,
  models: readonly string[],
): { model: string; models: readonly string[]; meant: string | undefined } | undefined {
  const model = whole.slice(provider.length + 1)
  const isListed = models.includes(model) || (provider === 'ollama' && models.includes(`${model}:latest`))
  if (isListed || models.length === 0 || PARTIAL_LISTS.includes(provider)) return undefined
  return { model, models, meant: nearest(model, models) }
}

/** Undefined where the server has not said which models it has. */
export function unlistedOf({ plan, checked }: CheckedPlan): ReturnType<typeof unlistedModel> {
  return checked === 'none' || checked.is !== 'accepted' ? undefined : unlistedModel(plan, checked.models)
}
