/** What a git command line would do beyond changing its repository. */
import type { PathUse } from './paths.ts'

const READING = new Set(
  'annotate blame cat-file check-attr check-ignore cherry count-objects describe diff diff-files diff-index diff-tree for-each-ref grep log ls-files ls-tree merge-base name-rev rev-list rev-parse shortlog show show-branch show-ref status var verify-commit verify-tag version whatchanged'.split(
    ' ',
  ),
)
const WRITING = new Set(
  'add am apply archive bisect branch bundle checkout cherry-pick clean clone commit commit-tree config credential fast-export fast-import fetch filter-branch format-patch fsck gc hash-object help init instaweb interpret-trailers lfs ls-remote maintenance merge merge-file merge-tree mergetool difftool mv notes pack-objects pack-refs prune pull push range-diff read-tree rebase reflog remote repack replace rerere reset restore revert rm send-email daemon shell sparse-checkout stash stripspace submodule subtree svn switch symbolic-ref tag unpack-objects update-index update-ref worktree write-tree'.split(
    ' ',
  ),
)
/** Global options that take the next word. */
const GLOBAL_VALUED = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--super-prefix',
  '--config-env',
  '--attr-source',
])
/** Settings that name a program, an address to trust or another file of settings. */
const PROGRAM_SETTING =
  /^(alias|pager|filter|include|includeif|protocol|url|submodule\..*\.update|mergetool|difftool|browser|man|guitool|trailer|credential|gpg|sendemail)\.|\.(program|cmd|command|textconv|helper|proxy|driver|tool|editor|pager|sshcommand|askpass|fsmonitor|hookspath|gitproxy|external|packobjectshook|uploadpack|receivepack|vcs|templatedir|worktree|attributesfile)$/i

export interface GitCommand {
  subcommand: string
  globals: string[]
  rest: string[]
}

export function splitGit(args: readonly string[]): GitCommand {
  let i = 0
  while (i < args.length && (args[i] ?? '').startsWith('-')) i += GLOBAL_VALUED.has(args[i] ?? '') ? 2 : 1
  return { subcommand: args[i] ?? '', globals: args.slice(0, i), rest: args.slice(i + 1) }
}

/** Git runs `git-x` or the alias `x` for a word it does not know. */
export function isKnownGit(subcommand: string): boolean {
  return subcommand === '' || READING.has(subcommand) || WRITING.has(subcommand)
}

export function isReadingGit(args: readonly string[]): boolean {
  const { subcommand, rest } = splitGit(args)
  return READING.has(subcommand) && gitDangers(args).length === 0 && !rest.some((arg) => /^(-o|--output)/.test(arg))
}

export function gitDangers(args: readonly string[]): string[] {
  const { subcommand, globals, rest } = splitGit(args)
  const has = (pattern: RegExp): boolean => rest.some((arg) => pattern.test(arg))
  const dangers: string[] = []
  if (globals.some((arg) => /^(-c|--config-env)/.test(arg))) dangers.push('git -c can name a program to run')
  if (globals.some((arg) => arg.startsWith('--exec-path='))) dangers.push('git --exec-path names other programs')
  if (args.some((arg) => /^(ext|fd)::/.test(arg))) dangers.push('git ext:: runs a program as a transport')
  if (
    has(/^--(upload-pack|receive-pack|exec|extcmd|open-files-in-pager)(=|$)/) ||
    (subcommand === 'grep' && has(/^-O/))
  )
    dangers.push(`git ${subcommand} is told which program to run`)
  if ((subcommand === 'clone' || subcommand === 'ls-remote') && has(/^-u/))
    dangers.push('git -u names a program to run')
  if ((subcommand === 'clone' || subcommand === 'init') && has(/^(-c|--config|--template)/))
    dangers.push('git clone with settings or templates can run programs')
  if (subcommand === 'rebase' && has(/^-x/)) dangers.push('git rebase -x runs a command')
  if (subcommand === 'difftool' && has(/^-x/)) dangers.push('git difftool -x runs a command')
  if (subcommand === 'bisect' && rest[0] === 'run') dangers.push('git bisect run runs a command')
  if (subcommand === 'submodule' && has(/^foreach$/)) dangers.push('git submodule foreach runs a command')
  if (subcommand === 'filter-branch') dangers.push('git filter-branch runs commands and rewrites history')
  if (['daemon', 'instaweb', 'shell', 'send-email', 'credential'].includes(subcommand))
    dangers.push(`git ${subcommand} serves, sends or reads what is not of this repository`)
  if (
    subcommand === 'push' &&
    (has(/^(--force(-with-lease|-if-includes)?(=|$)|--mirror$|--delete$|--prune$)/) ||
      has(/^-\w*[fd]/) ||
      has(/^\+|^:./))
  )
    dangers.push('git push rewrites or deletes what others have')
  if (subcommand === 'config') dangers.push(...configDangers(rest))
  if (subcommand === 'remote' && has(/^(add|set-url)$/) && has(/^(ext|fd)::/)) dangers.push('git remote runs a program')
  return dangers
}

function configDangers(rest: readonly string[]): string[] {
  const words = rest.filter((arg) => !arg.startsWith('-'))
  const verb = ['set', 'unset', 'edit', 'rename-section', 'remove-section'].includes(words[0] ?? '')
    ? words.shift()
    : undefined
  const writes =
    verb !== undefined ||
    rest.some((arg) => /^(--(add|unset|unset-all|replace-all|edit|rename-section|remove-section)|-e)$/.test(arg)) ||
    (words.length > 1 && words[0] !== 'get' && !rest.some((arg) => arg.startsWith('--get')))
  if (!writes) return []
  if (rest.some((arg) => /^(--global|--system|-f|--file|--worktree|--blob)/.test(arg))) {
    return ['git config changes settings beyond this repository']
  }
  return words[0] === undefined || PROGRAM_SETTING.test(words[0]) ? ['git config names a program to run'] : []
}

/** Files and folders the arguments name outside git's own bookkeeping. */
export function gitPaths(args: readonly string[], workspace: string): PathUse[] {
  const { subcommand, globals, rest } = splitGit(args)
  const uses: PathUse[] = []
  let from = workspace
  globals.forEach((arg, i) => {
    const inline = /^(-C|--git-dir=|--work-tree=)(.+)/s.exec(arg)
    const path = inline?.[2] ?? (/^(-C|--git-dir|--work-tree)$/.test(arg) ? (globals[i + 1] ?? '') : undefined)
    if (path === undefined) return
    uses.push({ path, access: 'read', from })
    // Everything after -C starts from there.
    if (arg.startsWith('-C')) from = path.startsWith('/') ? path : `${from}/${path}`
  })
  const creates = ['clone', 'init', 'worktree', 'bundle', 'archive', 'format-patch', 'submodule'].includes(subcommand)
  const hasOutput = !['push', 'grep', 'ls-files'].includes(subcommand)
  rest.forEach((arg, i) => {
    const output = /^(?:--output(?:-directory)?|--separate-git-dir)(?:=(.*))?$/s.exec(arg) ?? /^-o(.*)$/s.exec(arg)
    if (output !== null && hasOutput) uses.push({ path: output[1] || (rest[i + 1] ?? ''), access: 'write', from })
    else if (isPathLike(arg)) uses.push({ path: optionValue(arg), access: creates ? 'write' : 'read', from })
  })
  return [...uses, ...sweptPaths(subcommand, rest, from)]
}

/** Commands that put back, move or delete files git does not even know, whoever keeps them there. */
function sweptPaths(subcommand: string, rest: readonly string[], from: string): PathUse[] {
  const words = rest.filter((arg) => !arg.startsWith('-'))
  const sweep = (paths: readonly string[]): PathUse[] =>
    paths.map((path) => ({ path, access: 'write', from, whole: true }))
  if (subcommand === 'clean' && !rest.some((arg) => /^(-\w*n\w*|--dry-run)$/.test(arg))) {
    return sweep(words.length === 0 ? ['.'] : words)
  }
  if (subcommand === 'stash' && rest.some((arg) => /^(-\w*[ua]\w*|--include-untracked|--all)$/.test(arg)))
    return sweep(['.'])
  return ['checkout', 'restore', 'rm', 'mv'].includes(subcommand) ? sweep(words.filter((word) => word !== '.')) : []
}

/** Paths of the repository are git's own business; absolute ones and ones that climb may lead out of it. */
function isPathLike(arg: string): boolean {
  const value = optionValue(arg)
  return value.startsWith('/') || value.startsWith('~') || /(^|\/)\.\.(\/|$)/.test(value)
}

function optionValue(arg: string): string {
  return arg.replace(/^--?[\w-]+=/, '')
}
