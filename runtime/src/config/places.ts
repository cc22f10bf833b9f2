/** Where things are kept, and which variables and flags say so. */
import { isAbsolute, join, resolve } from 'node:path'

export type Env = Readonly<Record<string, string | undefined>>

export const CONFIG_FILE = 'agent.config.json'

/** Settings with a variable and a flag of their own, for the common cases; everything else is for files. */
export const SETTINGS = [
  { key: 'agent.model', env: 'WRIT_MODEL', flag: 'model' },
  { key: 'agent.baseURL', env: 'WRIT_BASE_URL', flag: 'baseUrl' },
  { key: 'agent.security.autonomy', env: 'WRIT_AUTONOMY', flag: 'autonomy' },
  { key: 'agent.lang', env: 'WRIT_LANG', flag: 'lang' },
] as const

/** Variables that are read outside the configuration file. */
export const VARIABLES = [
  { env: 'WRIT_CONFIG', meaning: 'A configuration file in place of the workspace’s own; same as `--config`.' },
  { env: 'WRIT_DATA', meaning: 'The data folder; same as `--data`. Else `.writ/` in the workspace.' },
  {
    env: 'WRIT_DATA_KEY',
    meaning: 'A secret of at least 16 characters that binds data folders to everyone who has it: containers, fleets.',
  },
  { env: 'WRIT_DATABASE_URL', meaning: 'The PostgreSQL server, when `agent.store` is `postgres`.' },
  { env: 'WRIT_REDIS_URL', meaning: 'The Redis server of `redis_context`, and of `agent.context.backend` `redis`.' },
  { env: 'FEISHU_WEBHOOK', meaning: 'The bot that `feishu_bot` sends through.' },
  { env: 'FEISHU_SECRET', meaning: 'The secret its messages are signed with.' },
  { env: 'WRIT_CHROMIUM', meaning: 'The Chromium the browser tools drive. Else the usual places are looked through.' },
  { env: 'COMPATIBLE_API_KEY', meaning: 'The key of a `compatible/…` model server, where it wants one.' },
  { env: 'XDG_CONFIG_HOME', meaning: 'Where your own `writ/agent.config.json` is kept. Else `~/.config`.' },
] as const

/** As typed: `baseUrl` is `--base-url`. */
export function flagName(flag: string): string {
  return `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

export type Flags = Partial<Record<(typeof SETTINGS)[number]['flag'], string>>

/** The user's own folder; a relative XDG_CONFIG_HOME is invalid and ignored, as its specification asks. */
export function configHome(env: Env, home: string): string {
  const base = env.XDG_CONFIG_HOME
  return join(base !== undefined && isAbsolute(base) ? base : join(home, '.config'), 'writ')
}

/** Where compiled code of Writ itself is kept; see bin/writ.js. Whoever can write there decides what Writ does. */
export function codeCache(env: Env, home: string): string {
  const base = env.XDG_CACHE_HOME
  const own = env.NODE_COMPILE_CACHE
  if (own !== undefined && isAbsolute(own)) return own
  return join(base !== undefined && isAbsolute(base) ? base : join(home, '.cache'), 'writ')
}

/** The home folder that an environment speaks of. */
export function homeIn(env: Env, fallback: string): string {
  return env.HOME || fallback
}

export function dataDir(flag: string | undefined, env: Env, workspace: string): string {
  return resolve(workspace, flag || env.WRIT_DATA || '.writ')
}
