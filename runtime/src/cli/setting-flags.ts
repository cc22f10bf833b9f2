import type { AgentOptions } from '../assembly/agent.ts'
import { AUTONOMY_LEVELS, type Autonomy } from '../protocol/policy.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'

/** What the flags say of where and how to work. */
export function settingFlags({ values }: Given, io: Io) {
  const { config, data, model, autonomy } = values
  const baseURL = values['base-url']
  const level = autonomyOf(autonomy)
  return {
    workspace: io.cwd,
    env: io.env,
    ...(values.lang === undefined ? {} : { lang: io.lang }),
    ...(config === undefined ? {} : { config }),
    ...(data === undefined ? {} : { data }),
    ...(model === undefined ? {} : { model }),
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(level === undefined ? {} : { autonomy: level }),
  } satisfies AgentOptions
}

/** A word that is no level goes on as it is: the configuration says what is wrong with it. */
function autonomyOf(word: string | undefined): Autonomy | undefined {
  return AUTONOMY_LEVELS.find((level) => level.toLowerCase() === word?.toLowerCase()) ?? (word as Autonomy | undefined)
}
