/** What a git command line would do and which files it names, judged by its arguments. */

import { why } from '../../i18n/why.ts'
import type { CommandClass } from '../../protocol/command.ts'
import type { Why } from '../../protocol/why.ts'
import { isHarmlessSetting } from './git-config.ts'
import { GIT_CLASSES, GIT_TABLE, type GitClass, type GitRow } from './git-table.ts'
import { hasOption, optionIn, partWords, type Spelling } from './options.ts'
import type { PathUse } from './paths.ts'

/** Global options whose value is the next word. */
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

/** For an unknown word `x`, git runs the program `git-x` or an alias. */
export function isKnownGit(subcommand: string): boolean {
  return subcommand === '' || GIT_TABLE.has(subcommand)
}

/** `git branch -a` and `git tag -l 'v*'` only list. */
function isListing({ lists }: GitRow, rest: readonly string[]): boolean {
  if (lists === undefined) return false
  const { options, words } = partWords(rest, lists.takes ?? {})
  const isAsked = lists.asked !== undefined && hasOption(options, lists.asked)
  return options.every((arg) => lists.options.test(arg)) && (words.length <= (lists.names ?? 0) || isAsked)
}

/** All classes of the command line, the most dangerous last. */
export function gitClasses(args: readonly string[]): GitClass[] {
  const { subcommand, globals, rest } = splitGit(args)
  const found = new Set<GitClass>()
  if (globals.some((arg) => /^(-c|--config-env|--exec-path=)/.test(arg))) found.add('run-programs')
  if (args.some((arg) => /^[a-z0-9][\w+.-]*::/i.test(arg) || /^--[\w-]+=[a-z0-9][\w+.-]*::/i.test(arg)))
    found.add('run-programs')
  const row = GIT_TABLE.get(subcommand)
  if (subcommand === '') found.add('read')
  else if (row === undefined) found.add('run-programs')
  else if (subcommand === 'config') found.add(configClass(rest))
  else for (const is of rowClasses(subcommand, row, rest)) found.add(is)
  if (/^(fetch|pull)$/.test(subcommand) && replacesBranches(rest)) found.add('lose-work')
  return GIT_CLASSES.filter((name) => found.has(name))
}

function rowClasses(subcommand: string, row: GitRow, rest: readonly string[]): GitClass[] {
  const end = rest.indexOf('--')
  const words = (end < 0 ? rest : rest.slice(0, end)).filter((arg) => !arg.startsWith('-'))
  const verbOf = (word: string | undefined): GitClass | undefined =>
    word !== undefined && row.verbs !== undefined && Object.hasOwn(row.verbs, word) ? row.verbs[word] : undefined
  // Also the second word: the first may be the value of an option.
  const verbs = [verbOf(words[0]) ?? row.is, verbOf(words[1])].filter((is) => is !== undefined)
  const isReading = (subcommand === 'clean' && isDry(rest)) || isListing(row, rest)
  return [
    ...(isReading ? (['read'] as const) : verbs),
    ...(row.options ?? []).filter(({ option }) => hasOption(rest, option)).map(({ is }) => is),
    ...(row.words ?? []).filter(({ word }) => rest.some((arg) => word.test(arg))).map(({ is }) => is),
  ]
}

/**
 * Whether a fetch moves or deletes branches and tags of this repository: by `+from:to`, or by pruning what `to` matches.
 * Only names below `refs/remotes` repeat what the remote has.
 */
function replacesBranches(rest: readonly string[]): boolean {
  const prunes = hasOption(rest, { long: 'prune', letters: 'p', valued: 'jo' })
  const refspecs = rest.map((arg) => arg.replace(/^--refmap=/, '')).filter((arg) => !/^-|:\/\/|^[\w.-]+@/.test(arg))
  return refspecs.some((refspec) => {
    const to = /:(.*)$/s.exec(refspec)?.[1] ?? ''
    return (prunes || refspec.startsWith('+')) && to !== '' && !to.startsWith('refs/remotes/')
  })
}

/** The class of the whole command line. */
export function gitClass(args: readonly string[]): CommandClass {
  const is = gitClasses(args).at(-1) ?? 'unknown'
  if (is !== 'read' || isReadingGit(args)) return is
  return connects(splitGit(args)) ? 'fetch' : 'change'
}

function connects({ subcommand, rest }: GitCommand): boolean {
  const network = GIT_TABLE.get(subcommand)?.network
  if (network === undefined || network === true) return network === true
  // `remote show -n` uses what is already known.
  return network.includes(rest[0] ?? '') && !(subcommand === 'remote' && rest[0] === 'show' && rest[1] === '-n')
}

export function isReadingGit(args: readonly string[]): boolean {
  const { subcommand, rest } = splitGit(args)
  const row = GIT_TABLE.get(subcommand)
  if (row === undefined || row.rare === true || connects(splitGit(args))) return false
  const writes = hasOption(rest, { long: 'output' }) || rest.some((arg) => /^(-o|--output)/.test(arg))
  return !writes && gitClasses(args).every((is) => is === 'read')
}

/** What a person should know before approving; each reason raises the call to High risk. */
export function gitDangers(args: readonly string[]): Why[] {
  const { subcommand, globals } = splitGit(args)
  const dangers: Why[] = []
  if (globals.some((arg) => /^(-c|--config-env)/.test(arg))) dangers.push(why('gitConfigProgram'))
  if (globals.some((arg) => arg.startsWith('--exec-path='))) dangers.push(why('gitExecPath'))
  const reasons: Partial<Record<GitClass, Why>> = {
    publish: why('gitPublishes', { subcommand }),
    'lose-work': why('gitLosesWork', { subcommand }),
    'run-programs': why('gitRunsPrograms', { subcommand }),
  }
  for (const is of gitClasses(args)) {
    const danger = reasons[is]
    if (danger !== undefined && !(is === 'run-programs' && dangers.length > 0)) dangers.push(danger)
  }
  return dangers
}

/** Why the effect of a sub-command is not known well enough to run it without approval. */
export function rareGit(subcommand: string): Why[] {
  if (!isKnownGit(subcommand)) return [why('gitAlias', { subcommand })]
  return GIT_TABLE.get(subcommand)?.rare === true ? [why('gitRare', { subcommand })] : []
}

/** Whether files of the working tree change that no argument names. */
export function writesTree(args: readonly string[]): boolean {
  const { subcommand, rest } = splitGit(args)
  // With paths after `--` it writes only those, and each of them is judged.
  if (subcommand === 'checkout' && rest.includes('--')) return false
  if (subcommand === 'reset') return gitClasses(args).includes('lose-work')
  if (subcommand === 'stash') return !/^(list|show|drop|clear)$/.test(rest[0] ?? '')
  return GIT_TABLE.get(subcommand)?.tree === true
}

const CONFIG_TAKES: Spelling = { long: 'file blob type comment default value url', letters: 'ft' }
const CONFIG_WRITES: Spelling = {
  long: 'add unset unset-all replace-all edit rename-section remove-section',
  letters: 'e',
  valued: 'ft',
}
const CONFIG_ELSEWHERE: Spelling = { long: 'global system file worktree blob', letters: 'f', valued: 't' }
const CONFIG_VERBS = new Set(['set', 'unset', 'edit', 'rename-section', 'remove-section'])

/** Reading is `read`, writing a harmless setting is `change`, everything else can name programs. */
function configClass(rest: readonly string[]): GitClass {
  const { options, words } = partWords(rest, CONFIG_TAKES)
  const verb = CONFIG_VERBS.has(words[0] ?? '') ? words.shift() : undefined
  const writes =
    verb !== undefined ||
    hasOption(options, CONFIG_WRITES) ||
    (words.length > 1 && words[0] !== 'get' && !options.some((arg) => arg.startsWith('--get')))
  if (!writes) return 'read'
  const isWhole =
    verb === 'edit' ||
    verb?.endsWith('-section') === true ||
    hasOption(options, { long: 'edit rename-section remove-section', letters: 'e', valued: 'ft' })
  const [key] = words
  if (isWhole || key === undefined || hasOption(options, CONFIG_ELSEWHERE)) return 'run-programs'
  // Without reflogs, a moved branch cannot be found again.
  if (key.toLowerCase() === 'core.logallrefupdates') return 'lose-work'
  return isHarmlessSetting(key) ? 'change' : 'run-programs'
}

/** True when the command would write settings of the user or the machine. */
function writesGlobal(subcommand: string, rest: readonly string[]): boolean {
  const words = rest.filter((arg) => !arg.startsWith('-'))
  if (subcommand === 'maintenance') return words.some((word) => /^(register|unregister|start|stop)$/.test(word))
  if (subcommand === 'scalar') return true
  return (
    subcommand === 'config' && configClass(rest) !== 'read' && hasOption(rest, { long: 'global system', letters: '' })
  )
}

function isDry(rest: readonly string[]): boolean {
  const { options } = partWords(rest, { long: 'exclude', letters: 'e' })
  return (
    hasOption(options, { long: 'dry-run', letters: 'n', valued: 'e' }) && !hasOption(options, { long: 'no-dry-run' })
  )
}

const OUTPUT_ANYWHERE: Spelling = { long: 'output output-directory separate-git-dir' }
const OUTPUT: Record<string, Spelling> = {
  archive: { ...OUTPUT_ANYWHERE, letters: 'o' },
  'format-patch': { ...OUTPUT_ANYWHERE, letters: 'o', valued: 'vGOSU' },
}

/** Options whose value is a text or a pattern. */
const TEXT = /^--(grep|author|committer|format|pretty|since|until|after|before|date|sort|message)=/
const TEXT_NEXT = /^--(grep|author|committer|since|until|message)$/
const SEARCH_NEXT = /^-[SG]$/
/** Files and folders that the arguments name, apart from those git manages in the repository. */
export function gitPaths(args: readonly string[], workspace: string): PathUse[] {
  const { subcommand, globals, rest } = splitGit(args)
  const uses: PathUse[] = []
  let from = workspace
  globals.forEach((arg, i) => {
    const inline = /^(-C|--git-dir=|--work-tree=)(.+)/s.exec(arg)
    const path = inline?.[2] ?? (/^(-C|--git-dir|--work-tree)$/.test(arg) ? (globals[i + 1] ?? '') : undefined)
    if (path === undefined) return
    uses.push({ path, access: 'read', from })
    // -C changes the base for everything after it.
    if (arg.startsWith('-C')) from = path.startsWith('/') ? path : `${from}/${path}`
  })
  const bundles = subcommand === 'bundle' && rest[0] === 'create'
  const bundle = bundles ? rest.findIndex((arg, i) => i > 0 && !arg.startsWith('-')) : -1
  const creates = ['clone', 'init', 'worktree', 'bundle', 'archive', 'format-patch', 'submodule'].includes(subcommand)
  const hasOutput = !['push', 'grep', 'ls-files'].includes(subcommand)
  const pattern = subcommand === 'grep' ? rest.findIndex((arg) => !arg.startsWith('-')) : -1
  const isText = (arg: string, before: string, at: number): boolean =>
    TEXT.test(arg) ||
    TEXT_NEXT.test(before) ||
    (/^(log|show|diff)$/.test(subcommand) && SEARCH_NEXT.test(before)) ||
    (/^(commit|tag|merge)$/.test(subcommand) && before === '-m') ||
    (at === pattern && !/^-\w*[fO]$|^--(file|open)/.test(before))
  rest.forEach((arg, i) => {
    if (isText(arg, rest[i - 1] ?? '', i)) return
    const output = optionIn(arg, OUTPUT[subcommand] ?? OUTPUT_ANYWHERE) ?? /^-o(.*)$/s.exec(arg)?.[1]
    if (i === bundle) uses.push({ path: arg, access: 'write', from })
    else if (output !== undefined && hasOutput)
      uses.push({ path: output || (rest[i + 1] ?? ''), access: 'write', from })
    else for (const path of pathsIn(arg)) uses.push({ path, access: creates ? 'write' : 'read', from })
  })
  if (writesGlobal(subcommand, rest)) uses.push({ path: '~/.gitconfig', access: 'write', from })
  return [...uses, ...sweptPaths(subcommand, rest, from)]
}

/** Commands that restore, move or delete files, including untracked ones. */
function sweptPaths(subcommand: string, rest: readonly string[], from: string): PathUse[] {
  const sweep = (paths: readonly string[]): PathUse[] =>
    paths.map((path) => ({ path, access: 'write', from, whole: true }))
  if (subcommand === 'clean') {
    const { words } = partWords(rest, { long: 'exclude', letters: 'e' })
    return isDry(rest) ? [] : sweep(words.length === 0 ? ['.'] : words)
  }
  if (subcommand === 'stash' && hasOption(rest, { long: 'include-untracked all', letters: 'ua', valued: 'm' }))
    return sweep(['.'])
  const words = rest.filter((arg) => !arg.startsWith('-'))
  return ['checkout', 'restore', 'rm', 'mv'].includes(subcommand) ? sweep(words.filter((word) => word !== '.')) : []
}

/** Paths inside the repository are left to git; absolute ones and those with `..` may lead out of it. */
function pathsIn(arg: string): string[] {
  const candidates = [arg.replace(/^--?[\w-]+=/, ''), ...attachedValues(arg)]
  return candidates.flatMap((value) => {
    if (/^file:\/\//i.test(value)) return [value.replace(/^file:\/\/[^/]*/i, '')]
    return value.startsWith('/') || value.startsWith('~') || /(^|\/)\.\.(\/|$)/.test(value) ? [value] : []
  })
}

/** Values attached to short options, as in `-F/etc/passwd`. What follows the letters below is text. */
function attachedValues(arg: string): string[] {
  const letters = /^-([a-zA-Z]+)/.exec(arg)?.[1] ?? ''
  const text = letters.search(/[SGLem]/)
  return [...letters]
    .flatMap((_, i) => (text >= 0 && i >= text ? [] : [arg.slice(i + 2)]))
    .filter((value) => value !== '')
}

/** An approval for one read covers every read; each changing sub-command needs its own. */
export function approvalKinds(args: readonly string[]): string[] {
  if (isReadingGit(args)) return ['read']
  const { subcommand } = splitGit(args)
  return subcommand === undefined ? [] : [subcommand]
}
