/** The user's git settings for one call: selected values, written to a temporary file. */
import { mkdir, writeFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { World } from '../tool.ts'
import { isHarmlessSetting, lastOf, readSettings, readSmall, type Setting } from './git-config.ts'
import type { Repository } from './git-repository.ts'

export async function passOnSettings(world: World, { home, gitDir }: { home: string; gitDir: string }): Promise<void> {
  const settings = userSettings(world, gitDir)
  const passed = settings.filter(({ key }) => isHarmlessSetting(key) || key === 'safe.directory')
  await mkdir(join(home, 'git'), { recursive: true })
  await writeFile(join(home, 'config'), passed.map(written).join(''))
  await writeFile(join(home, 'git', 'ignore'), ignored(settings, world))
}

/** True when commits should be signed, which needs keys that a sandboxed command cannot reach. */
export function wantsSignature(world: World, { gitDir, settings }: Pick<Repository, 'gitDir' | 'settings'>): boolean {
  const value = lastOf([...userSettings(world, gitDir), ...settings], 'commit.gpgsign')
  return value !== undefined && !/^(false|no|off|0|)$/i.test(value)
}

/** The user's global settings; unreadable files have none. */
function userSettings({ env }: World, gitDir: string): Setting[] {
  const { HOME: home } = env
  if (home === undefined) return []
  const places = [join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'git', 'config'), join(home, '.gitconfig')]
  return places.flatMap((place) => {
    try {
      return readSettings(place, { home, applies: (condition) => isAt(condition, gitDir, home) }).settings
    } catch {
      return []
    }
  })
}

/** `gitdir:~/jobs/` selects an identity by folder; other conditions are ignored. */
function isAt(condition: string, gitDir: string, home: string): boolean {
  const [, caseless, pattern] = /^gitdir(\/i)?:(.+)$/.exec(condition) ?? []
  if (pattern === undefined) return false
  const whole = pattern.replace(/^~(?=\/)/, home).replace(/\/$/, '/**')
  const glob = whole.startsWith('/') ? whole : `**/${whole}`
  const expression = glob
    .split(/(\*\*|\*|\?)/)
    .map((part) => (part === '**' ? '.*' : part === '*' ? '[^/]*' : part === '?' ? '[^/]' : RegExp.escape(part)))
    .join('')
  return new RegExp(`^${expression}$`, caseless === undefined ? '' : 'i').test(gitDir)
}

function ignored(settings: readonly Setting[], { env }: World): string {
  const home = env.HOME ?? ''
  const named = lastOf(settings, 'core.excludesfile')?.replace(/^~(?=\/)/, home)
  const path = named ?? join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'git', 'ignore')
  try {
    return isAbsolute(path) ? (readSmall(path) ?? '') : ''
  } catch {
    return ''
  }
}

function written({ key, value }: Setting): string {
  const first = key.indexOf('.')
  const last = key.lastIndexOf('.')
  const middle = first === last ? '' : ` ${quoted(key.slice(first + 1, last))}`
  return `[${key.slice(0, first)}${middle}]\n\t${key.slice(last + 1)} = ${quoted(value)}\n`
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`
}
