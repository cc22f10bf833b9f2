/**
 * Runs git for one call: in the same boundary as every program, with only selected settings of the user, without
 * prompts, and connected only to the hosts of the call.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { WritError } from '../../errors/writ-error.ts'
import type { World } from '../tool.ts'
import { type Executed, execute } from './boundary.ts'
import { allSettings } from './git-all-settings.ts'
import { splitGit } from './git-args.ts'
import type { Setting } from './git-config.ts'
import type { GitConnection } from './git-connection.ts'
import { GitFiles, needsSettings } from './git-files.ts'
import { overrides, type Programs, programsOf } from './git-overrides.ts'
import type { GitPlace } from './git-place.ts'
import { passOnSettings, wantsSignature } from './git-user-settings.ts'
import { hasOption } from './options.ts'
import type { CleanupResult } from './planted-files.ts'
import type { ProcessEnd } from './process.ts'
import { type ExtraAccess, sandboxStatus } from './sandbox.ts'
import { trustedPath } from './system-programs.ts'

export type Git = (args: readonly string[]) => Promise<ProcessEnd>

export interface GitCall {
  args: readonly string[]
  world: World
  place: GitPlace
  signal: AbortSignal
  timeoutMs: number
  /** Absent: no network. */
  connection?: GitConnection | undefined
  /** By git's names. */
  protocols: readonly string[]
  /** It was judged as a read: it may write nothing. */
  readOnly: boolean
}

/** A query of our own. */
type Query = Omit<GitCall, 'protocols' | 'connection' | 'readOnly'>

export interface GitResult {
  end: ProcessEnd
  /** What it created at protected paths. */
  cleanup: CleanupResult
  /** Notes for the reader of the result. */
  notes: string[]
}

const QUERY_MS = 10_000
/** Set by a sandbox or a user; each of them would bypass the connection of the call, or select another repository. */
const UNSET =
  'NO_PROXY no_proxy ALL_PROXY all_proxy HTTP_PROXY http_proxy HTTPS_PROXY https_proxy FTP_PROXY ftp_proxy GIT_SSH GIT_PROXY_COMMAND GIT_DIR GIT_WORK_TREE GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS GIT_EXTERNAL_DIFF GIT_TEMPLATE_DIR GIT_EXEC_PATH GIT_TRACE'.split(
    ' ',
  )

/**
 * Git for queries: no hooks, no filters, no network, nothing written. Concurrent queries share one sandbox, because
 * starting a sandbox takes longer than git.
 */
export function readOnlyGit(call: Query, home: string): Git {
  const { globals } = splitGit(call.args)
  let waiting: { args: readonly string[]; answer: (end: ProcessEnd) => void; fail: (error: unknown) => void }[] = []
  const flush = async (): Promise<void> => {
    const queries = waiting
    waiting = []
    try {
      const ends = await runQueries(
        queries.map(({ args }) => [...globals, ...args]),
        { call, home },
      )
      for (const [i, { answer }] of queries.entries()) answer(ends[i] ?? UNANSWERED)
    } catch (error) {
      for (const { fail } of queries) fail(error)
    }
  }
  return (args) =>
    new Promise((answer, fail) => {
      if (waiting.length === 0) setImmediate(() => void flush())
      waiting.push({ args, answer, fail })
    })
}

/** Fails closed: a missing answer counts as a timeout. */
const UNANSWERED: ProcessEnd = { exitCode: null, cut: 'timeout', output: '' }

async function runQueries(
  lines: readonly (readonly string[])[],
  { call, home }: { call: Query; home: string },
): Promise<ProcessEnd[]> {
  const query = { ...call, protocols: [], readOnly: true, timeoutMs: QUERY_MS }
  const open = new GitFiles(query, { programs: false }).readingAccess()
  const mark = randomUUID()
  const settings = overrides(call.place.repository?.settings ?? [], { programs: false })
  const script = lines.map((line) => {
    const { subcommand, globals, rest } = splitGit(line)
    // Its messages would arrive anywhere between the answers.
    return `git --no-pager ${[...globals, ...settings, subcommand, ...rest].map(quote).join(' ')} 2>/dev/null; echo "${mark} $?"`
  })
  const { end } = await launch(['sh', '-c', script.join('\n')], { call: query, home, open })
  const answers = end.output.split(new RegExp(`${mark} (\\d+)\\n`))
  return lines.map((_, i) => {
    const exitCode = answers[2 * i + 1]
    return exitCode === undefined ? UNANSWERED : { exitCode: Number(exitCode), output: answers[2 * i] ?? '' }
  })
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Runs the command of a call. `args` may add pathspecs that exclude closed files. */
export async function runGit(call: GitCall, args: readonly string[], home: string): Promise<GitResult> {
  const { world, place } = call
  const sandboxed = (await sandboxStatus(world.sandbox)).active
  const settings = await allSettings(call.args, { place, world })
  const found = programsOf(call.args, { repository: place.repository, settings })
  if (!sandboxed) refuseUnsandboxed(found)
  if (!sandboxed && pushesToLocalRepository(call)) throw new WritError('SANDBOX_REQUIRED.localPush')
  if (call.connection !== undefined) refuseConnected(found)
  const programs = sandboxed && call.connection === undefined && mayStart(found, call)
  const notes = notesOf(call)
  if (!programs) {
    if (found.hooks.length > 0) notes.push(`(hooks did not run: ${found.hooks.join(', ')})`)
    if (found.settings.length > 0) notes.push(`(programs in the settings did not run: ${found.settings.join(', ')})`)
  }
  if (!sandboxed && hasOption(splitGit(call.args).rest, { long: 'unsafe-paths' }))
    throw new WritError('SANDBOX_REQUIRED.unsafePaths')
  const files = new GitFiles(call, { programs })
  await files.check()
  const open = call.readOnly ? files.readingAccess() : files.writingAccess()
  const { end, cleanup } = await start({ ...call, args }, { home, programs, settings, open })
  const planted = files.moveAsidePlanted()
  if (planted.length > 0) throw new WritError('PATH_PROTECTED.planted', { files: planted })
  return { end, cleanup, notes }
}

function notesOf({ args, world, place }: GitCall): string[] {
  const commits = /^(commit|merge|revert|cherry-pick|rebase|pull|am)$/.test(splitGit(args).subcommand)
  return commits && place.repository !== undefined && wantsSignature(world, place.repository)
    ? ['(commits are not signed: your keys are not accessible here)']
    : []
}

/**
 * Whether programs of the repository run. A call that writes settings switches them off where possible, because they
 * must not run while the settings are writable.
 */
function mayStart({ settings, hooks, unknown, named }: Programs, call: GitCall): boolean {
  if (unknown.length > 0 || named || pushesToLocalRepository(call)) return true
  return settings.length + hooks.length > 0 && !mustWriteSettings(call)
}

/** The receiving repository has its own hooks, which no setting of this repository switches off. */
function pushesToLocalRepository({ args, protocols }: GitCall): boolean {
  return protocols.includes('file') && splitGit(args).subcommand === 'push'
}

/** Switching a branch keeps the filters on and does not record the upstream. */
function mustWriteSettings({ args, place }: GitCall): boolean {
  const { subcommand } = splitGit(args)
  return needsSettings(args, place) && subcommand !== 'checkout' && subcommand !== 'switch'
}

function refuseUnsandboxed({ settings, unknown, hooks }: Programs): void {
  const [setting] = settings
  const [other] = unknown
  if (setting !== undefined) throw new WritError('SANDBOX_REQUIRED.setting', { setting })
  if (other !== undefined) throw new WritError('SANDBOX_REQUIRED.unknownSetting', { setting: other })
  if (hooks.length > 0) throw new WritError('SANDBOX_REQUIRED.hooks', { hooks })
}

/** A program that runs while there is a connection could send out what it reads. */
function refuseConnected({ unknown: [setting] }: Programs): void {
  if (setting !== undefined) throw new WritError('GIT_NETWORK.program', { setting })
}

function start(
  call: GitCall,
  how: { home: string; programs: boolean; settings: readonly Setting[]; open: ExtraAccess },
): Promise<Executed> {
  const { place, connection } = call
  const { subcommand, globals, rest } = splitGit(call.args)
  // `git config` would show them as settings of the repository.
  const settings = subcommand === 'config' ? [] : overrides(how.settings, how)
  const own = subcommand === 'config' ? [] : (connection?.settings ?? []).flatMap((setting) => ['-c', setting])
  const kept = how.programs && needsSettings(call.args, place) ? ['-c', 'branch.autoSetupMerge=false'] : []
  const words = [...globals, ...settings, ...own, ...kept, ...(subcommand === '' ? [] : [subcommand]), ...rest]
  return launch(['git', '--no-pager', ...words], { call, home: how.home, open: how.open })
}

function launch(
  words: readonly string[],
  { call, home, open }: { call: GitCall; home: string; open: ExtraAccess },
): Promise<Executed> {
  const { world, place, connection, protocols, signal, timeoutMs } = call
  const env = {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: join(home, 'config'),
    XDG_CONFIG_HOME: home,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: protocols.length === 0 ? 'none' : protocols.join(':'),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'true',
    SSH_ASKPASS: 'true',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_PAGER: 'cat',
    PAGER: 'cat',
    // An editor would wait for a person.
    GIT_EDITOR: 'true',
    GIT_SEQUENCE_EDITOR: 'true',
    GIT_SSH_COMMAND: connection?.ssh ?? 'false',
    GIT_SSH_VARIANT: 'ssh',
    GIT_OPTIONAL_LOCKS: '0',
    // In the sandbox, a workspace below the top of the repository is a mount of its own.
    GIT_DISCOVERY_ACROSS_FILESYSTEM: '1',
    // Git must not find a repository above the one that was judged.
    GIT_CEILING_DIRECTORIES: dirname(place.repository?.top ?? world.workspace),
  }
  const argv = [
    'env',
    ...UNSET.flatMap((name) => ['-u', name]),
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ...words,
  ]
  return execute(
    { argv },
    {
      // Hosts that are open to every command are open to git only if the call names them.
      world: { ...world, allowedHosts: [] },
      signal,
      cwd: world.workspace,
      timeoutMs,
      // A program of the workspace that is called git would get the credentials of the call.
      env: { PATH: trustedPath(world), GIT_CONFIG_GLOBAL: env.GIT_CONFIG_GLOBAL, ...connection?.secrets },
      open: {
        ...open,
        read: [...(open.read ?? []), home],
        sockets: connection?.sockets ?? [],
        relays: connection?.relay === undefined ? [] : [connection.relay],
      },
    },
  )
}

/** A temporary folder with the user's git settings that are passed on; removed after `act`. */
export async function withGitHome<T>(
  { world, place }: { world: World; place: GitPlace },
  act: (home: string) => Promise<T>,
): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), 'writ-git-'))
  try {
    await passOnSettings(world, { home, gitDir: place.repository?.gitDir ?? world.workspace })
    return await act(home)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** Whether the repository or its history, including the given revisions, contains such files; true when unknown. */
export async function wereTracked(
  pathspecs: readonly string[],
  git: Git,
  revisions: readonly string[] = [],
): Promise<boolean> {
  // Without the full history, a branch that was merged after it deleted such a file would be skipped.
  const walk = ['rev-list', '--all', '--reflog', '--full-history', '--max-count=1', ...revisions]
  const ends = await Promise.all([git(['ls-files', '--', ...pathspecs]), git([...walk, '--', ...pathspecs])])
  return ends.some((end) => !hasAnswered(end) || (end.exitCode === 0 && end.output !== ''))
}

/** With 128 and 129 git itself refuses. Any other failure says nothing: it was killed, or its sandbox did not start. */
export function hasAnswered({ exitCode, cut }: ProcessEnd): boolean {
  return cut === undefined && (exitCode === 0 || exitCode === 128 || exitCode === 129)
}
