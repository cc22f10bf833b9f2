/**
 * What every git sub-command does, as data: risk, approval questions and permissions are derived from this table. It
 * covers git 2.39 to 2.5x. An unlisted sub-command is an alias or an extension, and counts as run-programs.
 */
import type { Spelling } from './options.ts'

/**
 * - `read`: changes nothing, locally or remotely.
 * - `change`: changes the repository or its files; the work can be recovered.
 * - `publish`: others can see it, or it decides where later commits are sent.
 * - `lose-work`: can destroy uncommitted work, or the last reference to a commit.
 * - `run-programs`: starts programs that its arguments or settings name.
 */
export const GIT_CLASSES = ['read', 'change', 'publish', 'lose-work', 'run-programs'] as const
export type GitClass = (typeof GIT_CLASSES)[number]

export interface GitRow {
  is: GitClass
  /** Sub-sub-commands. An unlisted one has the class of the row. */
  verbs?: Readonly<Record<string, GitClass>>
  /** Options that raise the class. */
  options?: readonly { option: Spelling; is: GitClass }[]
  /** Plain words that raise the class. */
  words?: readonly { word: RegExp; is: GitClass }[]
  /** Only reads with nothing but these options: without plain words (or up to `names`), or when `asked` to. */
  lists?: { options: RegExp; asked?: Spelling; takes?: Spelling; names?: number }
  /** Connects to a remote, always or with these verbs. */
  network?: true | readonly string[]
  /** Writes files of the working tree that no argument names. */
  tree?: true
  /** Writes the repository's settings file: always, or with these options or verbs. */
  settings?: true | { options?: Spelling; verbs?: readonly string[] }
  /** Rarely used: needs approval each time. */
  rare?: true
}

const all = (names: string, row: GitRow): [string, GitRow][] => names.split(' ').map((name) => [name, row])
const FORCE: Spelling = { long: 'force', letters: 'f' }
const lose = (option: Spelling) => ({ option, is: 'lose-work' as const })
const runs = (option: Spelling) => ({ option, is: 'run-programs' as const })
/** Programs that run at the remote. */
const FAR_PROGRAM: Spelling = { long: 'upload-pack receive-pack exec' }
/** Records what a remote has. Once it exists, the name may be sent to that remote without approval. */
const FAR_BRANCH = /^refs\/remotes\//
/** Texts that are sent to the remote. */
const sends = (option: Spelling) => ({ option, is: 'publish' as const })
const SERVER_OPTION: Spelling = { long: 'server-option push-option', letters: 'o', valued: 'jsX' }
const TRACKS: Spelling = { long: 'track set-upstream', letters: 't' }

export const GIT_TABLE: ReadonlyMap<string, GitRow> = new Map<string, GitRow>([
  ...all(
    'annotate blame cat-file check-attr check-ignore cherry count-objects describe diff diff-files diff-index diff-tree for-each-ref grep log ls-files ls-tree merge-base name-rev range-diff rev-list rev-parse shortlog show show-branch show-ref status var verify-commit verify-tag version whatchanged',
    { is: 'read', options: [runs({ long: 'open-files-in-pager extcmd' })] },
  ),
  ['grep', { is: 'read', options: [runs({ long: 'open-files-in-pager', letters: 'O', valued: 'efmABC' })] }],
  ...all(
    'check-mailmap check-ref-format column diff-pairs fmt-merge-msg for-each-repo get-tar-commit-id last-modified mailinfo pack-redundant patch-id refs repo show-index survey unpack-file verify-pack',
    { is: 'read', rare: true },
  ),
  ['request-pull', { is: 'read', rare: true, network: true }],
  ...all(
    'add bundle commit-tree format-patch fsck hash-object help interpret-trailers merge-file merge-tree pack-objects pack-refs stripspace unpack-objects update-index write-tree fast-export',
    { is: 'change', options: [runs(FAR_PROGRAM)] },
  ),
  ['archive', { is: 'change', options: [runs(FAR_PROGRAM), sends({ long: 'remote' })] }],
  [
    'symbolic-ref',
    {
      is: 'lose-work',
      words: [{ word: FAR_BRANCH, is: 'publish' }],
      lists: { options: /^(-q|--quiet|--short)$/, names: 1 },
    },
  ],
  ...all(
    'backfill commit-graph history index-pack mailsplit merge-index merge-one-file mktag mktree multi-pack-index replay update-server-info bugreport diagnose',
    { is: 'change', rare: true },
  ),
  ...all(
    'archimport checkout--worker citool credential-cache credential-cache--daemon credential-store cvsexportcommit cvsimport cvsserver fsmonitor--daemon gui gitk gitweb hook http-backend p4 quiltimport receive-pack scalar sh-i18n sh-setup submodule--helper upload-archive upload-pack',
    { is: 'run-programs', rare: true },
  ),
  ...all('http-fetch fetch-pack', { is: 'run-programs', rare: true, network: true }),
  ...all('http-push send-pack', { is: 'publish', rare: true, network: true }),
  ['imap-send', { is: 'publish', rare: true }],
  ...all('daemon instaweb shell credential difftool lfs svn mergetool', { is: 'run-programs' }),
  ['send-email', { is: 'publish', network: true }],

  ['am', { is: 'change', tree: true, options: [lose({ long: 'abort skip quit' })] }],
  [
    'apply',
    {
      is: 'change',
      options: [runs({ long: 'unsafe-paths' })],
      // Without one of these, it applies what it is given on its input.
      lists: { options: /^--(check|stat|numstat|summary)$/, asked: { long: 'check stat numstat summary' }, names: -1 },
    },
  ],
  [
    'bisect',
    {
      is: 'change',
      tree: true,
      verbs: { run: 'run-programs', log: 'read', terms: 'read', view: 'run-programs', visualize: 'run-programs' },
    },
  ],
  [
    'branch',
    {
      is: 'change',
      options: [lose({ long: 'force', letters: 'fDMC', valued: 'u' })],
      lists: {
        options:
          /^(-[arvil]+|--(all|remotes|list|verbose|show-current|no-color|color|column|ignore-case|(no-)?(merged|contains)|(sort|format|points-at|merged|no-merged|contains|no-contains|abbrev|color|column)=.*|sort|format|points-at))$/s,
        asked: { long: 'list contains no-contains merged no-merged points-at', letters: 'l' },
        takes: { long: 'sort format points-at' },
      },
      settings: true,
    },
  ],
  [
    'checkout',
    {
      is: 'change',
      tree: true,
      options: [
        lose({
          long: 'force merge ours theirs overwrite-ignore pathspec-from-file patch',
          letters: 'fBmp',
          valued: 'b',
        }),
      ],
      words: [{ word: /^--$|^\.{1,2}(\/|$)/, is: 'lose-work' }],
      settings: { options: { ...TRACKS, letters: 'tb' } },
    },
  ],
  ['checkout-index', { is: 'change', rare: true, options: [lose({ long: 'force', letters: 'f' })] }],
  ['cherry-pick', { is: 'change', tree: true, options: [lose({ long: 'abort skip quit' })] }],
  ['clean', { is: 'lose-work' }],
  [
    'clone',
    {
      is: 'change',
      network: true,
      settings: true,
      options: [
        runs({ long: 'upload-pack config template', letters: 'uc', valued: 'bjo' }),
        runs({ long: 'recurse-submodules recursive remote-submodules bundle-uri' }),
        sends({ long: 'server-option' }),
      ],
    },
  ],
  ['commit', { is: 'change' }],
  ['config', { is: 'run-programs', settings: true }],
  ['fast-import', { is: 'lose-work' }],
  [
    'fetch',
    {
      is: 'change',
      network: true,
      options: [
        sends(SERVER_OPTION),
        runs(FAR_PROGRAM),
        lose({ long: 'force prune-tags update-head-ok stdin', letters: 'fPu', valued: 'jo', not: 'prune u up' }),
      ],
    },
  ],
  ['filter-branch', { is: 'run-programs', tree: true }],
  ['gc', { is: 'change', options: [lose({ long: 'prune' })] }],
  ['init', { is: 'change', settings: true, options: [runs({ long: 'template' })] }],
  [
    'ls-remote',
    { is: 'read', network: true, options: [sends(SERVER_OPTION), runs({ ...FAR_PROGRAM, letters: 'u', valued: 'o' })] },
  ],
  [
    'maintenance',
    {
      is: 'change',
      verbs: { register: 'run-programs', unregister: 'run-programs', start: 'run-programs', stop: 'run-programs' },
    },
  ],
  ['merge', { is: 'change', tree: true, options: [lose({ long: 'abort quit' })] }],
  ['mv', { is: 'change', options: [lose(FORCE)] }],
  [
    'notes',
    {
      is: 'change',
      verbs: { list: 'read', show: 'read', remove: 'lose-work', prune: 'lose-work' },
      options: [lose(FORCE)],
    },
  ],
  ['prune', { is: 'lose-work' }],
  ['prune-packed', { is: 'change', rare: true }],
  [
    'pull',
    {
      is: 'change',
      network: true,
      tree: true,
      options: [
        sends(SERVER_OPTION),
        runs(FAR_PROGRAM),
        lose({ long: 'force update-head-ok', letters: 'f', not: 'u up' }),
      ],
    },
  ],
  [
    'push',
    {
      is: 'publish',
      network: true,
      options: [
        runs(FAR_PROGRAM),
        lose({
          long: 'force force-with-lease force-if-includes mirror delete prune',
          letters: 'fd',
          valued: 'o',
        }),
      ],
      words: [{ word: /^\+|^:./, is: 'lose-work' }],
      settings: { options: { long: 'set-upstream', letters: 'u', valued: 'o' } },
    },
  ],
  ['read-tree', { is: 'lose-work' }],
  [
    'rebase',
    {
      is: 'change',
      tree: true,
      options: [
        runs({ long: 'exec', letters: 'x', valued: 'sCSX' }),
        lose({ long: 'abort quit skip onto root interactive', letters: 'i', valued: 'sCSXx' }),
      ],
    },
  ],
  [
    'reflog',
    {
      is: 'read',
      verbs: {
        show: 'read',
        exists: 'read',
        list: 'read',
        expire: 'lose-work',
        delete: 'lose-work',
        drop: 'lose-work',
      },
    },
  ],
  [
    'remote',
    {
      is: 'change',
      verbs: {
        show: 'read',
        'get-url': 'read',
        'set-url': 'publish',
        remove: 'lose-work',
        rm: 'lose-work',
        prune: 'lose-work',
      },
      // A mirror's next fetch replaces the local branches.
      options: [lose({ long: 'mirror' })],
      network: ['show', 'update', 'prune', 'set-head', 'add'],
      lists: { options: /^(-v+|--verbose)$/ },
      settings: true,
    },
  ],
  ['repack', { is: 'change', options: [lose({ letters: 'ad', long: 'cruft-expiration expire-to' })] }],
  ['replace', { is: 'change', options: [lose({ long: 'delete force', letters: 'df' }), runs({ long: 'edit' })] }],
  ['rerere', { is: 'change', verbs: { status: 'read', clear: 'lose-work', forget: 'lose-work' } }],
  ['reset', { is: 'change', options: [lose({ long: 'hard merge keep' })] }],
  ['restore', { is: 'lose-work' }],
  ['revert', { is: 'change', tree: true, options: [lose({ long: 'abort skip quit' })] }],
  ['rm', { is: 'change', options: [lose({ long: 'force', letters: 'fr' })] }],
  ['sparse-checkout', { is: 'change', tree: true, verbs: { list: 'read' }, settings: true }],
  [
    'stash',
    {
      is: 'change',
      tree: true,
      verbs: { list: 'read', show: 'read', drop: 'lose-work', clear: 'lose-work', create: 'change', export: 'change' },
    },
  ],
  [
    'submodule',
    {
      is: 'change',
      tree: true,
      verbs: {
        status: 'read',
        summary: 'read',
        foreach: 'run-programs',
        update: 'run-programs',
        add: 'run-programs',
        deinit: 'lose-work',
      },
      network: ['update', 'add'],
      settings: true,
    },
  ],
  ['subtree', { is: 'change', tree: true, verbs: { push: 'publish' }, network: ['add', 'pull', 'push', 'merge'] }],
  [
    'switch',
    {
      is: 'change',
      tree: true,
      options: [lose({ long: 'force discard-changes merge force-create', letters: 'fCm', valued: 'c' })],
      settings: { options: { ...TRACKS, long: 'track create', letters: 'tc' } },
    },
  ],
  [
    'tag',
    {
      is: 'change',
      options: [lose({ long: 'force delete', letters: 'fd', valued: 'mFnu' })],
      lists: {
        options:
          /^(-l|-n\d*|-i|--(list|ignore-case|(no-)?(merged|contains)|column|(sort|format|points-at|merged|no-merged|contains|no-contains|color|column)=.*|sort|format|points-at))$/s,
        asked: { long: 'list contains no-contains merged no-merged points-at', letters: 'ln' },
        takes: { long: 'sort format points-at' },
      },
    },
  ],
  [
    'update-ref',
    {
      is: 'lose-work',
      words: [{ word: FAR_BRANCH, is: 'publish' }],
    },
  ],
  [
    'worktree',
    {
      is: 'change',
      verbs: { list: 'read', prune: 'lose-work', remove: 'lose-work' },
      options: [lose({ long: 'force', letters: 'fB', valued: 'b' })],
    },
  ],
])
