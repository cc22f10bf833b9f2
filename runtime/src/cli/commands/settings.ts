/** Adapters from the command line to `config …` and `trust`. */
import { present } from '../../base/present.ts'
import type { Flags } from '../../config/places.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
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

export function trusted({ switches }: Given, io: Io): Promise<number> {
  return trust({ revoke: switches.has('revoke'), json: switches.has('json') }, io)
}

function optionsOf({ values, switches }: Given): ConfigOptions {
  const { config, model, autonomy, lang } = values
  const baseUrl = values['base-url']
  const flags: Flags = present({ model, baseUrl, autonomy, lang })
  return { json: switches.has('json'), flags, config }
}
