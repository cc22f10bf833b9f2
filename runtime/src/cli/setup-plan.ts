/** What `writ setup` is to write: from flags, or from answers at the terminal. */
import { addAbortSignal } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { nearest } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import { defaultModel, demandName, isKeyless, keyFor, PROVIDERS } from '../model/choose.ts'
import { findLocalServers, ollamaModels, servedModels } from '../model/local-servers.ts'
import type { Provider } from '../model/providers.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'
import { readFromTerminal, readSecret } from './question.ts'
import { setupTexts } from './setup-texts.ts'

export interface Plan {
  provider: Provider | 'rules'
  /** The value of agent.model. */
  model: string
  baseURL?: string
  key?: string
}

const CHOICES = [...PROVIDERS, 'rules'] as const

export async function planFrom(word: string, { values, switches, signal }: Given, io: Io): Promise<Plan> {
  const provider = CHOICES.find((known) => known === word)
  if (provider === undefined) {
    throw new WritError('MODEL_UNKNOWN', { model: word, meant: nearest(word, CHOICES), providers: CHOICES })
  }
  if (provider === 'rules') return { provider, model: 'rules' }
  const baseURL = checkedAddress(values['base-url'], provider)
  const model = modelOf(provider, values.model ?? (await offerOf(provider, baseURL)))
  const key = switches.has('key-from-stdin') ? (await secretFromInput(provider, signal, io)).trim() : undefined
  return { provider, model, ...(baseURL && { baseURL }), ...(key !== undefined && { key }) }
}

/** A terminal does not show what is typed. */
function secretFromInput(provider: Provider, signal: AbortSignal, { lang, stdin }: Io): Promise<string> {
  if (stdin().isTTY === true) return readSecret(setupTexts(lang).key({ provider }), signal)
  return readAll(addAbortSignal(signal, stdin()))
}

export async function askPlan({ signal }: Given, io: Io): Promise<Plan> {
  const texts = setupTexts(io.lang)
  const ask = async (prompt: string) => (await readFromTerminal(prompt, signal)).trim()
  const local = await findLocalServers()
  const remote = PROVIDERS.filter((provider) => defaultModel(provider) !== undefined)
  const options: { label: string; provider: Plan['provider']; baseURL?: string; offer?: string | undefined }[] = [
    ...local.map(({ provider, baseURL, models }) => ({
      label: `${provider === 'ollama' ? 'Ollama' : 'llama.cpp'}  ${texts.local({ models })}`,
      provider,
      ...(baseURL && { baseURL }),
      offer: models[0],
    })),
    ...remote.map((provider) => ({ label: provider, provider, offer: defaultModel(provider) })),
    { label: texts.other, provider: 'compatible' as const },
    { label: texts.rules, provider: 'rules' as const },
  ]
  io.stderr(`${texts.title}\n${options.map(({ label }, i) => `  ${i + 1}  ${label}\n`).join('')}`)
  const chosen = options[Number(await ask(texts.choose({ most: options.length }))) - 1]
  if (chosen === undefined) throw new WritError('SETUP_CANCELLED')
  const { provider } = chosen
  if (provider === 'rules') return { provider, model: 'rules' }
  const typed = chosen.baseURL ?? (provider === 'compatible' ? await ask(texts.address) : undefined)
  const baseURL = checkedAddress(typed, provider)
  const offer = chosen.offer ?? (baseURL === undefined ? undefined : (await servedModels(baseURL))[0])
  const model = modelOf(provider, (await ask(texts.name({ offer }))) || offer)
  const isLocal = chosen.baseURL !== undefined || provider === 'ollama'
  const needsKey = !isLocal && keyFor(provider, io.env) === undefined
  const prompt = isKeyless(provider) ? texts.keyOptional({ provider }) : texts.key({ provider })
  const key = needsKey ? (await readSecret(prompt, signal)).trim() : ''
  return { provider, model, ...(baseURL && { baseURL }), ...(key !== '' && { key }) }
}

async function offerOf(provider: Provider, baseURL: string | undefined): Promise<string | undefined> {
  if (provider === 'ollama' && baseURL === undefined) return (await ollamaModels())[0]
  return defaultModel(provider) ?? (baseURL === undefined ? undefined : (await servedModels(baseURL))[0])
}

/** `name` with or without its provider; the name itself may contain slashes. */
function modelOf(provider: Provider, name: string | undefined): string {
  if (name === undefined || name === '') throw new WritError('SETUP_MODEL_MISSING', { provider })
  const model = name.startsWith(`${provider}/`) ? name : `${provider}/${name}`
  demandName(model)
  return model
}

function checkedAddress(url: string | undefined, provider: Provider): string | undefined {
  if (url === undefined || url === '') {
    if (provider === 'compatible') throw new WritError('MODEL_BASE_URL_MISSING', { name: '…' })
    return undefined
  }
  const parsed = URL.parse(url)
  const isPlain = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.search === ''
  if (!isPlain || parsed.password !== '') throw new WritError('SETUP_ADDRESS_INVALID')
  return url
}
