/** Adapters from the command line to `config …` and `trust`. */
import { present } from '../../base/present.ts'
import type { Flags } from '../../config/places.ts'
import { messages } from '../../i18n/locale.ts'
import { canAsk } from '../adoption.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { readFromTerminal } from '../question.ts'
import { type ConfigOptions, configCheck, configInit, configSchema, configShow } from './config.ts'
import { trust } from './trust.ts'

export function check(given: Given, io: Io): Promise<number> {
  const [file] = given.words
  return configCheck({ ...optionsOf(given), file }, io)
}

export function show(given: Given, io: Io): Promise<number> {
  return configShow(optionsOf(given), io)
}

export function schema(given: Given, io: Io): Promise<number> {
  return configSchema(optionsOf(given), io)
}

export function init(given: Given, io: Io): Promise<number> {
  return configInit(optionsOf(given), io)
}

export function trusted(given: Given, io: Io): Promise<number> {
  const { switches, signal } = given
  const ask = `${messages(io.lang).trust.ask} `
  const confirm = async () => /^\s*y(?:es)?\s*$/i.test(await readFromTerminal(ask, signal))
  const json = switches.has('json')
  return trust({ revoke: switches.has('revoke'), json, ...(!json && canAsk(given) && { confirm }) }, io)
}

function optionsOf({ values, switches }: Given): ConfigOptions {
  const { config, model, autonomy, lang } = values
  const baseUrl = values['base-url']
  const flags: Flags = present({ model, baseUrl, autonomy, lang })
  return { json: switches.has('json'), flags, config }
}
