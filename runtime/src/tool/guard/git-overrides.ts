/** Overrides that keep a repository's settings and hooks from starting programs, as far as git allows it. */
import { gitClasses, splitGit } from './git-args.ts'
import type { Setting } from './git-config.ts'
import { startsNoProgram } from './git-inert-settings.ts'
import { activeHooks, type Repository } from './git-repository.ts'
import { GIT_TABLE } from './git-table.ts'

/**
 * Never useful for an agent: a file watcher, a detached clean-up, signatures with the user's keys, recursion into
 * submodules.
 */
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
  // These would print file contents unasked.
  'commit.verbose=false',
  'stash.showPatch=false',
  'diff.submodule=short',
]

/**
 * Programs that git needs for its work: filters such as LFS, drivers, aliases. They run in the sandbox or not at all.
 */
const WORKING =
  /^(filter\..+\.(clean|smudge|process)|diff\..+\.(command|textconv)|diff\.external|merge\..+\.driver|trailer\..+\.(command|cmd)|interactive\.difffilter)$/i
/** Without effect in every call, because of the overrides above or the environment of the call. */
const INERT =
  /^(core\.(fsmonitor|sshcommand|editor|pager|askpass|hookspath)|credential(\..+)?\.helper|sequence\.editor|pager\..+)$/i
/** Used only by difftool and mergetool. */
const TOOLS = /^((merge|diff)tool\..+|(merge|diff)\.(gui)?tool)$/i

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '))
/** Commands that run hooks. */
const STARTS_HOOKS = set('am checkout cherry-pick commit merge pull push rebase revert switch worktree')
/** Commands that do not start such programs, by the first part of the setting. All others may. */
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
/** Commands that are run-programs because of what they write, not because of what they start. */
const WRITES_ONLY = set('config clone init maintenance remote')

export interface Programs {
  /** Settings that would start programs in this command and can be switched off. */
  settings: string[]
  hooks: string[]
  /** Settings that may start programs and cannot be switched off. */
  unknown: string[]
  /** True when the arguments of the command name a program. */
  named: boolean
}

/** The programs this command would start; `settings` are all the settings that git would read. */
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
    // `git config` only reads and writes text, and is the way to inspect and remove such a setting.
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
  if (startsNoProgram(setting) || key.startsWith('alias.') || INERT.test(key)) return false
  return withoutProgram(setting).length === 0
}

/** `-c` options for every command. `programs: false` also disables the repository's programs. */
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
  // A key with an equals sign: `-c` would set another key.
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
