/** What keeps a repository's own settings and hooks from starting programs, as far as git lets them be overridden. */
import { gitClasses, splitGit } from './git-args.ts'
import type { Setting } from './git-config.ts'
import { isQuietSetting } from './git-quiet.ts'
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
/** Without effect in every call, by the settings above or by the environment of the call. */
const INERT =
  /^(core\.(fsmonitor|sshcommand|editor|pager|askpass|hookspath)|credential(\..+)?\.helper|sequence\.editor|pager\..+)$/i
/** Read by these commands alone. */
const TOOLS = /^((merge|diff)tool\..+|(merge|diff)\.(gui)?tool)$/i

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '))
/** Commands that start hooks. The others run without. */
const STARTS_HOOKS = set('am checkout cherry-pick commit merge pull push rebase revert switch worktree')
/** Commands in which no such program starts, by the first part of its setting. All others may start it. */
const STARTS_NONE: Record<string, ReadonlySet<string>> = {
  filter: set(
    'branch config count-objects fetch for-each-ref fsck gc help log ls-remote ls-tree merge-base notes push reflog remote rev-list rev-parse shortlog show show-ref symbolic-ref tag update-ref var version',
  ),
  merge: set(
    'add annotate blame branch commit config diff fetch for-each-ref gc grep log ls-files ls-tree push reflog remote rev-list rev-parse show show-ref status tag',
  ),
  diff: set(
    'add branch checkout clean config fetch for-each-ref gc ls-files ls-tree merge pull push rebase remote reset restore rev-list rev-parse rm show-ref switch tag worktree',
  ),
  trailer: set('add branch checkout config diff fetch ls-files push remote reset restore status switch'),
  interactive: set(
    'branch config diff fetch log ls-files merge pull push rebase remote rev-list rev-parse show status switch tag',
  ),
}
/** Commands whose class is run-programs for what they write, not for what they start. */
const WRITES_ONLY = set('config clone init maintenance remote')

export interface Programs {
  /** Settings that would start programs in this command, by name, and can be switched off. */
  settings: string[]
  hooks: string[]
  /** Settings that may start programs, by name, and cannot be switched off. */
  unknown: string[]
  /** True when the words of the command name a program. */
  named: boolean
}

/** What would start in this command: `settings` are all that git would read on the way. */
export function programsOf(
  args: readonly string[],
  { repository, settings }: { repository: Repository | undefined; settings: readonly Setting[] },
): Programs {
  const { subcommand, rest } = splitGit(args)
  const isAlias = !GIT_TABLE.has(subcommand)
  const starts = ({ key }: Setting): boolean => {
    if (key.startsWith('alias.')) return isAlias
    const kind = key.slice(0, key.indexOf('.'))
    return WORKING.test(key) && STARTS_NONE[kind]?.has(subcommand) !== true
  }
  const given = settings.filter(({ value }) => value.trim() !== '')
  const hooks = repository !== undefined && (isAlias || STARTS_HOOKS.has(subcommand)) ? activeHooks(repository) : []
  const isTool = subcommand === 'difftool' || subcommand === 'mergetool'
  const unknown = given.filter((setting) => isUnknown(setting) && (isTool || !TOOLS.test(setting.key)))
  return {
    settings: names(given.filter(starts)),
    hooks,
    // `git config` reads and writes text; it is how such a setting is looked at and removed.
    unknown: subcommand === 'config' ? [] : names(unknown),
    named:
      gitClasses([subcommand, ...rest]).includes('run-programs') &&
      !WRITES_ONLY.has(subcommand) &&
      (subcommand !== 'submodule' || rest.includes('foreach')),
  }
}

function names(settings: readonly Setting[]): string[] {
  return [...new Set(settings.map(({ key }) => key))]
}

function isUnknown(setting: Setting): boolean {
  const { key } = setting
  if (isQuietSetting(setting) || key.startsWith('alias.') || INERT.test(key)) return false
  return withoutProgram(setting).length === 0
}

/** `-c` words for every command. `programs: false` takes the repository's programs away too. */
export function overrides(settings: readonly Setting[], { programs }: { programs: boolean }): string[] {
  const taken = programs
    ? settings.flatMap((setting) => (WORKING.test(setting.key) ? [] : withoutProgram(setting)))
    : ['core.hooksPath=/dev/null', ...settings.flatMap(withoutProgram)]
  return [...new Set([...ALWAYS, ...taken])].flatMap((setting) => ['-c', setting])
}

const DEFAULTS: Record<string, string> = {
  'gpg.program': 'gpg',
  'gpg.openpgp.program': 'gpg',
  'gpg.x509.program': 'gpgsm',
  'gpg.ssh.program': 'ssh-keygen',
  'gpg.ssh.defaultkeycommand': 'true',
  'core.alternaterefscommand': 'true',
  'diff.external': 'true',
  'interactive.difffilter': 'cat',
}

function withoutProgram({ key }: Setting): string[] {
  const name = key.toLowerCase()
  // With an equals sign in it, `-c` would set another one.
  if (key.includes('=')) return []
  const end = key.lastIndexOf('.')
  const part = (leaf: string, value: string): string => `${key.slice(0, end)}.${leaf}=${value}`
  const usual = DEFAULTS[key]
  if (usual !== undefined) return [`${key}=${usual}`]
  if (/^filter\..+\.(clean|smudge|process|required)$/.test(name))
    return [part('clean', ''), part('smudge', ''), part('process', ''), part('required', 'false')]
  if (/^diff\..+\.textconv$/.test(name)) return [part('textconv', 'cat')]
  if (/^diff\..+\.command$/.test(name)) return [part('command', 'true')]
  if (/^merge\..+\.driver$/.test(name)) return [part('driver', 'false')]
  if (/^remote\..+\.uploadpack$/.test(name)) return [part('uploadpack', 'git-upload-pack')]
  if (/^remote\..+\.receivepack$/.test(name)) return [part('receivepack', 'git-receive-pack')]
  if (/^submodule\..+\.update$/.test(name)) return [part('update', 'checkout')]
  if (/^hook\..+\.command$/.test(name)) return [part('command', 'true')]
  if (/^trailer\..+\.(command|cmd)$/.test(name)) return [part(key.slice(end + 1), 'true')]
  return []
}
