/**
 * Settings that start no program, by name. Git has hundreds and adds new ones: any setting that is not listed is
 * treated as starting one.
 */
import { isHarmlessSetting, type Setting } from './git-config.ts'

/** Names per section, and per section with a middle part, such as `remote "origin"`. */
const INERT: Record<string, string> = {
  core: 'repositoryformatversion bare worktree sparsecheckout sparsecheckoutcone untrackedcache preloadindex commitgraph multipackindex fsync fsyncmethod fsyncobjectfiles longpaths hidedotfiles protecthfs protectntfs checkstat trustctime excludesfile attributesfile packedgitlimit packedgitwindowsize deltabasecachelimit checkroundtripencoding sharedrepository warnambiguousrefs loosecompression splitindex usereplacerefs createobject commentstring filesreflocktimeout packedrefstimeout notesref fscache restrictinheritedhandles',
  user: 'signingkey',
  remote: 'pushdefault',
  'remote.*':
    'url pushurl fetch push tagopt prune prunetags mirror skipdefaultupdate skipfetchall promisor partialclonefilter proxy proxyauthmethod followremotehead gh-resolved',
  remotes: '*',
  'url.*': 'insteadof pushinsteadof',
  submodule: 'active recurse fetchjobs propagatebranches alternatelocation alternateerrorstrategy',
  'submodule.*': 'url active branch ignore fetchrecursesubmodules path shallow',
  extensions:
    'objectformat worktreeconfig refstorage partialclone noop noop-v1 preciousobjects compatobjectformat relativeworktrees',
  include: 'path',
  'includeif.*': 'path',
  http: 'sslverify sslcainfo sslcapath sslversion sslbackend sslcipherlist postbuffer lowspeedlimit lowspeedtime maxrequests minsessions version useragent extraheader followredirects emptyauth noepsv proxy proxyauthmethod receivepack uploadpack',
  'http.*': 'sslverify sslcainfo sslcapath sslversion postbuffer version extraheader followredirects proxy',
  credential: 'usehttppath username interactive',
  'credential.*': 'usehttppath username provider',
  protocol: 'version allow',
  'protocol.*': 'allow',
  transfer: 'fsckobjects unpacklimit hiderefs credentialsinurl advertisesid',
  fetch:
    'parallel writecommitgraph showforcedupdates fsckobjects unpacklimit negotiationalgorithm recursesubmodules all',
  receive:
    'denycurrentbranch denynonfastforwards denydeletes denydeletecurrent fsckobjects unpacklimit autogc advertisepushoptions',
  uploadpack: 'allowfilter allowanysha1inwant allowreachablesha1inwant allowtipsha1inwant hiderefs',
  push: 'gpgsign recursesubmodules useforceifincludes negotiate usebitmaps',
  merge:
    'verifysignatures autostash defaulttoupstream directoryrenames renormalize suppressdest verbosity branchdesc default',
  'merge.*': 'name recursive',
  rebase: 'abbreviatecommands reschedulefailedexec backend rebasemerges forkpoint',
  commit: 'gpgsign verbose template',
  tag: 'gpgsign forcesignannotated',
  gpg: 'format mintrustlevel',
  'gpg.ssh': 'allowedsignersfile revocationfile',
  log: 'mailmap initialdecorationset excludedecoration diffmerges showsignature graphcolors',
  status: 'renames renamelimit submodulesummary displaycommentprefix',
  diff: 'colormovedws statnamewidth indentheuristic interhunkcontext ignoresubmodules submodule suppressblankempty wordregex autorefreshindex dirstat relative srcprefix dstprefix',
  'diff.*': 'xfuncname funcname wordregex binary cachetextconv algorithm trustexitcode',
  'filter.*': 'required',
  'hook.*': 'event enabled',
  stash: 'showpatch',
  format:
    'pretty signoff numbered subjectprefix coverletter thread notes useautobase from to cc suffix outputdirectory encodeemailheaders',
  pretty: '*',
  notes: 'displayref rewriteref rewritemode mergestrategy',
  blame: 'showemail date coloring markunblamablelines markignoredlines showroot blankboundary',
  grep: 'linenumber column patterntype extendedregexp threads fullname fallbacktonoindex',
  gc: 'autopacklimit pruneexpire reflogexpire reflogexpireunreachable packrefs aggressivedepth aggressivewindow writecommitgraph logexpiry worktreepruneexpire rerereresolved rerereunresolved bigpackthreshold cruftpacks maxcruftsize',
  'gc.*': 'reflogexpire reflogexpireunreachable',
  maintenance: 'auto autodetach strategy repo',
  'maintenance.*': 'enabled schedule auto',
  pack: 'window depth threads compression windowmemory deltacachesize deltacachelimit packsizelimit usebitmaps writebitmaphashcache writebitmaplookuptable writereverseindex usesparse indexversion allowpackreuse usebitmapboundarytraversal',
  repack: 'usedeltabaseoffset packkeptobjects usedeltaislands writebitmaps updateserverinfo',
  index: 'sparse recordendofindexentries recordoffsettable skiphash',
  safe: 'directory barerepository',
  worktree: 'guessremote userelativepaths',
  checkout: 'defaultremote guess workers thresholdforparallelism',
  clean: 'requireforce',
  clone: 'defaultremotename rejectshallow filtersubmodules',
  add: 'ignoreerrors',
  am: 'threeway keepcr messageid',
  apply: 'ignorewhitespace',
  i18n: 'filesencoding',
  versionsort: 'prereleasesuffix',
  rerere: 'enabled autoupdate',
  showbranch: 'default',
  gui: '*',
  lfs: 'repositoryformatversion url pushurl fetchinclude fetchexclude locksverify allowincompletepush concurrenttransfers skipdownloaderrors',
  'lfs.*': 'access locksverify',
  'gitflow.*': '*',
  github: 'user',
}
const NAMES = new Map(Object.entries(INERT).map(([section, names]) => [section, new Set(names.split(' '))]))

/** True when this setting makes git start nothing. */
export function startsNoProgram({ key, value }: Setting): boolean {
  const name = key.toLowerCase()
  if (isHarmlessSetting(name)) return true
  const [first, last] = [name.indexOf('.'), name.lastIndexOf('.')]
  const [section, leaf] = [name.slice(0, first), name.slice(last + 1)]
  // Editors and hosting tools store notes under `branch`. Only this name adds options to a command.
  if (section === 'branch') return leaf !== 'mergeoptions'
  // It starts nothing, but git prints the lines of that file that it cannot parse.
  if (name === 'blame.ignorerevsfile') return /ignore-?revs/i.test(value)
  const whole = name.slice(0, last)
  return [whole, ...(first === last ? [] : [`${section}.*`])].some((place) => {
    const names = NAMES.get(place)
    return names !== undefined && (names.has(leaf) || names.has('*'))
  })
}
