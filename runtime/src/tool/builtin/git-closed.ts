/** Closed files stay out of what git prints. Which options print is not guessed: pathspecs leave the files out of all. */
import { WritError } from '../../base/errors.ts'
import { splitGit } from '../guard/git-args.ts'
import { type Git, wereTracked } from '../guard/git-process.ts'
import { closedPathspecs, gitReach, revisionIn } from '../guard/git-reach.ts'
import type { World } from '../tool.ts'

/** Commands that can print what files hold, and take pathspecs. */
const PRINTS = new Set(
  'archive diff diff-files diff-index diff-tree format-patch grep log reflog show whatchanged'.split(' '),
)
/** Commands that can give what an object holds another name, or print it without taking pathspecs. */
const HANDLES = new Set(
  'annotate blame branch cat-file checkout merge-file notes read-tree replace restore tag update-index update-ref'.split(
    ' ',
  ),
)
/** Options whose next word is no object. */
const VALUED = /^(-n|-S|-G|--(max-count|skip|since|after|until|before|author|committer|grep))$/
/** Options that list objects of any kind; those that walk history pass over all but commits. */
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
  // The first of the pathspecs is given twice: an option at the end that lacks its value would take it for that.
  const without = (own: readonly string[]): Narrowed => ({
    args: [...own, ...leaveOut.slice(0, 1), ...leaveOut],
    leavesOut: true,
  })
  if (!holds) {
    // A search may go beyond what is tracked.
    if (subcommand !== 'grep') return asItIs
    const { sweeps } = await gitReach(args, world.workspace, world)
    return { ...without(args), leavesOut: sweeps.length > 0 }
  }
  const nameless =
    words.find((word, i) => kinds[i] === 'tree' || (kinds[i] === 'blob' && revisionIn(word) === word)) ??
    (WALKS.has(subcommand) ? undefined : rest.find((arg) => LISTS.test(arg)))
  if (nameless !== undefined) {
    throw new WritError('PATH_BLOCKED', `${nameless} is what a file or folder holds, and nobody can tell which one`, {
      hint: 'Name it, as in HEAD:src/main.ts.',
    })
  }
  if (words.length > MAX_OBJECTS) {
    throw new WritError('PATH_BLOCKED', `more than ${MAX_OBJECTS} words are too many to look up what they stand for`, {
      hint: 'Put -- before paths, or ask for less at a time.',
    })
  }
  if (!prints) return asItIs
  if (subcommand !== 'grep' && rest.some((arg) => arg.startsWith('-L'))) {
    throw new WritError('PATH_BLOCKED', `git ${subcommand} -L cannot leave out the blocked files of this repository`, {
      hint: 'Use git log -p -- with the path.',
    })
  }
  const compared = subcommand === 'diff' ? await comparedFile(rest, git) : undefined
  // In front it cannot be mistaken for the value of an option; next to it git takes only another file.
  if (compared !== undefined) {
    const others = rest.filter((_, i) => i !== rest.indexOf(compared))
    return { args: [...globals, subcommand, compared, ...others], leavesOut: false }
  }
  // Following a file back through its names would lead to closed ones, and git follows one pathspec only.
  return without([...globals, subcommand, ...rest.filter((arg) => arg !== '--follow')])
}

/** Files that git does not follow would get into its store, where they have no name to be left out by. */
function stored(subcommand: string, rest: readonly string[]): readonly string[] | undefined {
  if (subcommand === 'add') return ['add', ...rest]
  const [verb = '-'] = rest
  if (subcommand !== 'stash' || !/^(-.*|push|save)$/.test(verb) || !rest.some((arg) => UNTRACKED.test(arg))) return
  if (verb !== 'save') return ['stash', 'push', ...(verb === 'push' ? rest.slice(1) : rest)]
  throw new WritError('PATH_BLOCKED', 'git stash save cannot leave out blocked files', {
    hint: 'Use git stash push, with -m for the message.',
  })
}

/** A word called like a closed file that only the history knows: refused when it ever was one. */
export async function refuseDoubts(args: readonly string[], world: World, git: Git): Promise<void> {
  const { doubtful } = await gitReach(args, world.workspace, world)
  for (const { path } of doubtful) {
    if (await wereTracked([`:(literal)${path}`], git)) throw new WritError('PATH_BLOCKED', `${path} is blocked`)
  }
}

/** True of `git diff --no-index`, whose paths were all judged by their names. Git looks for it up to the first word. */
function isFoldersOnly(subcommand: string, rest: readonly string[]): boolean {
  const first = rest.findIndex((arg) => arg === '--' || !arg.startsWith('-'))
  return subcommand === 'diff' && rest.slice(0, first < 0 ? rest.length : first).includes('--no-index')
}

/** What may stand for an object: words, the ends of ranges, and the revisions of `revision:path`. */
function objectWords(subcommand: string, rest: readonly string[]): string[] {
  const end = rest.indexOf('--')
  const before = end < 0 ? rest : rest.slice(0, end)
  const isSearch = subcommand === 'grep'
  // To these two `-n` is no number.
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
      // A person was asked about the object itself, and `git show` only lists a folder.
      if (subcommand === 'cat-file') return word === revision ? [] : [plain]
      return subcommand === 'show' || word === revision ? [plain] : [plain, word]
    })
  return [...new Set(objects)].filter((word) => word !== '' && word !== EMPTY_TREE && !word.startsWith('-'))
}

async function kindOf(object: string, git: Git): Promise<string> {
  // What a tag stands for; after a path it would be a part of the name.
  const peeled = revisionIn(object) === object ? `${object}^{}` : object
  return (await git(['cat-file', '-t', peeled])).output.trim()
}

/** The first word when it is `revision:file`. */
async function comparedFile(rest: readonly string[], git: Git): Promise<string | undefined> {
  const first = rest.find((arg) => !arg.startsWith('-'))
  return first?.includes(':') === true && (await kindOf(first, git)) === 'blob' ? first : undefined
}
