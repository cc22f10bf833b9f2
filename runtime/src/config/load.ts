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
import type { RuleLayer } from '../protocol/rule.ts'
import { readConfigText } from './file.ts'
import { type JsonText, parseJson } from './json-text.ts'
import { merge, type Raw, RULES, SCHEMA_KEYS, valueAt, withoutValue, withValue } from './keys.ts'
import { migrateLegacy, oldKey } from './legacy.ts'
import { BUDGET_KEYS, narrow } from './narrow.ts'
import { withOwnAddress } from './own-address.ts'
import { CONFIG_FILE, configHome, type Env, type Flags, flagName, organisationFile, SETTINGS } from './places.ts'
import { toPolicy } from './policy.ts'
import { ConfigError, jsonProblem, type Problem, printable, problemText, schemaProblems } from './problems.ts'
import { UNBLOCKED, unblocked, withSecretPlaces } from './protective.ts'
import { readRules } from './remembered-rules.ts'
import { type PlacedRule, placedRules, tightening, withoutReason } from './rules.ts'
import { type AgentConfig, configFile } from './schema.ts'
import { changesSince, readTrust, realWorkspace, rememberedOf, type Trust, trustFile, trustOf } from './trust.ts'
import { marksOf, withConfig } from './trusted-files.ts'
import { checkWhole, notesOn } from './whole-checks.ts'

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
  /** For a shadow policy: without the user's own file, so that its rules do not add up with the shadow's. */
  withoutOwn?: boolean
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
  /** The rules of all files, also part of the policy. */
  rules: readonly PlacedRule[]
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
  /** Its rules, as they are placed in `raw`. */
  rules: readonly PlacedRule[]
}

interface Findings {
  lang: Lang
  home: string
  problems: Problem[]
  warnings: string[]
  untrusted: Pick<Untrusted, 'ignored' | 'partly'>
}

/** The origin of settings given in code. */
const GIVEN = 'createAgent'
const GUARD = 'agent.execution.intentGuard'
/** Zod would compile the schema, which takes longer than the few checks of one start. */
const ONCE = { jitless: true }

export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { env, flags = {} } = options
  const findings: Findings = {
    lang: pickLang(flags.lang, env),
    home: options.home,
    problems: [],
    warnings: [],
    untrusted: { ignored: [], partly: [] },
  }
  const organisation = await readOrganisation(env, findings)
  const ownFile = join(configHome(env, options.home), CONFIG_FILE)
  const own = options.withoutOwn ? undefined : await readLayer(ownFile, { findings, as: 'user' })
  const { layer: local, trust, named, workspace, changed } = await readLocal(options, findings)
  const settings = settingLayers(env, flags, findings)
  refuse(findings)

  const base = [organisation, own].filter((layer) => layer !== undefined)
  if (local !== undefined && local.origin !== own?.origin) {
    base.push(
      named
        ? local
        : trust === 'trusted'
          ? withoutOwnOnly(withinBudget(withoutAllows(local, findings), resolveLayers(base), findings), findings)
          : untrustedPart(withoutAllows(local, findings), resolveLayers(base), findings),
    )
  }
  const layers = withOwnAddress([...base, ...settings])
  for (const { origin, raw } of options.overrides ?? []) {
    const layer = { origin, raw: check({ origin, raw }, findings), rules: [] }
    refuse(findings)
    layers.push(narrowed(layer, resolveLayers(layers), findings))
  }
  const config = deepFreeze(resolveLayers(layers))
  const rules = layers.flatMap((layer) => layer.rules)
  checkWhole(config, env, findings)
  checkUnblocked(layers, findings)
  refuse(findings)
  return {
    config,
    policy: deepFreeze(
      toPolicy(
        config,
        rules.map(({ rule }) => rule),
      ),
    ),
    rules,
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
        layer: givenLayer(options.given, findings),
        named: true,
        trust,
        workspace,
        changed: [],
      }
    const named = resolve(options.workspace, name ?? '')
    const layer = await readLayer(named, { findings, as: 'user' })
    if (layer === undefined) throw new WritError('CONFIG_UNREADABLE.missing', { file: named })
    return { layer, named: true, trust, workspace, changed: [] }
  }
  const text = await readConfigText(file)
  const own = marks && withConfig(marks, text)
  const trust = trustOf(record, workspace, own)
  const changed = trust === 'changed' ? changesSince(rememberedOf(record, workspace) ?? {}, own ?? {}) : []
  return {
    layer: text === undefined ? undefined : parseLayer(file, text, { findings, as: 'project' }),
    named: false,
    trust,
    workspace,
    changed: changed.map((change) => change.file),
  }
}

/** `as`: the layer of its rules. */
interface Reading {
  findings: Findings
  as: RuleLayer
}

async function readLayer(file: string, reading: Reading): Promise<Layer | undefined> {
  const text = await readConfigText(file)
  return text === undefined ? undefined : parseLayer(file, text, reading)
}

function parseLayer(origin: string, text: string, { findings, as }: Reading): Layer {
  if (text === '') return { origin, raw: {}, rules: [] }
  try {
    const json = parseJson(text)
    const raw = check({ origin, raw: json.value, json }, findings)
    return { origin, raw, rules: placedRules({ origin, raw, json }, { as, home: findings.home }) }
  } catch (error) {
    findings.problems.push(jsonProblem(origin, error))
    return { origin, raw: {}, rules: [] }
  }
}

/** Positions in settings given in code would mean nothing, so its rules are placed by their number. */
function givenLayer(given: object, findings: Findings): Layer {
  const { raw } = parseLayer(GIVEN, JSON.stringify(given), { findings, as: 'user' })
  return { origin: GIVEN, raw, rules: placedRules({ origin: GIVEN, raw }, { as: 'user', home: findings.home }) }
}

/** Rules for everyone on the machine, and nothing else. */
async function readOrganisation(env: Env, findings: Findings): Promise<Layer | undefined> {
  const origin = organisationFile(env)
  const text = await readConfigText(origin)
  if (text === undefined || text === '') return undefined
  const layer = parseLayer(origin, text, { findings, as: 'organisation' })
  const others = SCHEMA_KEYS.filter(({ path }) => path !== RULES && valueAt(layer.raw, path) !== undefined)
  for (const { path } of others) {
    const where = parseJson(text).locate(path.split('.'))
    findings.problems.push({ origin, path, where, message: problemText((texts) => texts.organisationOnly) })
  }
  return layer
}

function check(source: { origin: string; raw: unknown; json?: JsonText }, findings: Findings): Raw {
  const raw = isObject(source.raw) ? withoutLegacy({ ...source, raw: source.raw }, findings) : source.raw
  const result = configFile.safeParse(raw, ONCE)
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
    rules: [],
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
  'agent.security.shadow',
  'agent.security.readPaths',
  'agent.security.writePaths',
]

function withoutOwnOnly(layer: Layer, findings: Findings): Layer {
  const keys = OWN_ONLY.filter((path) => valueAt(layer.raw, path) !== undefined)
  if (keys.length === 0) return layer
  findings.warnings.push(printable(messages(findings.lang).config.ownOnly({ file: layer.origin, keys })))
  return { ...layer, raw: keys.reduce(withoutValue, layer.raw) }
}

/** Trust in a workspace does not cover spending more of the user's money. */
function withinBudget(layer: Layer, held: AgentConfig, findings: Findings): Layer {
  const { ignored } = narrow(held, layer.raw)
  const keys = BUDGET_KEYS.filter((path) => ignored.includes(path))
  if (keys.length === 0) return layer
  findings.warnings.push(printable(messages(findings.lang).config.overBudget({ file: layer.origin, keys })))
  return { ...layer, raw: keys.reduce(withoutValue, layer.raw) }
}

/** Trusted or not, a workspace's rules can only tighten. */
function withoutAllows(layer: Layer, findings: Findings): Layer {
  const isAllow = ({ rule }: PlacedRule) => rule.decide === 'allow'
  const places = layer.rules.filter(isAllow).map(({ rule }) => rule.from)
  if (places.length === 0) return layer
  findings.warnings.push(messages(findings.lang).config.projectAllow({ places }))
  return { ...layer, raw: tightening(layer.raw), rules: layer.rules.filter((placed) => !isAllow(placed)) }
}

/** The server validates its later settings; here only what tightens is kept. */
function narrowed(layer: Layer, held: AgentConfig, findings: Findings): Layer {
  const { raw, ignored, partly } = narrow(held, layer.raw)
  const texts = messages(findings.lang).config
  const keys = [...ignored, ...partly]
  if (keys.length > 0) findings.warnings.push(texts.overCeiling({ file: layer.origin, keys }))
  const rules = placedRules({ origin: layer.origin, raw }, { as: 'session', home: findings.home })
  return { origin: layer.origin, raw, rules }
}

function untrustedPart(layer: Layer, held: AgentConfig, findings: Findings): Layer {
  const { raw, ignored, partly } = narrow(held, layer.raw)
  findings.untrusted = { ignored, partly }
  return { origin: layer.origin, raw, rules: layer.rules.map(withoutReason) }
}

function mergeLayers(layers: readonly Layer[]): Raw {
  return layers.reduce<Raw>((raw, layer) => merge(raw, layer.raw), {})
}

function resolveLayers(layers: readonly Layer[]): AgentConfig {
  return configFile.parse(withSecretPlaces(spreadSoftBlock(mergeLayers(layers))), ONCE).agent
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
      if (path === RULES) return [path, namedIn(layers.filter(({ rules }) => rules.length > 0))]
      const from = origin(path) ?? (inherits ? origin(`${GUARD}.softBlockAfter`) : undefined)
      return [path, from ?? 'default']
    }),
  )
}

function namedIn(layers: readonly Layer[]): string {
  return layers.map(({ origin }) => origin).join(', ') || 'default'
}

function checkUnblocked(layers: readonly Layer[], findings: Findings): void {
  const texts = messages(findings.lang).config
  const { open, idle } = unblocked(mergeLayers(layers))
  const file = layers.findLast((layer) => valueAt(layer.raw, UNBLOCKED) !== undefined)?.origin ?? ''
  if (open.length > 0) findings.warnings.push(printable(texts.unblocked({ file, paths: open })))
  if (idle.length > 0) findings.warnings.push(printable(texts.unblockedIdle({ file, paths: idle })))
}
