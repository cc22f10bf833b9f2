/** What a git command line would do beyond changing its repository. */
import { hasOption, optionIn, partWords, type Spelling } from './options.ts'
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

/** Options that name a program, whatever the subcommand. */
const PROGRAM: Spelling = { long: 'upload-pack receive-pack exec extcmd open-files-in-pager' }
/** The same as letters, by subcommand. */
const PROGRAM_LETTERS: Record<string, Spelling> = {
  clone: { letters: 'u', valued: 'bcjo' },
  difftool: { letters: 'x', valued: 'tGOSU' },
  grep: { letters: 'O', valued: 'efmABC' },
  'ls-remote': { letters: 'u', valued: 'o' },
  rebase: { letters: 'x', valued: 'sCSX' },
}
const FOREIGN_SETTINGS: Spelling = { long: 'config template', letters: 'c', valued: 'bjou' }
const REWRITES: Spelling = {
  long: 'force force-with-lease force-if-includes mirror delete prune',
  letters: 'fd',
  valued: 'o',
}

export function isReadingGit(args: readonly string[]): boolean {
  const { subcommand, rest } = splitGit(args)
  const writes = hasOption(rest, { long: 'output' }) || rest.some((arg) => /^(-o|--output)/.test(arg))
  return READING.has(subcommand) && gitDangers(args).length === 0 && !writes
}

export function gitDangers(args: readonly string[]): string[] {
  const { subcommand, globals, rest } = splitGit(args)
  const has = (pattern: RegExp): boolean => rest.some((arg) => pattern.test(arg))
  const dangers: string[] = []
  if (globals.some((arg) => /^(-c|--config-env)/.test(arg))) dangers.push('git -c can name a program to run')
  if (globals.some((arg) => arg.startsWith('--exec-path='))) dangers.push('git --exec-path names other programs')
  if (args.some((arg) => /^(ext|fd)::/.test(arg))) dangers.push('git ext:: runs a program as a transport')
  if (hasOption(rest, PROGRAM) || hasOption(rest, PROGRAM_LETTERS[subcommand] ?? {}))
    dangers.push(`git ${subcommand} is told which program to run`)
  if ((subcommand === 'clone' || subcommand === 'init') && hasOption(rest, FOREIGN_SETTINGS))
    dangers.push('git clone with settings or templates can run programs')
  if (subcommand === 'bisect' && rest[0] === 'run') dangers.push('git bisect run runs a command')
  if (subcommand === 'submodule' && has(/^foreach$/)) dangers.push('git submodule foreach runs a command')
  if (subcommand === 'filter-branch') dangers.push('git filter-branch runs commands and rewrites history')
  if (['daemon', 'instaweb', 'shell', 'send-email', 'credential'].includes(subcommand))
    dangers.push(`git ${subcommand} serves, sends or reads what is not of this repository`)
  if (subcommand === 'push' && (hasOption(rest, REWRITES) || has(/^\+|^:./)))
    dangers.push('git push rewrites or deletes what others have')
  if (subcommand === 'config') dangers.push(...configDangers(rest))
  if (subcommand === 'remote' && has(/^(add|set-url)$/) && has(/^(ext|fd)::/)) dangers.push('git remote runs a program')
  return dangers
}

const CONFIG_TAKES: Spelling = { long: 'file blob type comment default value url', letters: 'ft' }
const CONFIG_WRITES: Spelling = {
  long: 'add unset unset-all replace-all edit rename-section remove-section',
  letters: 'e',
  valued: 'ft',
}
const CONFIG_ELSEWHERE: Spelling = { long: 'global system file worktree blob', letters: 'f', valued: 't' }

function configDangers(rest: readonly string[]): string[] {
  const { options, words } = partWords(rest, CONFIG_TAKES)
  const verb = ['set', 'unset', 'edit', 'rename-section', 'remove-section'].includes(words[0] ?? '')
    ? words.shift()
    : undefined
  const writes =
    verb !== undefined ||
    hasOption(options, CONFIG_WRITES) ||
    (words.length > 1 && words[0] !== 'get' && !options.some((arg) => arg.startsWith('--get')))
  if (!writes) return []
  if (hasOption(options, CONFIG_ELSEWHERE)) return ['git config changes settings beyond this repository']
  return words.length === 0 || words.some((word) => PROGRAM_SETTING.test(word))
    ? ['git config names a program to run']
    : []
}

const OUTPUT_ANYWHERE: Spelling = { long: 'output output-directory separate-git-dir' }
const OUTPUT: Record<string, Spelling> = {
  archive: { ...OUTPUT_ANYWHERE, letters: 'o' },
  'format-patch': { ...OUTPUT_ANYWHERE, letters: 'o', valued: 'vGOSU' },
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
    const output = optionIn(arg, OUTPUT[subcommand] ?? OUTPUT_ANYWHERE) ?? /^-o(.*)$/s.exec(arg)?.[1]
    if (output !== undefined && hasOutput) uses.push({ path: output || (rest[i + 1] ?? ''), access: 'write', from })
    else if (isPathLike(arg)) uses.push({ path: optionValue(arg), access: creates ? 'write' : 'read', from })
  })
  return [...uses, ...sweptPaths(subcommand, rest, from)]
}

/** Commands that put back, move or delete files git does not even know, whoever keeps them there. */
function sweptPaths(subcommand: string, rest: readonly string[], from: string): PathUse[] {
  const sweep = (paths: readonly string[]): PathUse[] =>
    paths.map((path) => ({ path, access: 'write', from, whole: true }))
  if (subcommand === 'clean') {
    const { options, words } = partWords(rest, { long: 'exclude', letters: 'e' })
    const isDry = hasOption(options, { long: 'dry-run', letters: 'n', valued: 'e' })
    return isDry && !hasOption(options, { long: 'no-dry-run' }) ? [] : sweep(words.length === 0 ? ['.'] : words)
  }
  if (subcommand === 'stash' && hasOption(rest, { long: 'include-untracked all', letters: 'ua', valued: 'm' }))
    return sweep(['.'])
  const words = rest.filter((arg) => !arg.startsWith('-'))
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
