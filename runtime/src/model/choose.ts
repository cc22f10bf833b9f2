/** Chooses the model: from the configuration, else from the environment and a local Ollama. */
import { nearest } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import { KEY_VARIABLES } from './key-variables.ts'
import type { Provider } from './providers.ts'

type Env = Readonly<Record<string, string | undefined>>
export type ModelChoice = { provider: Provider; name: string } | 'rules' | 'scripted'

/** In the order they are tried, with the default model of each. */
const OFFERS: Record<Provider, string | undefined> = {
  openai: 'gpt-5-mini',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-2.5-flash',
  deepseek: 'deepseek-chat',
  zhipu: 'glm-4.6',
  ollama: undefined,
  compatible: undefined,
}
/** These work without a key. */
const KEYLESS: readonly Provider[] = ['ollama', 'compatible']
/** The provider of a model that is named without one. */
const MAKERS: readonly [prefix: string, provider: Provider][] = [
  ['gpt-', 'openai'],
  ['claude-', 'anthropic'],
  ['gemini-', 'google'],
  ['deepseek-', 'deepseek'],
  ['glm-', 'zhipu'],
]
export const PROVIDERS = Object.keys(OFFERS) as Provider[]

export function defaultModel(provider: Provider): string | undefined {
  return OFFERS[provider]
}

/** Works without a key. */
export function isKeyless(provider: Provider): boolean {
  return KEYLESS.includes(provider)
}

/** `probe` returns a model of a local Ollama. */
export async function chooseModel(
  configured: string | undefined,
  env: Env,
  probe: () => Promise<string | undefined> = probeOllama,
): Promise<ModelChoice> {
  if (configured !== undefined) return parseChoice(configured, env)
  for (const provider of PROVIDERS) {
    const name = OFFERS[provider]
    if (name !== undefined && keyFor(provider, env) !== undefined) return { provider, name }
  }
  const name = await probe()
  return name === undefined ? 'rules' : { provider: 'ollama', name }
}

function parseChoice(configured: string, env: Env): ModelChoice {
  const choice = demandName(configured)
  if (typeof choice === 'string') return choice
  const variables = KEY_VARIABLES[choice.provider] ?? []
  if (!isKeyless(choice.provider) && keyFor(choice.provider, env) === undefined) {
    throw new WritError('MODEL_KEY_MISSING', { model: configured, variables })
  }
  return choice
}

/** Throws when the name is not valid. The key is not checked. */
export function demandName(configured: string): ModelChoice {
  if (configured === 'rules' || configured === 'scripted') return configured
  const slash = configured.indexOf('/')
  const [word, name] = [configured.slice(0, Math.max(slash, 0)), configured.slice(slash + 1)]
  const maker = MAKERS.find(([prefix]) => slash < 0 && configured.startsWith(prefix))?.[1]
  const provider = maker ?? PROVIDERS.find((known) => known === word)
  if (provider === undefined || name === '') throw unknownModel(configured, slash < 0 ? configured : word)
  return { provider, name }
}

function unknownModel(configured: string, word: string): WritError {
  const near = nearest(word, [...PROVIDERS, 'rules', 'scripted'])
  const meant = near === word ? undefined : near
  return new WritError('MODEL_UNKNOWN', { model: configured, meant, providers: PROVIDERS })
}

/** The provider's key; empty counts as absent. `compatible` uses one if present. */
export function keyFor(provider: Provider, env: Env): string | undefined {
  const variables = KEY_VARIABLES[provider] ?? []
  return variables.map((variable) => env[variable]).find((value) => value !== undefined && value.trim() !== '')
}

async function probeOllama(): Promise<string | undefined> {
  return (await (await import('./local-servers.ts')).ollamaModels())[0]
}

/** The environment with the stored keys of providers that have none in it. */
export function withStoredKeys(env: Env, keys: Readonly<Record<string, string>>): Env {
  const missing = PROVIDERS.flatMap((provider) => {
    const [variable] = KEY_VARIABLES[provider] ?? []
    const key = Object.hasOwn(keys, provider) ? keys[provider] : undefined
    return variable === undefined || key === undefined || keyFor(provider, env) !== undefined ? [] : [[variable, key]]
  })
  return { ...env, ...Object.fromEntries(missing) }
}
