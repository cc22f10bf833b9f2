/** The workspace an agent works in: its folder, configuration and data folder. Needs no model and no tools. */
import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { present } from '../base/present.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { keyFile, readKeys } from '../config/key-file.ts'
import type { LoadedConfig, Override } from '../config/load.ts'
import { loginSecrets, loginsFile, readLogins } from '../config/mcp-logins.ts'
import { CONFIG_FILE, codeCache, configHome, dataDir, type Env, homeIn, undoHome } from '../config/places.ts'
import { protectedPlaces } from '../context/places.ts'
import type { Lang } from '../i18n/locale.ts'
import { makeRedactor, type Redact } from '../journal/redact.ts'
import { withStoredKeys } from '../model/choose.ts'
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

export interface WorkspaceOptions {
  /** The folder the agent works in; the current folder when absent. */
  workspace?: string
  /** The contents of an `agent.config.json`, or the path of one. The workspace's own when absent. */
  config?: ConfigFile | string
  /** The data folder with the journal; `:memory:` stores nothing. `.writ` in the workspace when absent. */
  data?: string
  baseURL?: string
  autonomy?: Autonomy
  lang?: Lang
  env?: Env
  /** Settings in the file's shape, applied after all others; they can only tighten. */
  overrides?: readonly Override[]
  /** Loaded before from the same options. Used as it is unless there are overrides, so nothing is read twice. */
  context?: WorkspaceContext | undefined
}

export interface WorkspaceContext {
  /** For the programs Writ itself starts: its PATH has no folder that commands can write. */
  env: Env
  workspace: string
  /** The user's configuration folder. */
  configHome: string
  /** Undefined: the journal is in memory. */
  data: string | undefined
  loaded: LoadedConfig
  /** The configuration of the shadow policy. */
  shadow?: LoadedConfig
  /** `agent.security.injectionModel`, absolute. */
  injectionModel?: string
  profile: Profile
  world: World
  redact: Redact
  /** For choosing a model: the environment and the stored keys, which no tool or program is given. */
  modelEnv: Env
}

export async function loadWorkspace(options: WorkspaceOptions & { model?: unknown }): Promise<WorkspaceContext> {
  if (options.context !== undefined && (options.overrides ?? []).length === 0) return options.context
  const given = options.env ?? { ...process.env }
  const workspace = await realpath(resolve(options.workspace ?? process.cwd()))
  const home = homeIn(given, homedir())
  const loaded = await loadedConfig(options, { env: given, workspace, home })
  const shadow = await shadowConfig(options, loaded, { env: given, workspace, home })
  const ownFolder = configHome(given, home)
  const { security } = loaded.config
  const writePaths = Object.freeze(await realFolders(security.writePaths, home))
  const env = { ...given, PATH: trustedPath({ env: given, workspace, writePaths }) }
  const keysAt = keyFile(ownFolder)
  const keys = await readKeys(keysAt)
  const logins = await readLogins(loginsFile(ownFolder))
  const heads = headsFile(loaded.config, env)
  const injectionModel = security.injectionModel?.replace(/^~(?=\/)/, () => home)
  const cache = codeCache(env, home)
  const undo = await realPlace(undoHome(env, home))
  const reaches = (path: string) => [workspace, ...writePaths].some((root) => isWithin(path, root))
  const guarded = [
    ...loaded.files,
    ...(shadow?.files ?? []),
    ...(heads === undefined ? [] : [heads]),
    // A tool that could change it would decide what is found.
    ...(injectionModel === undefined ? [] : [injectionModel]),
    // Outside these folders no tool can reach it, and other Writ processes write there all the time.
    ...[cache, undo].filter(reaches),
    ...ownCodeIn([workspace, ...writePaths]),
  ]
  const data = options.data === ':memory:' ? undefined : dataDir(options.data, env, workspace)
  // Shared by all tools: a tool that could change it would change the limits of the others.
  const world: World = {
    workspace,
    protectedPaths: Object.freeze(protectedPaths(workspace, { data, home: ownFolder, files: guarded })),
    blockedPaths: security.blockedPaths,
    ...present({ data }),
    undo,
    keyFile: keysAt,
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
    ...present({ shadow, injectionModel }),
    profile: chatProfile(loaded.config, env),
    world: Object.freeze({ ...world, remoteBranches: remoteBranches(world) }),
    redact: makeRedactor([...secretsOf(env, loaded.config), ...Object.values(keys), ...loginSecrets(logins)]),
    modelEnv: withStoredKeys(env, keys),
  }
}

/** The real path of a folder that may not exist yet. */
async function realPlace(path: string): Promise<string> {
  const above = dirname(path)
  return realpath(path).catch(async () => (above === path ? path : join(await realPlace(above), basename(path))))
}

/** Resolves symlinks; a folder that does not exist is left out. */
async function realFolders(folders: readonly string[], home: string): Promise<string[]> {
  const found = await Promise.all(
    folders.map((folder) => realpath(folder.replace(/^~(?=\/|$)/, home)).catch(() => undefined)),
  )
  return found.filter((folder) => folder !== undefined && folder !== '/') as string[]
}

/** The file with the heads of ended runs. Protected: a tool that could write it could hide what it did. */
export function headsFile({ audit }: LoadedConfig['config'], env: Env): string | undefined {
  return audit.headsFile?.replace(/^~(?=\/)/, env.HOME ?? homedir())
}

type DataOwner = Pick<WorkspaceContext, 'loaded' | 'data' | 'env' | 'workspace' | 'configHome'>

/**
 * Opens the database for writing. Refuses a data folder that is not this user's. The caller closes it. `onReplaced` is
 * called with a file of the repository that was replaced.
 */
export async function openData(context: DataOwner, onReplaced?: (file: string) => void): Promise<ActingDatabase> {
  const { openForActing } = await import('../storage/acting.ts')
  return openForActing(locationOf(context), onReplaced)
}

/** Opens any data folder for reading, without changing it. */
export async function openDataToRead(context: DataOwner): Promise<Database> {
  const { openForReading } = await import('../storage/reading.ts')
  return openForReading(locationOf(context))
}

function locationOf(context: DataOwner): ActingLocation {
  const { loaded, data, env } = context
  if (data === undefined) return { kind: 'memory' }
  if (loaded.config.store === 'postgres') return { kind: 'postgres', url: env.WRIT_DATABASE_URL ?? '' }
  return { kind: 'folder', ...dataPlace(context, data) }
}

export function dataPlace({ workspace, configHome, env }: Omit<DataOwner, 'loaded' | 'data'>, data: string): DataPlace {
  return { data, workspace, configHome, key: env.WRIT_DATA_KEY || undefined }
}

/** Tools hidden from a conversation until their service is configured; a workflow may name them. */
const REQUIRED_VARIABLES: Record<string, string> = { redis_context: 'WRIT_REDIS_URL', feishu_bot: 'FEISHU_WEBHOOK' }

function chatProfile({ limits, tools, routing, sessionTokenBudget }: LoadedConfig['config'], env: Env): Profile {
  const unconfigured = Object.keys(REQUIRED_VARIABLES).filter((tool) => !env[REQUIRED_VARIABLES[tool] ?? ''])
  const { maxSteps, runMs, callMs, historyMessages, observationMaxLen } = limits
  return {
    ...PROFILES.chat,
    limits: {
      maxSteps,
      ...present({ runMs, callMs }),
      ...(sessionTokenBudget === 0 ? {} : { tokens: { budget: sessionTokenBudget, mode: 'soft' as const } }),
    },
    routing: routing.enabled,
    exposure: { hidden: [...PROFILES.chat.exposure.hidden, ...tools.disabled, ...unconfigured] },
    historyMessages,
    observationMaxLen,
  }
}

async function loadedConfig(
  options: WorkspaceOptions & { model?: unknown },
  at: { env: Env; workspace: string; home: string; withoutOwn?: boolean },
): Promise<LoadedConfig> {
  const { loadConfig } = await import('../config/load.ts')
  const { model, config, baseURL: baseUrl, autonomy, lang, overrides } = options
  const configFile = typeof config === 'string' ? config : undefined
  const given = typeof config === 'object' ? config : undefined
  const flags = present({ model: typeof model === 'string' ? model : undefined, baseUrl, autonomy, lang })
  return loadConfig({ ...at, flags, ...present({ configFile, given, overrides }) })
}

/** A complete configuration of its own. Flags and variables apply to both, so that only the file makes a difference. */
async function shadowConfig(
  options: WorkspaceOptions & { model?: unknown },
  { config }: LoadedConfig,
  at: { env: Env; workspace: string; home: string },
): Promise<LoadedConfig | undefined> {
  const { shadow } = config.security
  if (shadow === undefined) return undefined
  const file = shadow.replace(/^~(?=\/)/, () => at.home)
  return loadedConfig({ ...options, config: file }, { ...at, withoutOwn: true })
}

/** The agent's own configuration and identity, which no tool may change. */
function protectedPaths(
  workspace: string,
  { data, home, files }: { data: string | undefined; home: string; files: readonly string[] },
): string[] {
  const config = join(workspace, CONFIG_FILE)
  return [config, ...protectedPlaces(workspace, home), ...files, ...(data === undefined ? [] : [data])]
}

/** Values of variables whose name says secret, and of those sent to MCP servers as headers. */
function secretsOf(env: Env, { mcp }: LoadedConfig['config']): string[] {
  const secret = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|DATABASE_URL|REDIS_URL|WEBHOOK)$/i
  const sent = new Set(
    Object.values(mcp.servers).flatMap(({ headers = {} }) =>
      Object.values(headers).flatMap((value) => [...value.matchAll(/\$(\w+)/g)].map(([, name = '']) => name)),
    ),
  )
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (secret.test(name) || sent.has(name)) ? [value] : [],
  )
}
