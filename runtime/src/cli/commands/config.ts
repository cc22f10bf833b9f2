import { constants } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../base/json.ts'
import { packagePath } from '../../base/package.ts'
import { present } from '../../base/present.ts'
import { detectorFor } from '../../config/detector.ts'
import { SCHEMA_KEYS, valueAt } from '../../config/keys.ts'
import { type LoadedConfig, loadConfig } from '../../config/load.ts'
import { CONFIG_FILE, type Flags } from '../../config/places.ts'
import { ConfigError, printable } from '../../config/problems.ts'
import { configJsonSchema } from '../../config/schema.ts'
import { configWarnings } from '../../config/untrusted.ts'
import { errorText, WritError } from '../../errors/writ-error.ts'
import { messages } from '../../i18n/locale.ts'
import { codeOf, reasonOf } from '../data.ts'
import { homeOf, type Io } from '../io.ts'

export interface ConfigOptions {
  config?: string | undefined
  json?: boolean
  flags?: Flags
}

/** The configuration in effect in the current folder. */
export function loadHere(options: ConfigOptions, io: Io): Promise<LoadedConfig> {
  return loadConfig({
    workspace: io.cwd,
    env: io.env,
    home: homeOf(io),
    flags: options.flags ?? {},
    ...present({ configFile: options.config }),
  })
}

export async function configCheck(options: ConfigOptions & { file?: string | undefined }, io: Io): Promise<number> {
  const texts = messages(io.lang)
  const named = options.file ?? options.config
  try {
    const loaded = await loadHere({ ...options, config: named }, io)
    const notes = [...loaded.notes, ...(await checkedRules(loaded, named, io))]
    if (options.json) {
      const { files } = loaded
      io.stdout(`${JSON.stringify({ ok: true, files, problems: [], warnings: configWarnings(loaded), notes })}\n`)
      return 0
    }
    for (const text of configWarnings(loaded)) io.stderr(`${texts.config.warning({ text })}\n`)
    for (const text of notes) io.stderr(`${texts.config.note({ text })}\n`)
    io.stdout(`${texts.config.ok({ files: loaded.files })}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof WritError)) throw error
    if (options.json) {
      const found = error instanceof ConfigError ? error.problems : []
      const problems = found.map((problem) => ({ ...problem, message: problem.message[io.lang] }))
      io.stdout(
        `${JSON.stringify({ ok: false, code: error.code, message: errorText(error, io.lang).message, problems })}\n`,
      )
    } else printError(error, io)
    return 2
  }
}

/** Checks the examples of rules and of the shadow policy with the real tools, and opens the classifier; returns notes about rules. */
async function checkedRules({ rules, config }: LoadedConfig, file: string | undefined, io: Io): Promise<string[]> {
  const { shadow, injectionModel } = config.security
  if (rules.length === 0 && shadow === undefined && injectionModel === undefined) return []
  const { createAgent } = await import('../../assembly/agent.ts')
  const { scriptedModel } = await import('../../model/scripted.ts')
  const own = { workspace: io.cwd, env: io.env, lang: io.lang, ...present({ config: file }) }
  const agent = await createAgent({ ...own, data: ':memory:', model: scriptedModel([]), judging: true })
  try {
    await agent.policy.demandExamples()
    return (await agent.policy.notes()).map(printable)
  } finally {
    await agent.close()
  }
}

export async function configShow(options: ConfigOptions, io: Io): Promise<number> {
  const texts = messages(io.lang).config
  let loaded: LoadedConfig
  try {
    loaded = await loadHere(options, io)
  } catch (error) {
    if (!(error instanceof WritError)) throw error
    printError(error, io)
    return 2
  }
  const agent = shownConfig(loaded, texts.hidden)
  if (options.json) {
    const { sources, files, trust } = loaded
    const warnings = configWarnings(loaded)
    io.stdout(`${JSON.stringify({ config: { agent }, sources, warnings, files, trust }, null, 2)}\n`)
    return 0
  }
  for (const text of configWarnings(loaded)) io.stderr(`${texts.warning({ text })}\n`)
  const rows = SCHEMA_KEYS.map(({ path }) => {
    const value = valueAt({ agent }, path)
    return { path, value: value === undefined ? texts.auto : JSON.stringify(value), from: loaded.sources[path] ?? '' }
  })
  const width = Math.max(...rows.map(({ path }) => path.length))
  for (const { path, value, from } of rows) io.stdout(`${path.padEnd(width)}  ${value}  # ${from}\n`)
  return 0
}

/** With the detector in effect, and MCP servers without their secrets. */
export function shownConfig({ config }: LoadedConfig, hidden: string): Record<string, unknown> {
  const guard = config.execution.intentGuard
  const detector = detectorFor(config, config.model ?? 'rules')
  const servers = Object.entries(config.mcp.servers).map(([name, server]) => [
    name,
    { ...server, ...maskEach(server, 'env', hidden), ...maskEach(server, 'headers', hidden) },
  ])
  return {
    ...config,
    execution: { intentGuard: { ...guard, detector } },
    mcp: { servers: Object.fromEntries(servers) },
  }
}

function maskEach(server: Record<string, unknown>, key: string, hidden: string): Record<string, unknown> {
  const values = server[key]
  if (!isObject(values)) return {}
  return { [key]: Object.fromEntries(Object.keys(values).map((name) => [name, hidden])) }
}

export async function configSchema(_options: ConfigOptions, io: Io): Promise<number> {
  io.stdout(`${JSON.stringify(configJsonSchema(), null, 2)}\n`)
  return 0
}

export async function configInit(_options: ConfigOptions, io: Io): Promise<number> {
  const texts = messages(io.lang).config
  const file = join(io.cwd, CONFIG_FILE)
  try {
    await copyFile(TEMPLATE, file, constants.COPYFILE_EXCL)
  } catch (error) {
    const failure =
      codeOf(error) === 'EEXIST'
        ? new WritError('FILE_EXISTS.config', { file })
        : new WritError('CONFIG_UNWRITABLE', { file, why: reasonOf(error) }, { cause: error })
    printError(failure, io)
    return 2
  }
  io.stdout(`${texts.written({ file })}\n`)
  return 0
}

const TEMPLATE = packagePath('templates', 'agent.config.json')

export function printError(error: WritError, io: Io): void {
  const { message, hint } = error.textIn(io.lang)
  io.stderr(`${error.code}: ${message}\n${messages(io.lang).cli.hint({ text: hint })}\n`)
}
