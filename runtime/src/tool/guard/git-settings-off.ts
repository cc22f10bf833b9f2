/** What keeps a repository's own settings and hooks from starting programs, as far as git lets them be overridden. */
import { splitGit } from './git-args.ts'
import { isProgramSetting, type Setting } from './git-config.ts'
import { activeHooks, type Repository } from './git-repository.ts'
import { GIT_TABLE } from './git-table.ts'

/** Never of use to an agent: a watcher, a detached clean-up, a signature that needs the user's keys, submodules unasked. */
const ALWAYS = [
  'core.fsmonitor=false',
  'safe.bareRepository=explicit',
  'credential.helper=',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'push.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'core.sshCommand=ssh',
  // These would print what files hold where nobody asked for it.
  'commit.verbose=false',
  'stash.showPatch=false',
  'diff.submodule=short',
]

/** Programs that work is done with: filters such as LFS, drivers, aliases. They run in the sandbox or not at all. */
const WORKING =
  /^(filter\..+\.(clean|smudge|process)|diff\..+\.(command|textconv)|diff\.external|merge\..+\.driver|trailer\..+\.(command|cmd)|interactive\.difffilter)$/i

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '))
/** Commands that start hooks. The others run without. */
const STARTS_HOOKS = set('am checkout cherry-pick commit merge pull push rebase revert switch worktree')
/** Commands in which no such program starts, by the first part of its setting. All others may start it. */
const STARTS_NONE: Record<string, ReadonlySet<string>> = {
  filter: set(
    'branch config count-objects describe fetch for-each-ref fsck gc help log ls-files ls-remote ls-tree merge-base notes push reflog remote rev-list rev-parse shortlog show show-ref symbolic-ref tag update-ref var version',
  ),
  merge: set(
    'add annotate blame branch commit config diff fetch for-each-ref gc grep log ls-files ls-tree push reflog remote rev-list rev-parse show show-ref status tag',
  ),
  diff: set(
    'add branch checkout clean commit config fetch for-each-ref gc ls-files ls-tree merge pull push rebase remote reset restore rev-list rev-parse rm show-ref status switch tag worktree',
  ),
  trailer: set('add branch checkout config diff fetch log ls-files push remote reset restore show status switch tag'),
  interactive: set(
    'branch config diff fetch log ls-files merge pull push rebase remote rev-list rev-parse show status switch tag',
  ),
}

/** Settings and hooks that would start programs in this command, by name. */
export function programsOf(args: readonly string[], repository: Repository): { settings: string[]; hooks: string[] } {
  const { subcommand } = splitGit(args)
  const isAlias = !GIT_TABLE.has(subcommand)
  const starts = (setting: Setting): boolean => {
    if (setting.key.startsWith('alias.')) return isAlias
    const kind = setting.key.slice(0, setting.key.indexOf('.'))
    return WORKING.test(setting.key) && STARTS_NONE[kind]?.has(subcommand) !== true
  }
  const settings = repository.settings.filter((setting) => isProgramSetting(setting) && starts(setting))
  const hooks = isAlias || STARTS_HOOKS.has(subcommand) ? activeHooks(repository) : []
  return { settings: [...new Set(settings.map(({ key }) => key))], hooks }
}

/** `-c` words for every command. `programs: false` takes the repository's programs away too. */
export function overrides(repository: Repository | undefined, { programs }: { programs: boolean }): string[] {
  const settings = repository?.settings ?? []
  const taken = programs
    ? settings.flatMap((setting) => (WORKING.test(setting.key) ? [] : withoutProgram(setting)))
    : ['core.hooksPath=/dev/null', ...settings.flatMap(withoutProgram)]
  return [...new Set([...ALWAYS, ...taken])].flatMap((setting) => ['-c', setting])
}

function withoutProgram({ key }: Setting): string[] {
  const name = key.toLowerCase()
  const end = key.lastIndexOf('.')
  const part = (leaf: string, value: string): string => `${key.slice(0, end)}.${leaf}=${value}`
  if (/^filter\..+\.(clean|smudge|process|required)$/.test(name))
    return [part('clean', ''), part('smudge', ''), part('process', ''), part('required', 'false')]
  if (/^merge\..+\.driver$/.test(name)) return [part('driver', 'false')]
  if (/^remote\..+\.uploadpack$/.test(name)) return [part('uploadpack', 'git-upload-pack')]
  if (/^remote\..+\.receivepack$/.test(name)) return [part('receivepack', 'git-receive-pack')]
  if (/^submodule\..+\.update$/.test(name)) return [part('update', 'checkout')]
  if (name === 'core.alternaterefscommand') return ['core.alternateRefsCommand=true']
  if (/^hook\..+\.command$/.test(name)) return [part('command', 'true')]
  if (/^trailer\..+\.(command|cmd)$/.test(name)) return [part(key.slice(end + 1), 'true')]
  return []
}
