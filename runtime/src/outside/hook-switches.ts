/** Settings that keep the hooks of an agent from running. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../base/json.ts'
import { hookIn, objectIn, tomlIn } from './hook-settings.ts'

/** The files with settings of an agent, strongest first. */
export interface SettingsFiles {
  /** Of the organisation: no project changes them. */
  managed: readonly string[]
  project: readonly string[]
  user: readonly string[]
}

export interface Off {
  file: string
  /** The setting, as it is called there. */
  setting: string
}

/** What a setting says: true switches hooks off. */
type Switches = Readonly<Record<string, boolean>>

/** Claude Code starts with these and without hooks. */
const BARE = ['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE']
/** A program or library that runs in the place of the hook, and can say in its name that nothing is wrong. */
const IN_ITS_PLACE = ['CLAUDE_CODE_SHELL_PREFIX', 'LD_PRELOAD', 'LD_AUDIT', 'LD_LIBRARY_PATH']
const ON = /^\s*(?:1|true|yes|on)\s*$/i
/** They concern only hooks that are not in the organisation's own settings. */
const NOT_MANAGED = [
  'disableAllHooks',
  'allowManagedHooksOnly',
  'strictPluginOnlyCustomization',
  'allow_managed_hooks_only',
]

/** Of the organisation. `etc`: the folder `/etc`. */
export async function managedFiles(agent: string, etc: string): Promise<string[]> {
  if (agent === 'codex') return ['managed_config.toml', 'requirements.toml'].map((name) => join(etc, 'codex', name))
  if (agent !== 'claude') return []
  const folder = join(etc, 'claude-code')
  const more = (await readdir(join(folder, 'managed-settings.d')).catch(() => []))
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .toSorted()
    .toReversed()
  return [...more.map((name) => join(folder, 'managed-settings.d', name)), join(folder, 'managed-settings.json')]
}

/** The first setting that switches hooks off; undefined: they run. */
export async function switchedOff(
  agent: string,
  { managed, project, user }: SettingsFiles,
  read: (file: string) => Promise<string | undefined>,
): Promise<Off | undefined> {
  const files = await Promise.all(
    [...managed, ...project, ...user].map(async (file) => {
      const text = (await read(file)) ?? ''
      const isManaged = managed.includes(file)
      return { file, isManaged, hasHooks: hookIn(text) !== undefined, switches: switchesIn(agent, text, isManaged) }
    }),
  )
  const areManaged = files.some(({ isManaged, hasHooks }) => isManaged && hasHooks)
  const said = new Set<string>()
  for (const { file, isManaged, switches } of files) {
    for (const [setting, isOff] of Object.entries(switches)) {
      // A stronger file has the last word.
      if (said.has(setting)) continue
      said.add(setting)
      const isHarmless = areManaged && NOT_MANAGED.includes(setting) && !(isManaged && setting === 'disableAllHooks')
      const isOwnProgram = user.includes(file) && IN_ITS_PLACE.includes(setting.replace('env.', ''))
      if (isOff && !isHarmless && !isOwnProgram) return { file, setting }
    }
  }
  return undefined
}

/** Whether a project of Claude Code brings a hook that answers questions: it would also answer ours, as if a person had. */
export async function answersQuestions(project: string): Promise<boolean> {
  const texts = ['settings.json', 'settings.local.json'].map((name) =>
    readFile(join(project, '.claude', name), 'utf8').catch(() => ''),
  )
  return (await Promise.all(texts)).some((text) => {
    try {
      const { hooks } = text === '' ? {} : objectIn(text)
      return isObject(hooks) && hooks.PermissionRequest !== undefined
    } catch {
      return false
    }
  })
}

/** Nothing where the file cannot be read. */
function switchesIn(agent: string, text: string, isManaged: boolean): Switches {
  try {
    if (agent === 'claude') return claudeSwitches(objectIn(text), isManaged)
    return agent === 'codex' ? codexSwitches(tomlIn(text), isManaged) : {}
  } catch {
    return {}
  }
}

function claudeSwitches(settings: Record<string, unknown>, isManaged: boolean): Switches {
  const { disableAllHooks, allowManagedHooksOnly, strictPluginOnlyCustomization: strict, env } = settings
  const given = isObject(env) ? env : {}
  const isStrict = strict === true || (Array.isArray(strict) && strict.includes('hooks'))
  return {
    ...(typeof disableAllHooks === 'boolean' && { disableAllHooks }),
    ...(isManaged && allowManagedHooksOnly === true && { allowManagedHooksOnly }),
    ...(isManaged && isStrict && { strictPluginOnlyCustomization: true }),
    ...switchesOf(BARE, given, (value) => ON.test(value)),
    ...switchesOf(IN_ITS_PLACE, given, (value) => value !== ''),
  }
}

function switchesOf(names: readonly string[], env: Record<string, unknown>, isOn: (value: string) => boolean) {
  const set = names.filter((name) => env[name] !== undefined)
  return Object.fromEntries(set.map((name) => [`env.${name}`, isOn(String(env[name]))]))
}

function codexSwitches(settings: Record<string, unknown>, isManaged: boolean): Switches {
  const { features, allow_managed_hooks_only: onlyManaged } = settings
  const isOn = isObject(features) ? (features.hooks ?? features.codex_hooks) : undefined
  return {
    ...(typeof isOn === 'boolean' && { 'features.hooks': !isOn }),
    ...(isManaged && onlyManaged === true && { allow_managed_hooks_only: true }),
  }
}
