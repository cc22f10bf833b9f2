import type { AgentOptions } from '../assembly/agent.ts'
import { present } from '../base/present.ts'
import { AUTONOMY_LEVELS, type Autonomy } from '../protocol/policy.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'

/** The options of an agent that the flags set. */
export function workspaceFlags({ values }: Given, io: Io) {
  const { config, data, autonomy } = values
  // A script replaces the model of the flag and of the configuration.
  const model = values.script === undefined ? values.model : undefined
  const baseURL = values['base-url']
  const level = autonomyOf(autonomy)
  const lang = values.lang === undefined ? undefined : io.lang
  return present({
    workspace: io.cwd,
    env: io.env,
    lang,
    config,
    data,
    model,
    baseURL,
    autonomy: level,
  }) satisfies AgentOptions
}

/** An unknown level is passed on: the configuration reports it. */
function autonomyOf(word: string | undefined): Autonomy | undefined {
  return AUTONOMY_LEVELS.find((level) => level.toLowerCase() === word?.toLowerCase()) ?? (word as Autonomy | undefined)
}
