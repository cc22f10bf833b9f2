/**
 * Loads the configuration: flags override variables, variables override files, files override defaults. Read once,
 * validated as a whole, frozen.
 */
import { join, resolve } from 'node:path'
import { fingerprint } from '../base/hash.ts'
import { deepFreeze, isObject } from '../base/json.ts'
import { present } from '../base/present.ts'
import { WritError } from '../errors/writ-error.ts'
import { type Lang, messages, parseLang, pickLang } from '../i18n/locale.ts'
import { TASK_INTENTS } from '../protocol/intent.ts'
import type { Policy } from '../protocol/policy.ts'
import { readConfigText } from './file.ts'
import { type JsonText, parseJson } from './json-text.ts'
import { merge, type Raw, SCHEMA_KEYS, valueAt, withoutValue, withValue } from './keys.ts'
import { migrateLegacy, oldKey } from './legacy.ts'
import { narrow } from './narrow.ts'
import { CONFIG_FILE, configHome, type Env, type Flags, flagName, SETTINGS } from './places.ts'
import { toPolicy } from './policy.ts'
import { ConfigError, jsonProblem, type Problem, printable, problemText, schemaProblems } from './problems.ts'
import { leftOut, UNBLOCKED, unblocked, withSecretPlaces } from './protective.ts'
import { readRules } from './remembered-rules.ts'
import { type AgentConfig, configFile } from './schema.ts'
import { changesSince, readTrust, realWorkspace, rememberedOf, type Trust, trustFile, trustOf } from './trust.ts'
import { marksOf, withConfig } from './trusted-files.ts'

export interface LoadOptions {
  workspace: string
  env: Env
  /** The user's home folder. */
  home: string
  flags?: Flags
  /** The file of `--config`. It replaces the workspace's file and is trusted, because the user named it. */
  configFile?: string
  /**
   * Settings given in code, in the shape of the file. Like a named file, they replace the workspace's and are trusted.
   */
  given?: object
  /** Later restrictions of a server. Applied last, and can only tighten. */
  overrides?: readonly Override[]
}

export interface Override {
  origin: string
  /** In the shape of the file. */
  raw: object
}

export interface LoadedConfig {
  config: AgentConfig
  policy: Policy
  lang: Lang
  /** Source of every key: `default`, or the file, variable or flag. */
  sources: Record<string, string>
  warnings: string[]
  /** Changes in the meaning of used keys, shown by `config check`. */
  notes: string[]
  untrusted: Untrusted
  files: string[]
  fingerprint: string
  trust: Trust
}

/** Keys of the workspace's file without effect, or with a partial one, because the workspace is not trusted. */
export interface Untrusted {
  workspace: string
  /** Files changed since it was trusted. */
  changed: string[]
  ignored: string[]
  partly: string[]
}

/** Validated settings from one source. */
interface Layer {
  origin: string
  raw: Raw
}

interface Findings {
  lang: Lang
  problems: Problem[]
  warnings: string[]
  untrusted: Pick<Untrusted, 'ignored' | 'partly'>
}

/** The origin of settings given in code. */
const GIVEN = 'createAgent'
const GUARD = 'agent.execution.intentGuard'

export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { env, flags = {} } = options
  const findings: Findings = {
    lang: pickLang(flags.lang, env),
    problems: [],
    warnings: [],
    untrusted: { ignored: [], partly: [] },
  }
  const own = await readLayer(join(configHome(env, options.home), CONFIG_FILE), findings)
  const { layer: local, trust, named, workspace, changed } = await readLocal(options, findings)
  const settings = settingLayers(env, flags, findings)
  refuse(findings)

  const base = own === undefined ? [] : [own]
  if (local !== undefined && local.origin !== own?.origin) {
    base.push(
      named
        ? local
        : trust === 'trusted'
          ? withoutOwnOnly(local, findings)
          : untrustedPart(local, resolveLayers(base), findings),
    )
  }
  const layers = [...base, ...settings]
  for (const { origin, raw } of options.overrides ?? []) {
    const layer = { origin, raw: check({ origin, raw }, findings) }
    refuse(findings)
    layers.push(narrowed(layer, resolveLayers(layers), findings))
  }
  const config = deepFreeze(resolveLayers(layers))
  checkWhole(config, env, findings)
  checkUnblocked(layers, findings)
  refuse(findings)
  return {
    config,
    policy: deepFreeze(toPolicy(config)),
    lang: pickLang(flags.lang, env, config.lang),
    sources: sourcesOf(layers),
    warnings: findings.warnings,
    notes: base.flatMap((layer) => notesOn(layer, findings.lang)),
    untrusted: { workspace, changed, ...findings.untrusted },
    files: base.map((layer) => layer.origin).filter((origin) => origin !== GIVEN),
    fingerprint: fingerprint(config),
    trust,
  }
}

function refuse({ problems }: Findings): void {
  if (problems.length > 0) throw new ConfigError(problems)
}

/** The workspace's own file, or the one named in its place. Trust always refers to the workspace's own. */
async function readLocal(options: LoadOptions, findings: Findings) {
  const { env } = options
  const workspace = await realWorkspace(options.workspace)
  const file = join(workspace, CONFIG_FILE)
  const records = trustFile(configHome(env, options.home))
  const record = await readTrust(records)
  const texts = messages(findings.lang).config
  if (record === undefined) findings.warnings.push(texts.trustUnreadable({ file: records }))
  const { unusable } = await readRules(configHome(env, options.home))
  if (unusable.length > 0) findings.warnings.push(printable(texts.rulesUnusable({ files: unusable })))
  const marks = await marksOf(workspace)

  const name = options.configFile ?? (env.WRIT_CONFIG || undefined)
  if (options.given !== undefined || name !== undefined) {
    const text = await readConfigText(file).catch(() => undefined)
    const trust = trustOf(record, workspace, marks && withConfig(marks, text))
    if (options.given !== undefined)
      return {
        layer: parseLayer(GIVEN, JSON.stringify(options.given), findings),
        named: true,
        trust,
        workspace,
        changed: [],
      }
    const named = resolve(options.workspace, name ?? '')
    const layer = await readLayer(named, findings)
    if (layer === undefined) throw new WritError('CONFIG_UNREADABLE.missing', { file: named })
    return { layer, named: true, trust, workspace, changed: [] }
  }
  const text = await readConfigText(file)
  const own = marks && withConfig(marks, text)
  const trust = trustOf(record, workspace, own)
  const changed = trust === 'changed' ? changesSince(rememberedOf(record, workspace) ?? {}, own ?? {}) : []
  return {
    layer: text === undefined ? undefined : parseLayer(file, text, findings),
    named: false,
    trust,
    workspace,
    changed: changed.map((change) => change.file),
  }
}

async function readLayer(file: string, findings: Findings): Promise<Layer | undefined> {
  const text = await readConfigText(file)
  return text === undefined ? undefined : parseLayer(file, text, findings)
}

function parseLayer(origin: string, text: string, findings: Findings): Layer {
  if (text === '') return { origin, raw: {} }
  try {
    const json = parseJson(text)
    return { origin, raw: check({ origin, raw: json.value, json }, findings) }
  } catch (error) {
    findings.problems.push(jsonProblem(origin, error))
    return { origin, raw: {} }
  }
}

function check(source: { origin: string; raw: unknown; json?: JsonText }, findings: Findings): Raw {
  const raw = isObject(source.raw) ? withoutLegacy({ ...source, raw: source.raw }, findings) : source.raw
  const result = configFile.safeParse(raw)
  if (!result.success) findings.problems.push(...schemaProblems({ ...source, raw }, result.error.issues))
  return result.success && isObject(raw) ? raw : {}
}

function withoutLegacy(source: { origin: string; raw: Raw; json?: JsonText }, findings: Findings): Raw {
  const { raw, used, overruled, unknown, invalid } = migrateLegacy(source.raw)
  const texts = messages(findings.lang).config
  for (const path of invalid) {
    const found = JSON.stringify(valueAt(source.raw, path))
    const where = source.json?.locate(path.split('.'))
    const message = problemText(({ wrong, expected }) => wrong({ found, expected: expected.boolean }))
    findings.problems.push({ origin: source.origin, path, ...present({ where }), message })
  }
  if (used.length + overruled.length + unknown.length > 0) {
    const known = [...used, ...overruled]
    const notes = known.length > 0 ? [texts.legacy({ keys: known })] : []
    if (overruled.length > 0) notes.push(texts.legacyOverruled({ keys: overruled }))
    if (unknown.length > 0) notes.push(texts.legacyUnknown({ keys: unknown.map(oldKey) }))
    findings.warnings.push(printable(`${source.origin}: ${notes.join(' ')}`))
  }
  return raw
}

function settingLayers(env: Env, flags: Flags, findings: Findings): Layer[] {
  const layer = (origin: string, key: string, value: string): Layer => ({
    origin,
    raw: check({ origin, raw: withValue({}, key, value) }, findings),
  })
  const variables = SETTINGS.flatMap(({ key, env: name }) => {
    const value = env[name]
    if (value === undefined || value === '') return []
    if (key !== 'agent.lang') return [layer(name, key, value)]
    const lang = parseLang(value)
    if (lang !== undefined) return [layer(name, key, lang)]
    findings.warnings.push(messages(findings.lang).config.langUnknown({ name, value }))
    return []
  })
  const given = SETTINGS.flatMap(({ key, flag }) => {
    const value = flags[flag]
    if (value === undefined) return []
    return [layer(flagName(flag), key, key === 'agent.lang' ? (parseLang(value) ?? value) : value)]
  })
  return [...variables, ...given]
}

/**
 * A workspace must not choose where audit heads are stored, which command is started for them, or which other folders
 * of the user are open.
 */
export const OWN_ONLY: readonly string[] = [
  'agent.audit.headsFile',
  'agent.audit.headsCommand',
  'agent.security.readPaths',
  'agent.security.writePaths',
]

function withoutOwnOnly(layer: Layer, findings: Findings): Layer {
  const keys = OWN_ONLY.filter((path) => valueAt(layer.raw, path) !== undefined)
  if (keys.length === 0) return layer
  findings.warnings.push(printable(messages(findings.lang).config.ownOnly({ file: layer.origin, keys })))
  return { ...layer, raw: keys.reduce(withoutValue, layer.raw) }
}

/** The server validates its later settings; here only what tightens is kept. */
function narrowed(layer: Layer, held: AgentConfig, findings: Findings): Layer {
  const { raw, ignored, partly } = narrow(held, layer.raw)
  const texts = messages(findings.lang).config
  const keys = [...ignored, ...partly]
  if (keys.length > 0) findings.warnings.push(texts.overCeiling({ file: layer.origin, keys }))
  return { origin: layer.origin, raw }
}

function untrustedPart(layer: Layer, held: AgentConfig, findings: Findings): Layer {
  const { raw, ignored, partly } = narrow(held, layer.raw)
  findings.untrusted = { ignored, partly }
  return { origin: layer.origin, raw }
}

function mergeLayers(layers: readonly Layer[]): Raw {
  return layers.reduce<Raw>((raw, layer) => merge(raw, layer.raw), {})
}

function resolveLayers(layers: readonly Layer[]): AgentConfig {
  return configFile.parse(withSecretPlaces(spreadSoftBlock(mergeLayers(layers)))).agent
}

/** A general `softBlockAfter` applies to every intent without its own (S0-63). */
function spreadSoftBlock(raw: Raw): Raw {
  const general = valueAt(raw, `${GUARD}.softBlockAfter`)
  if (general === undefined) return raw
  return TASK_INTENTS.map((label) => `${GUARD}.intents.${label}.softBlockAfter`)
    .filter((path) => valueAt(raw, path) === undefined)
    .reduce((spread, path) => withValue(spread, path, general), raw)
}

function sourcesOf(layers: readonly Layer[]): Record<string, string> {
  const origin = (path: string) => layers.findLast((layer) => valueAt(layer.raw, path) !== undefined)?.origin
  return Object.fromEntries(
    SCHEMA_KEYS.map(({ path }) => {
      const inherits = path.startsWith(`${GUARD}.intents.`) && path.endsWith('.softBlockAfter')
      const from = origin(path) ?? (inherits ? origin(`${GUARD}.softBlockAfter`) : undefined)
      return [path, from ?? 'default']
    }),
  )
}

function checkUnblocked(layers: readonly Layer[], findings: Findings): void {
  const texts = messages(findings.lang).config
  const { open, idle } = unblocked(mergeLayers(layers))
  const file = layers.findLast((layer) => valueAt(layer.raw, UNBLOCKED) !== undefined)?.origin ?? ''
  if (open.length > 0) findings.warnings.push(printable(texts.unblocked({ file, paths: open })))
  if (idle.length > 0) findings.warnings.push(printable(texts.unblockedIdle({ file, paths: idle })))
}

function notesOn(layer: Layer, lang: Lang): string[] {
  const paths = leftOut(layer.raw)
  return paths.length === 0 ? [] : [messages(lang).config.blockedAdds({ file: layer.origin, paths })]
}

/** Checks that involve several keys. */
function checkWhole(config: AgentConfig, env: Env, findings: Findings): void {
  const texts = messages(findings.lang).config
  if (config.model?.startsWith('compatible/') && config.baseURL === undefined) {
    const message = problemText(({ wrongHidden, expected }) => wrongHidden({ expected: expected.baseURL }))
    findings.problems.push({ origin: 'agent.model', path: 'agent.baseURL', message })
  }
  if (config.store === 'postgres' && !env.WRIT_DATABASE_URL) findings.warnings.push(texts.databaseUrl)
  if (config.context.backend === 'redis' && !env.WRIT_REDIS_URL) findings.warnings.push(texts.redisUrl)
  for (const label of TASK_INTENTS) {
    const { enabled, allowedFamilies, softAllowedFamilies, softBlockAfter } =
      config.execution.intentGuard.intents[label]
    const lets = allowedFamilies.length > 0 || (softAllowedFamilies.length > 0 && softBlockAfter > 0)
    if (enabled && !lets) findings.warnings.push(texts.onlyBlocks({ intent: label }))
  }
}
