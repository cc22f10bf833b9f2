/** Paths, and the variables and flags that set them. */
import { isAbsolute, join, resolve } from 'node:path'

export type Env = Readonly<Record<string, string | undefined>>

export const CONFIG_FILE = 'agent.config.json'

/** The organisation's rules, for every user of the machine. */
const ORGANISATION_FILE = '/etc/writ/agent.config.json'

export function organisationFile(env: Env): string {
  return env.WRIT_ORG_CONFIG || ORGANISATION_FILE
}

/** Common settings that have a variable and a flag. */
export const SETTINGS = [
  { key: 'agent.model', env: 'WRIT_MODEL', flag: 'model' },
  { key: 'agent.baseURL', env: 'WRIT_BASE_URL', flag: 'baseUrl' },
  { key: 'agent.security.autonomy', env: 'WRIT_AUTONOMY', flag: 'autonomy' },
  { key: 'agent.lang', env: 'WRIT_LANG', flag: 'lang' },
] as const

/** Variables that are read outside the configuration file. */
export const VARIABLES = [
  { env: 'WRIT_CONFIG', meaning: 'A configuration file in place of the workspace’s own; same as `--config`.' },
  {
    env: 'WRIT_ORG_CONFIG',
    meaning: 'The file with the organisation’s rules. Default: `/etc/writ/agent.config.json`.',
  },
  { env: 'WRIT_DATA', meaning: 'The data folder; same as `--data`. Default: `.writ/` in the workspace.' },
  {
    env: 'WRIT_DATA_KEY',
    meaning:
      'A secret of at least 16 characters that binds data folders to all processes that have it, such as containers.',
  },
  { env: 'WRIT_DATABASE_URL', meaning: 'The PostgreSQL server, when `agent.store` is `postgres`.' },
  { env: 'WRIT_REDIS_URL', meaning: 'The Redis server of `redis_context`, and of `agent.context.backend` `redis`.' },
  { env: 'FEISHU_WEBHOOK', meaning: 'The bot that `feishu_bot` sends through.' },
  { env: 'FEISHU_SECRET', meaning: 'The secret its messages are signed with.' },
  {
    env: 'WRIT_CHROMIUM',
    meaning: 'The Chromium for the browser tools. Default: the first one found in the usual places.',
  },
  { env: 'COMPATIBLE_API_KEY', meaning: 'The key of a `compatible/…` model server, if it requires one.' },
  { env: 'XDG_CONFIG_HOME', meaning: 'Folder of your own `writ/agent.config.json`. Default: `~/.config`.' },
  {
    env: 'XDG_STATE_HOME',
    meaning:
      'Folder of `writ/undo`, the recordings for undo, and `writ/guard`, the journal of guarded sessions. Default: `~/.local/state`.',
  },
] as const

/** As typed: `baseUrl` is `--base-url`. */
export function flagName(flag: string): string {
  return `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

export type Flags = Partial<Record<(typeof SETTINGS)[number]['flag'], string>>

/**
 * The user's configuration folder; a relative XDG_CONFIG_HOME is invalid and ignored, as its specification requires.
 */
export function configHome(env: Env, home: string): string {
  const base = env.XDG_CONFIG_HOME
  return join(base !== undefined && isAbsolute(base) ? base : join(home, '.config'), 'writ')
}

/** The folder of Writ's compile cache; see bin/writ.js. Write access to it is control over Writ. */
export function codeCache(env: Env, home: string): string {
  const base = env.XDG_CACHE_HOME
  const own = env.NODE_COMPILE_CACHE
  if (own !== undefined && isAbsolute(own)) return own
  return join(base !== undefined && isAbsolute(base) ? base : join(home, '.cache'), 'writ')
}

/** Where the workspaces are recorded for undo: outside every project, and kept, unlike a cache. */
export function undoHome(env: Env, home: string): string {
  return join(stateHome(env, home), 'writ/undo')
}

/** The journal of guarded sessions: outside every project, since the agents act there. */
export function guardHome(env: Env, home: string): string {
  return join(stateHome(env, home), 'writ/guard')
}

/** The socket of the daemon that answers the hooks of agents. */
export function hooksHome(env: Env, home: string): string {
  return join(stateHome(env, home), 'writ/hooks')
}

function stateHome(env: Env, home: string): string {
  const base = env.XDG_STATE_HOME
  return base !== undefined && isAbsolute(base) ? base : join(home, '.local/state')
}

/** The home folder of an environment. */
export function homeIn(env: Env, fallback: string): string {
  return env.HOME || fallback
}

export function dataDir(flag: string | undefined, env: Env, workspace: string): string {
  return resolve(workspace, flag || env.WRIT_DATA || '.writ')
}
