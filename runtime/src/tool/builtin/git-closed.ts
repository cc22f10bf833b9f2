/**
 * Keeps closed files out of git's output. It does not guess which options print contents: pathspecs exclude the files
 * from all output.
 */
import { WritError } from '../../errors/writ-error.ts'
import { splitGit } from '../guard/git-args.ts'
import { type Git, hasAnswered, wereTracked } from '../guard/git-process.ts'
import { closedPathspecs, gitReach, revisionIn } from '../guard/git-reach.ts'
import type { World } from '../tool.ts'

/** Commands that can print file contents and take pathspecs. */
const PRINTS = new Set(
  'archive diff diff-files diff-index diff-tree format-patch grep log reflog show whatchanged'.split(' '),
)
/** Commands that can give an object another name, or print it without taking pathspecs. */
const HANDLES = new Set(
  'annotate blame branch cat-file checkout merge-file notes read-tree replace restore tag update-index update-ref'.split(
    ' ',
  ),
)
/** Options whose next word is not an object. */
const VALUED = /^(-n|-S|-G|--(max-count|skip|since|after|until|before|author|committer|grep))$/
/** Options that list objects of any kind. Commands that walk history only use the commits. */
const LISTS = /^--(indexed-objects|reflog|alternate-refs|all|branches|tags|remotes|glob)(=|$)/
const WALKS = new Set(['format-patch', 'log', 'reflog', 'whatchanged'])
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const MAX_OBJECTS = 20
const UNTRACKED = /^(-[^-m]*[ua]|--(inc|al))/

export interface Narrowed {
  args: readonly string[]
  /** True when closed files may be missing from the output. */
  leavesOut: boolean
}

export async function withoutClosed(args: readonly string[], world: World, git: Git): Promise<Narrowed> {
  const { subcommand, globals, rest } = splitGit(args)
  const prints = PRINTS.has(subcommand) && !(subcommand === 'reflog' && /^(expire|delete|exists)$/.test(rest[0] ?? ''))
  const { find, leaveOut } = await closedPathspecs(world)
  const asItIs = { args, leavesOut: false }
  const storing = stored(subcommand, rest)
  if (storing !== undefined) return { args: [...globals, ...storing, ...leaveOut], leavesOut: false }
  if (!(prints || HANDLES.has(subcommand)) || leaveOut.length === 0 || isFoldersOnly(subcommand, rest)) return asItIs

  const words = objectWords(subcommand, rest)
  const kinds = await Promise.all(words.slice(0, MAX_OBJECTS).map((word) => kindOf(word, git)))
  const commits = words.filter((_, i) => kinds[i] === 'commit')
  const holds = await wereTracked(find, git, commits)
  // The first pathspec is given twice: an option at the end without its value would take one of them as its value.
  const without = (own: readonly string[]): Narrowed => ({
    args: [...own, ...leaveOut.slice(0, 1), ...leaveOut],
    leavesOut: true,
  })
  if (!holds) {
    // A search may include untracked files.
    if (subcommand !== 'grep') return asItIs
    const { sweeps } = await gitReach(args, world.workspace, world)
    return { ...without(args), leavesOut: sweeps.length > 0 }
  }
  const nameless =
    words.find((word, i) => kinds[i] === 'tree' || (kinds[i] === 'blob' && revisionIn(word) === word)) ??
    (WALKS.has(subcommand) ? undefined : rest.find((arg) => LISTS.test(arg)))
  if (nameless !== undefined) {
    throw new WritError('PATH_BLOCKED.unnamed', { object: nameless })
  }
  if (words.length > MAX_OBJECTS) {
    throw new WritError('PATH_BLOCKED.tooMany', { most: MAX_OBJECTS })
  }
  if (!prints) return asItIs
  if (subcommand !== 'grep' && rest.some((arg) => arg.startsWith('-L'))) {
    throw new WritError('PATH_BLOCKED.lineRange', { subcommand })
  }
  const compared = subcommand === 'diff' ? await comparedFile(rest, git) : undefined
  // Put first, it cannot be taken as the value of an option, and git accepts only another file next to it.
  if (compared !== undefined) {
    const others = rest.filter((_, i) => i !== rest.indexOf(compared))
    return { args: [...globals, subcommand, compared, ...others], leavesOut: false }
  }
  // --follow would lead to closed files under earlier names, and git follows only one pathspec.
  return without([...globals, subcommand, ...rest.filter((arg) => arg !== '--follow')])
}

/** Untracked files would get into git's object store, where they have no name that a pathspec can exclude. */
function stored(subcommand: string, rest: readonly string[]): readonly string[] | undefined {
  if (subcommand === 'add') return ['add', ...rest]
  const [verb = '-'] = rest
  if (subcommand !== 'stash' || !/^(-.*|push|save)$/.test(verb) || !rest.some((arg) => UNTRACKED.test(arg))) return
  if (verb !== 'save') return ['stash', 'push', ...(verb === 'push' ? rest.slice(1) : rest)]
  throw new WritError('PATH_BLOCKED.stashSave')
}

/** Refuses a word that looks like a closed file and is found only in the history, if such a file was ever tracked. */
export async function refuseDoubts(args: readonly string[], world: World, git: Git): Promise<void> {
  const { doubtful } = await gitReach(args, world.workspace, world)
  for (const { path } of doubtful) {
    if (await wereTracked([`:(literal)${path}`], git)) throw new WritError('PATH_BLOCKED', { path })
  }
}

/**
 * True for `git diff --no-index`: its paths were judged by name. Git looks for this option only before the first word.
 */
function isFoldersOnly(subcommand: string, rest: readonly string[]): boolean {
  const first = rest.findIndex((arg) => arg === '--' || !arg.startsWith('-'))
  return subcommand === 'diff' && rest.slice(0, first < 0 ? rest.length : first).includes('--no-index')
}

/** Words that may name an object: plain words, both ends of ranges, and the revision of `revision:path`. */
function objectWords(subcommand: string, rest: readonly string[]): string[] {
  const end = rest.indexOf('--')
  const before = end < 0 ? rest : rest.slice(0, end)
  const isSearch = subcommand === 'grep'
  // For these two commands `-n` takes no number.
  const takesValues = !isSearch && subcommand !== 'format-patch'
  const given = before.flatMap((arg, i) => {
    if (takesValues && VALUED.test(before[i - 1] ?? '')) return []
    if (!arg.startsWith('-')) return [arg]
    // `restore --source=…`, `-s…`, `notes add -C…`
    return HANDLES.has(subcommand) ? [arg.replace(/^--[\w-]+=?|^-\w/, '')] : []
  })
  const hasPattern = before.some((arg) => /^(-e|-f)/.test(arg))
  const words = isSearch && !hasPattern ? given.slice(1) : given
  const objects = words
    .flatMap((word) => [word, ...word.split(/\.{2,3}|,/)])
    .flatMap((word) => {
      const revision = revisionIn(word)
      const plain = revision.replace(/^\^/, '').replace(/(\^\{tree\}|\^[@!]|\^-\d*)+$/, '')
      // The object itself needed approval, and `git show` only lists a folder.
      if (subcommand === 'cat-file') return word === revision ? [] : [plain]
      return subcommand === 'show' || word === revision ? [plain] : [plain, word]
    })
  return [...new Set(objects)].filter((word) => word !== '' && word !== EMPTY_TREE && !word.startsWith('-'))
}

async function kindOf(object: string, git: Git): Promise<string> {
  // The object a tag points to; after a path, `^{}` would be part of the file name.
  const peeled = revisionIn(object) === object ? `${object}^{}` : object
  const end = await git(['cat-file', '-t', peeled])
  // Without an answer it may be a closed file.
  return hasAnswered(end) ? end.output.trim() : 'blob'
}

/** The first word, if it is `revision:file`. */
async function comparedFile(rest: readonly string[], git: Git): Promise<string | undefined> {
  const first = rest.find((arg) => !arg.startsWith('-'))
  return first?.includes(':') === true && (await kindOf(first, git)) === 'blob' ? first : undefined
}
