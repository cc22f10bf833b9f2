/** What `writ setup` is to write: from flags, or from answers at the terminal. */
import { addAbortSignal } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { nearest } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import { defaultModel, demandName, isKeyless, keyFor, PROVIDERS } from '../model/choose.ts'
import type { KeyCheck } from '../model/key-check.ts'
import { findLocalServers, ollamaModels } from '../model/local-servers.ts'
import type { Provider } from '../model/providers.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'
import { readSecret, readTyped } from './question.ts'
import { type CheckedPlan, checkAddress, checkPlan, type Plan, unlistedModel, unlistedOf } from './setup-check.ts'
import { setupTexts } from './setup-texts.ts'

const CHOICES = [...PROVIDERS, 'rules'] as const

export async function planFrom(word: string, { values, switches, signal }: Given, io: Io): Promise<CheckedPlan> {
  const provider = CHOICES.find((known) => known === word)
  if (provider === undefined) {
    throw new WritError('MODEL_UNKNOWN', { model: word, meant: nearest(word, CHOICES), providers: CHOICES })
  }
  const at = { env: io.env, signal }
  if (provider === 'rules') return checkPlan({ provider, model: 'rules' }, at)
  const baseURL = checkedAddress(values['base-url'], provider)
  const model = modelOf(provider, values.model ?? (await offerOf(provider, baseURL, signal)))
  const key = switches.has('key-from-stdin') ? (await secretFromInput(provider, signal, io)).trim() : undefined
  const plan = { provider, model, ...(baseURL && { baseURL }), ...(key !== undefined && { key }) }
  const made = await checkPlan(plan, at)
  const unlisted = unlistedOf(made)
  // Without questions, no one can confirm the name.
  if (unlisted !== undefined) throw new WritError('SETUP_MODEL_UNLISTED', { provider, ...unlisted })
  return made
}

/** A terminal does not show what is typed. */
async function secretFromInput(provider: Provider, signal: AbortSignal, { lang, stdin }: Io): Promise<string> {
  if (stdin().isTTY !== true) return readAll(addAbortSignal(signal, stdin()))
  return (await readSecret(setupTexts(lang).key({ provider }), signal)) ?? ''
}

interface Choice {
  label: string
  provider: Plan['provider']
  baseURL?: string
  models?: readonly string[]
  offer?: string | undefined
}

/** A slip is asked about again and the earlier answers stay; otherwise the next line, a key, would go to the shell. */
export async function askPlan({ signal }: Given, io: Io): Promise<CheckedPlan> {
  const texts = setupTexts(io.lang)
  const desk: Desk = { io, signal }
  const options = await choices(texts)
  io.stderr(`${texts.title}\n${options.map(({ label }, i) => `  ${i + 1}  ${label}\n`).join('')}`)
  const most = options.length
  const readNumber = async () => (await readTyped(texts.choose({ most }), signal)) || undefined
  const chosen = await askUntil(
    desk,
    readNumber,
    (line) => options[Number(line) - 1] ?? again(texts.noNumber({ most })),
  )
  const { provider } = chosen
  if (provider === 'rules') return { plan: { provider, model: 'rules' }, checked: 'none' }
  const place = await placeOf({ ...chosen, provider }, desk)
  const { baseURL } = place
  const model = await askModel({ ...chosen, ...place, provider }, desk)
  const plan = { provider, model, ...(baseURL && { baseURL }) }
  const isLocal = chosen.baseURL !== undefined || provider === 'ollama'
  if (isLocal || keyFor(provider, io.env) !== undefined) {
    return withListedModel(await checkPlan(plan, { env: io.env, signal }), desk)
  }
  const isOptional = isKeyless(provider) && place.checked?.is !== 'rejected'
  const prompt = isOptional ? texts.keyOptional({ provider }) : texts.key({ provider })
  const checked = await askUntil(
    desk,
    () => readSecret(prompt, signal),
    (key) => {
      if (key === '' && !isOptional) return again(texts.noKey)
      return checkPlan({ ...plan, ...(key !== '' && { key }) }, { env: io.env, signal })
    },
  )
  return withListedModel(checked, desk)
}

/** Some providers say only to a key which models they have. A name that was typed twice is not asked about again. */
async function withListedModel(made: CheckedPlan, desk: Desk): Promise<CheckedPlan> {
  const { plan } = made
  const unlisted = unlistedOf(made)
  if (unlisted === undefined || plan.provider === 'rules' || desk.insisted === plan.model) return made
  const texts = setupTexts(desk.io.lang)
  desk.io.stderr(`${texts.unlisted(unlisted)}\n${texts.insist}\n`)
  const { provider } = plan
  const offer = unlisted.meant ?? unlisted.models[0]
  const model = await askModel({ label: '', provider, models: unlisted.models, offer }, desk, plan.model)
  return { ...made, plan: { ...plan, model } }
}

async function choices(texts: ReturnType<typeof setupTexts>): Promise<Choice[]> {
  const local = await findLocalServers()
  const remote = PROVIDERS.filter((provider) => defaultModel(provider) !== undefined)
  return [
    ...local.map(({ provider, baseURL, models }) => ({
      label: `${provider === 'ollama' ? 'Ollama' : 'llama.cpp'}  ${texts.local({ models })}`,
      provider,
      models,
      ...(baseURL && { baseURL }),
      offer: models[0],
    })),
    ...remote.map((provider) => ({ label: provider, provider, offer: defaultModel(provider) })),
    { label: texts.other, provider: 'compatible' as const },
    { label: texts.rules, provider: 'rules' as const },
  ]
}

interface Desk {
  io: Io
  signal: AbortSignal
  /** A model that was named again although the server does not list it. */
  insisted?: string
}

/** Why an answer cannot be used. */
class Again {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

function again(text: string): Again {
  return new Again(text)
}

/** Until the answer can be used. No line at all ends the setup. */
async function askUntil<T extends object | string>(
  { io }: Desk,
  read: () => Promise<string | undefined>,
  accept: (line: string) => T | Again | Promise<T | Again>,
): Promise<T> {
  for (;;) {
    const line = await read()
    if (line === undefined) throw new WritError('SETUP_CANCELLED')
    try {
      const answer = await accept(line.trim())
      if (!(answer instanceof Again)) return answer
      io.stderr(`${answer.text}\n`)
    } catch (error) {
      if (!(error instanceof WritError)) throw error
      const { message, hint } = error.textIn(io.lang)
      io.stderr(`${message}\n${hint}\n`)
    }
  }
}

interface PlaceOfServer {
  baseURL?: string | undefined
  models?: readonly string[] | undefined
  checked?: KeyCheck
}

async function placeOf(
  { provider, baseURL, models }: Choice & { provider: Provider },
  desk: Desk,
): Promise<PlaceOfServer> {
  if (provider !== 'compatible' || baseURL !== undefined) return { baseURL, models }
  const { io, signal } = desk
  const texts = setupTexts(io.lang)
  return askUntil(
    desk,
    () => readTyped(texts.address, signal),
    async (line) => {
      const url = checkedAddress(line, provider)
      const checked = await checkAddress({ provider, ...(url && { baseURL: url }) }, signal)
      return { baseURL: url, checked, ...(checked.is === 'accepted' && { models: checked.models }) }
    },
  )
}

function askModel(
  { provider, models = [], offer = models[0] }: Choice & { provider: Provider } & PlaceOfServer,
  desk: Desk,
  doubtedBefore?: string,
): Promise<string> {
  const { io, signal } = desk
  const texts = setupTexts(io.lang)
  let doubted = doubtedBefore
  return askUntil(
    desk,
    () => readTyped(texts.name({ offer }), signal),
    (line) => {
      if (line === '' && offer === undefined) return again(texts.noName)
      const model = modelOf(provider, line || offer)
      const unlisted = unlistedModel({ provider, model }, models)
      if (unlisted === undefined) return model
      if (doubted === model) {
        desk.insisted = model
        return model
      }
      doubted = model
      return again(`${texts.unlisted(unlisted)}\n${texts.insist}`)
    },
  )
}

/** Of a server with an address, the first model that it lists. */
async function offerOf(
  provider: Provider,
  baseURL: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (provider === 'ollama' && baseURL === undefined) return (await ollamaModels())[0]
  const offer = defaultModel(provider)
  if (offer !== undefined || baseURL === undefined) return offer
  const checked = await checkAddress({ provider, baseURL }, signal)
  return checked.is === 'accepted' ? checked.models[0] : undefined
}

/** Keys begin like this, or are one long run of letters and digits; names of models do not. */
const KEY = /^(?:sk|gsk|xai)[-_]|^AIza|^[A-Za-z0-9]{32}/

/** `name` with or without its provider; the name itself may contain slashes. */
function modelOf(provider: Provider, name: string | undefined): string {
  if (name === undefined || name === '') throw new WritError('SETUP_MODEL_MISSING', { provider })
  if (KEY.test(name)) throw new WritError('SETUP_MODEL_IS_KEY')
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
