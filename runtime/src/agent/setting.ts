/** Where an agent works: its folder, its configuration, its journal's place. No model and no tool is needed for it. */
import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { LoadedConfig, Override } from '../config/load.ts'
import { CONFIG_FILE, codeCache, configHome, dataDir, type Env, homeIn } from '../config/places.ts'
import { protectedPlaces } from '../context/places.ts'
import type { Lang } from '../i18n/locale.ts'
import { makeRedactor, type Redact } from '../journal/redact.ts'
import type { Autonomy } from '../protocol/policy.ts'
import type { Profile } from '../protocol/profile.ts'
import type { ActingDatabase, ActingLocation, DataPlace } from '../storage/acting.ts'
import type { Database } from '../storage/database.ts'
import { remoteBranches } from '../tool/guard/git-repository.ts'
import { isWithin } from '../tool/guard/paths.ts'
import { trustedPath } from '../tool/guard/system-programs.ts'
import type { World } from '../tool/tool.ts'
import { ownCodeIn } from './own-code.ts'
import { PROFILES } from './profile.ts'

export interface SettingOptions {
  /** The folder the agent works in; the current one when absent. */
  workspace?: string
  /** The contents of an `agent.config.json`, or the path of one. The workspace's own when absent. */
  config?: object | string
  /** Where the journal is kept; `:memory:` keeps it nowhere. `.writ` in the workspace when absent. */
  data?: string
  baseURL?: string
  autonomy?: Autonomy
  lang?: Lang
  env?: Env
  /** Settings in the file's shape that come after all others and can only narrow. */
  overrides?: readonly Override[]
}

export interface Setting {
  /** For what Writ itself starts: its PATH leads into no folder that commands can write. */
  env: Env
  workspace: string
  /** The user's own folder. */
  configHome: string
  /** Undefined: the journal is kept in memory. */
  data: string | undefined
  loaded: LoadedConfig
  profile: Profile
  world: World
  redact: Redact
}

export async function settingOf(options: SettingOptions & { model?: unknown }): Promise<Setting> {
  const given = options.env ?? { ...process.env }
  const workspace = await realpath(resolve(options.workspace ?? process.cwd()))
  const home = homeIn(given, homedir())
  const loaded = await loadedConfig(options, { env: given, workspace, home })
  const ownFolder = configHome(given, home)
  const { security } = loaded.config
  const writePaths = Object.freeze(await realFolders(security.writePaths, home))
  const env = { ...given, PATH: trustedPath({ env: given, workspace, writePaths }) }
  const heads = headsFile(loaded.config, env)
  const cache = codeCache(env, home)
  const guarded = [
    ...loaded.files,
    ...(heads === undefined ? [] : [heads]),
    // Elsewhere it is out of reach, and other processes of Writ write it all the time.
    ...([workspace, ...writePaths].some((root) => isWithin(cache, root)) ? [cache] : []),
    ...ownCodeIn([workspace, ...writePaths]),
  ]
  const data = options.data === ':memory:' ? undefined : dataDir(options.data, env, workspace)
  // Every tool is handed it: one that could change it would move the walls for the others.
  const world: World = {
    workspace,
    protectedPaths: Object.freeze(protectedPaths(workspace, { data, home: ownFolder, files: guarded })),
    blockedPaths: security.blockedPaths,
    ...(data === undefined ? {} : { data }),
    allowedHosts: security.allowedHosts,
    env: given,
    sandbox: security.sandbox,
    readablePaths: security.readablePaths,
    readPaths: Object.freeze(await realFolders(security.readPaths, home)),
    writePaths,
  }
  return {
    env,
    workspace,
    configHome: ownFolder,
    data,
    loaded,
    profile: chatProfile(loaded.config, env),
    world: Object.freeze({ ...world, remoteBranches: remoteBranches(world) }),
    redact: makeRedactor(secretsOf(env, loaded.config)),
  }
}

/** Where they really are now; what is not there opens nothing. */
async function realFolders(folders: readonly string[], home: string): Promise<string[]> {
  const found = await Promise.all(
    folders.map((folder) => realpath(folder.replace(/^~(?=\/|$)/, home)).catch(() => undefined)),
  )
  return found.filter((folder) => folder !== undefined && folder !== '/') as string[]
}

/** Where the heads of ended runs are kept; a tool that could write there could hide what it did. */
export function headsFile({ audit }: LoadedConfig['config'], env: Env): string | undefined {
  return audit.headsFile?.replace(/^~(?=\/)/, env.HOME ?? homedir())
}

type Kept = Pick<Setting, 'loaded' | 'data' | 'env' | 'workspace' | 'configHome'>

/**
 * The database the journal is in, to work on. Refuses a data folder that is not this user's. The caller closes it.
 * `replaced` hears of a file of the repository that had to give way.
 */
export async function openData(setting: Kept, replaced?: (file: string) => void): Promise<ActingDatabase> {
  const { openForActing } = await import('../storage/acting.ts')
  return openForActing(locationOf(setting), replaced)
}

/** The same to read: any data folder, and none is changed by it. */
export async function openDataToRead(setting: Kept): Promise<Database> {
  const { openForReading } = await import('../storage/reading.ts')
  return openForReading(locationOf(setting))
}

function locationOf(setting: Kept): ActingLocation {
  const { loaded, data, env } = setting
  if (data === undefined) return { kind: 'memory' }
  if (loaded.config.store === 'postgres') return { kind: 'postgres', url: env.WRIT_DATABASE_URL ?? '' }
  return { kind: 'folder', ...dataPlace(setting, data) }
}

export function dataPlace({ workspace, configHome, env }: Omit<Kept, 'loaded' | 'data'>, data: string): DataPlace {
  return { data, workspace, configHome, key: env.WRIT_DATA_KEY || undefined }
}

/** Tools of a service that nobody has set up: a conversation is not told of them, a workflow may name them. */
const NEEDS: Record<string, string> = { redis_context: 'WRIT_REDIS_URL', feishu_bot: 'FEISHU_WEBHOOK' }

function chatProfile({ limits, tools, routing, sessionTokenBudget }: LoadedConfig['config'], env: Env): Profile {
  const notSetUp = Object.keys(NEEDS).filter((tool) => !env[NEEDS[tool] ?? ''])
  const { maxSteps, runMs, callMs, historyMessages, observationMaxLen } = limits
  return {
    ...PROFILES.chat,
    limits: {
      maxSteps,
      ...(runMs === undefined ? {} : { runMs }),
      ...(callMs === undefined ? {} : { callMs }),
      ...(sessionTokenBudget === 0 ? {} : { tokens: { budget: sessionTokenBudget, mode: 'soft' as const } }),
    },
    routing: routing.enabled,
    exposure: { hidden: [...PROFILES.chat.exposure.hidden, ...tools.disabled, ...notSetUp] },
    historyMessages,
    observationMaxLen,
  }
}

async function loadedConfig(
  options: SettingOptions & { model?: unknown },
  at: { env: Env; workspace: string; home: string },
): Promise<LoadedConfig> {
  const { loadConfig } = await import('../config/load.ts')
  const named = typeof options.config === 'string' ? { configFile: options.config } : {}
  const given = typeof options.config === 'object' ? { given: options.config } : {}
  const flags = {
    ...(typeof options.model === 'string' ? { model: options.model } : {}),
    ...(options.baseURL === undefined ? {} : { baseUrl: options.baseURL }),
    ...(options.autonomy === undefined ? {} : { autonomy: options.autonomy }),
    ...(options.lang === undefined ? {} : { lang: options.lang }),
  }
  const { overrides } = options
  return loadConfig({ ...at, flags, ...named, ...given, ...(overrides && { overrides }) })
}

/** What makes the agent what it is; it may not rewrite any of it. */
function protectedPaths(
  workspace: string,
  { data, home, files }: { data: string | undefined; home: string; files: readonly string[] },
): string[] {
  const config = join(workspace, CONFIG_FILE)
  return [config, ...protectedPlaces(workspace, home), ...files, ...(data === undefined ? [] : [data])]
}

/** Every variable whose name says that its value is a secret is one, and every one that is handed to a server. */
function secretsOf(env: Env, { mcp }: LoadedConfig['config']): string[] {
  const secret = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|DATABASE_URL|REDIS_URL|WEBHOOK)$/i
  const handed = new Set(
    Object.values(mcp.servers).flatMap(({ headers = {} }) =>
      Object.values(headers).flatMap((value) => [...value.matchAll(/\$(\w+)/g)].map(([, name = '']) => name)),
    ),
  )
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (secret.test(name) || handed.has(name)) ? [value] : [],
  )
}
