/** Every setting that git would read in one call: from the repository, its submodules and the command line. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { World } from '../tool.ts'
import { splitGit } from './git-args.ts'
import { readSettings, readSmall, type Setting } from './git-config.ts'
import { modulesOf } from './git-files.ts'
import { linkedPaths } from './git-index.ts'
import type { GitPlace } from './git-place.ts'
import type { Repository } from './git-repository.ts'
import { optionIn } from './options.ts'
import { repositoriesBelow } from './planted-repositories.ts'

export async function allSettings(
  args: readonly string[],
  { place, world }: { place: GitPlace; world: World },
): Promise<Setting[]> {
  const { repository } = place
  const nested = repository === undefined ? [] : await nestedSettings(repository, world)
  return [...(repository?.settings ?? []), ...nested, ...givenSettings(args)]
}

/** An unreadable file counts as a setting with unknown effect. */
const unreadable = (path: string): Setting => ({ key: `unreadable.${path}`, value: 'true' })

/**
 * Git enters submodules by itself and uses their settings. Which folders are submodules can change with the branch, so
 * every repository in the workspace counts.
 */
async function nestedSettings(repository: Repository, world: World): Promise<Setting[]> {
  const index = join(repository.gitDir, 'index')
  const modules = linkedPaths(index)
  const below = [...(await repositoriesBelow(world.workspace)).keys()].filter((path) => path.endsWith('/.git'))
  const links = [...below, ...(modules ?? []).map((path) => join(repository.top, path, '.git'))]
  const folders = new Set([...modulesOf(repository), ...links.flatMap(foldersBehind)])
  for (const own of [repository.gitDir, repository.commonDir]) folders.delete(own)
  const read = [...folders].flatMap((folder) => settingsIn(folder, world))
  return modules === undefined ? [...read, unreadable(index)] : read
}

/** A repository's folder and the folder it shares, found through its `.git`, which may be a file that points there. */
function foldersBehind(dotGit: string): string[] {
  const named = quietly(() => /^gitdir: (.+?)\s*$/s.exec(readSmall(dotGit) ?? '')?.[1])
  const folder = named === undefined ? dotGit : resolve(dirname(dotGit), named)
  const shared = quietly(() => readSmall(join(folder, 'commondir'))?.trim())
  return [folder, ...(shared === undefined ? [] : [resolve(folder, shared)])]
}

function settingsIn(folder: string, { env }: World): Setting[] {
  const { HOME: home } = env
  return ['config', 'config.worktree'].flatMap((name) => {
    const path = join(folder, name)
    if (!existsSync(path)) return []
    return quietly(() => readSettings(path, { home }).settings) ?? [unreadable(path)]
  })
}

function quietly<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** `-c name=value`, `--config-env`, `--exec-path`, and the settings and templates of a new clone. */
function givenSettings(args: readonly string[]): Setting[] {
  const { subcommand, globals, rest } = splitGit(args)
  const valueAt = (words: readonly string[], i: number, inline: string): string =>
    inline === '' ? (words[i + 1] ?? '') : inline
  const own = globals.flatMap((arg, i) => {
    const option = /^(?:-c|--config-env=?)(.*)$/s.exec(arg)
    if (option !== null) return [settingFrom(valueAt(globals, i, option[1] ?? ''))]
    return arg.startsWith('--exec-path=') ? [{ key: 'git.exec-path', value: arg }] : []
  })
  if (subcommand !== 'clone' && subcommand !== 'init') return own
  const first = rest.flatMap((arg, i) => {
    const config = subcommand === 'clone' ? optionIn(arg, { long: 'config', letters: 'c', valued: 'bjou' }) : undefined
    if (config !== undefined) return [settingFrom(valueAt(rest, i, config))]
    return optionIn(arg, { long: 'template' }) === undefined ? [] : [{ key: 'git.template', value: arg }]
  })
  return [...own, ...first]
}

function settingFrom(text: string): Setting {
  const at = text.indexOf('=')
  const written = at < 0 ? text : text.slice(0, at)
  const [first, last] = [written.indexOf('.'), written.lastIndexOf('.')]
  const key = `${written.slice(0, first).toLowerCase()}${written.slice(first, last)}${written.slice(last).toLowerCase()}`
  return {
    key: first < 0 ? written : first === last ? written.toLowerCase() : key,
    value: at < 0 ? 'true' : text.slice(at + 1),
  }
}
