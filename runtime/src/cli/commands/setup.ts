/** `writ setup`: connects a model. Asks at a terminal; with --provider it takes everything from flags. */
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../base/json.ts'
import { present } from '../../base/present.ts'
import { writePrivately } from '../../base/private-file.ts'
import { readConfigText } from '../../config/file.ts'
import { parseJson } from '../../config/json-text.ts'
import { keyFile, storeKey } from '../../config/key-file.ts'
import { type Raw, withoutValue, withValue } from '../../config/keys.ts'
import { CONFIG_FILE, configHome } from '../../config/places.ts'
import { ConfigError, jsonProblem } from '../../config/problems.ts'
import { WritError } from '../../errors/writ-error.ts'
import { messages } from '../../i18n/locale.ts'
import { whyText } from '../../i18n/why.ts'
import { keyFor } from '../../model/choose.ts'
import { KEY_VARIABLES } from '../../model/key-variables.ts'
import type { Provider } from '../../model/providers.ts'
import { canAsk } from '../adoption.ts'
import { codeOf, unwritable } from '../data.ts'
import type { Given } from '../flags.ts'
import { homeOf, type Io } from '../io.ts'
import { type CheckedPlan, type Plan, unlistedOf } from '../setup-check.ts'
import { askPlan, planFrom } from '../setup-plan.ts'
import { setupTexts } from '../setup-texts.ts'

const CANCELLED = 130

export async function setup(given: Given, io: Io): Promise<number> {
  const { provider } = given.values
  if (provider === undefined && !canAsk(given)) throw new WritError('SETUP_NO_TERMINAL')
  const made = await abortable(
    given.signal,
    provider === undefined ? askPlan(given, io) : planFrom(provider, given, io),
  )
  // After this point both files are written, whatever key is pressed.
  if (made === undefined) return CANCELLED
  const { plan } = made
  const home = configHome(io.env, homeOf(io))
  const keysAt = keyFile(home)
  const config = await settingsFile(join(home, CONFIG_FILE))
  // Read before the key is stored: a broken configuration file must not leave half a setup.
  const text = await settingsWith(config, plan)
  const { key } = plan
  if (plan.provider !== 'rules' && key !== undefined) {
    await storeKey(keysAt, plan.provider, key).catch((error: unknown) => unwrittenFile(keysAt, error))
  }
  await writePrivately(config, text).catch((error: unknown) => unwrittenFile(config, error))
  report({ ...made, keysAt, config }, given, io)
  return 0
}

/** Undefined after Ctrl-C, at once: a half-typed answer or an unfinished check must not count. */
async function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  const done = await Promise.race([aborted, work])
  return signal.aborted ? undefined : done
}

/** A link, as in a folder of dotfiles, stays one. */
function settingsFile(file: string): Promise<string> {
  return realpath(file).catch(() => file)
}

/** The user's settings with the model; all other keys stay. */
async function settingsWith(file: string, { model, baseURL }: Plan): Promise<string> {
  const text = (await readConfigText(file)) ?? ''
  const before = settingsIn(file, text)
  const named = withValue(before, 'agent.model', model)
  // An address belongs to the model it was set for.
  const after =
    baseURL === undefined ? withoutValue(named, 'agent.baseURL') : withValue(named, 'agent.baseURL', baseURL)
  return `${JSON.stringify(after, null, /\n([ \t]+)"/.exec(text)?.[1] ?? 2)}\n`
}

function settingsIn(file: string, text: string): Raw {
  if (text.trim() === '') return {}
  try {
    const { value } = parseJson(text)
    return isObject(value) ? value : {}
  } catch (error) {
    throw new ConfigError([jsonProblem(file, error)])
  }
}

function unwrittenFile(file: string, error: unknown): never {
  throw codeOf(error) === undefined ? error : unwritable(file, error)
}

interface Done extends CheckedPlan {
  keysAt: string
  config: string
}

function report({ plan, checked, keysAt, config }: Done, { switches }: Given, io: Io): void {
  const { provider, model, key, baseURL } = plan
  const stored = key !== undefined
  const result = checked === 'none' ? undefined : checked
  for (const text of doubts(plan, checked, io)) io.stderr(`${messages(io.lang).config.warning({ text })}\n`)
  if (switches.has('json')) {
    const keys = stored ? { keyFile: keysAt, keyCheck: result?.is } : {}
    io.stdout(`${JSON.stringify({ provider, model, ...present({ baseURL }), configFile: config, ...keys })}\n`)
    return
  }
  const texts = setupTexts(io.lang)
  const variable = provider === 'rules' ? undefined : variableOf(provider, io)
  const lines = [
    ...(stored && result?.is === 'accepted' ? [texts.accepted] : []),
    ...(stored && result?.is === 'unknown' ? [texts.unchecked({ why: whyText(result.why, io.lang) })] : []),
    ...(stored ? [texts.keyStored({ provider, file: keysAt })] : []),
    ...(variable === undefined ? [] : [(stored ? texts.wins : texts.inEnvironment)({ variable })]),
    texts.modelWritten({ model, file: config }),
    ...(io.env.WRIT_MODEL ? [texts.overridden({ variable: 'WRIT_MODEL' })] : []),
    texts.next,
  ]
  io.stdout(`${lines.join('\n')}\n`)
}

/** What may not work, but can be stored. */
function doubts(plan: Plan, checked: Done['checked'], { lang, env }: Io): string[] {
  const texts = setupTexts(lang)
  if (checked === 'none' || plan.provider === 'rules') return []
  if (checked.is === 'rejected' && keyFor(plan.provider, env) === undefined) return [texts.needsKey]
  if (checked.is === 'unknown' && plan.key === undefined) return [texts.unreached({ why: whyText(checked.why, lang) })]
  const unlisted = unlistedOf({ plan, checked })
  return unlisted === undefined ? [] : [texts.unlisted(unlisted)]
}

function variableOf(provider: Provider, { env }: Io): string | undefined {
  return KEY_VARIABLES[provider]?.find((name) => env[name]?.trim())
}
