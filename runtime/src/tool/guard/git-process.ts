/**
 * Git as a program, for one call. It starts in the same boundary as every other program, knows of the user's settings
 * only what is passed on, asks for nothing, and talks to no host but those of its call.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { WritError } from '../../base/errors.ts'
import type { World } from '../tool.ts'
import { type Executed, execute } from './boundary.ts'
import { splitGit } from './git-args.ts'
import type { Setting } from './git-config.ts'
import { GitFiles, needsSettings } from './git-files.ts'
import type { GitLine } from './git-line.ts'
import { allSettings } from './git-nested.ts'
import type { GitPlace } from './git-place.ts'
import { overrides, type Programs, programsOf } from './git-settings-off.ts'
import { passOnSettings, wantsSignature } from './git-user.ts'
import type { Settled } from './leftovers.ts'
import { hasOption } from './options.ts'
import type { ProcessEnd } from './process.ts'
import { type Opening, sandboxStatus } from './sandbox.ts'
import { trustedPath } from './system-programs.ts'

export type Git = (args: readonly string[]) => Promise<ProcessEnd>

export interface GitCall {
  args: readonly string[]
  world: World
  place: GitPlace
  signal: AbortSignal
  timeoutMs: number
  /** The connection it may use; none when absent. */
  line?: GitLine
  /** Protocols it needs, as git names them. */
  protocols: readonly string[]
}

export interface GitEnd {
  end: ProcessEnd
  /** What it made at protected places. */
  settled: Settled
  /** What a person should know of how it ran. */
  notes: string[]
}

const LOOK_MS = 10_000
/** Set by a sandbox or a user; each would lead around the connection of the call, or into another repository. */
const UNSET =
  'NO_PROXY no_proxy ALL_PROXY all_proxy HTTP_PROXY http_proxy HTTPS_PROXY https_proxy FTP_PROXY ftp_proxy GIT_SSH GIT_PROXY_COMMAND GIT_DIR GIT_WORK_TREE GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS GIT_EXTERNAL_DIFF GIT_TEMPLATE_DIR GIT_EXEC_PATH GIT_TRACE'.split(
    ' ',
  )

/**
 * A git for looking things up: no hook, no filter, no network, nothing written. Questions asked together are answered
 * in one sandbox, since starting one takes longer than git does.
 */
export function lookingGit(call: Omit<GitCall, 'protocols' | 'line'>, home: string): Git {
  const { globals } = splitGit(call.args)
  let waiting: { args: readonly string[]; answer: (end: ProcessEnd) => void; fail: (error: unknown) => void }[] = []
  const flush = async (): Promise<void> => {
    const asked = waiting
    waiting = []
    try {
      const ends = await lookAll(
        asked.map(({ args }) => [...globals, ...args]),
        { call, home },
      )
      for (const [i, { answer }] of asked.entries()) answer(ends[i] ?? UNANSWERED)
    } catch (error) {
      for (const { fail } of asked) fail(error)
    }
  }
  return (args) =>
    new Promise((answer, fail) => {
      if (waiting.length === 0) setImmediate(() => void flush())
      waiting.push({ args, answer, fail })
    })
}

/** Fails closed: what was not answered counts as cut off. */
const UNANSWERED: ProcessEnd = { exitCode: null, cut: 'timeout', output: '' }

async function lookAll(
  lines: readonly (readonly string[])[],
  { call, home }: { call: Omit<GitCall, 'protocols' | 'line'>; home: string },
): Promise<ProcessEnd[]> {
  const asked = { ...call, protocols: [], timeoutMs: LOOK_MS }
  const open = new GitFiles(asked, { programs: false }).looking()
  const mark = randomUUID()
  const settings = overrides(call.place.repository?.settings ?? [], { programs: false })
  const script = lines.map((line) => {
    const { subcommand, globals, rest } = splitGit(line)
    return `git --no-pager ${[...globals, ...settings, subcommand, ...rest].map(quote).join(' ')}; echo "${mark} $?"`
  })
  const { end } = await launch(['sh', '-c', script.join('\n')], { call: asked, home, open })
  const answers = end.output.split(new RegExp(`${mark} (\\d+)\\n`))
  return lines.map((_, i) => {
    const exitCode = answers[2 * i + 1]
    return exitCode === undefined ? UNANSWERED : { exitCode: Number(exitCode), output: answers[2 * i] ?? '' }
  })
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Runs the command of a call. `args` may differ from the call's own in what leaves closed files out. */
export async function runGit(call: GitCall, args: readonly string[], home: string): Promise<GitEnd> {
  const { world, place } = call
  const fenced = (await sandboxStatus(world.sandbox)).active
  const settings = await allSettings(call.args, { place, world })
  const found = programsOf(call.args, { repository: place.repository, settings })
  if (!fenced) refuseUnfenced(found)
  if (!fenced && isReceivedHere(call))
    throw new WritError('SANDBOX_REQUIRED', 'hooks of the repository that is pushed to would run without a sandbox', {
      hint: 'Use the shell tool for this command.',
    })
  if (call.line !== undefined) refuseConnected(found)
  const programs = fenced && call.line === undefined && mayStart(found, call)
  const notes = notesOf(call)
  if (!programs) {
    if (found.hooks.length > 0) notes.push(`(hooks did not run: ${found.hooks.join(', ')})`)
    if (found.settings.length > 0) notes.push(`(programs in the settings did not run: ${found.settings.join(', ')})`)
  }
  if (!fenced && hasOption(splitGit(call.args).rest, { long: 'unsafe-paths' }))
    throw new WritError('SANDBOX_REQUIRED', '--unsafe-paths may write anywhere, and there is no sandbox to hold it')
  const files = new GitFiles(call, { programs })
  await files.check()
  const { end, settled } = await start({ ...call, args }, { home, programs, settings, open: files.working() })
  const planted = files.settle()
  if (planted.length > 0) {
    throw new WritError(
      'PATH_PROTECTED',
      `a program of the repository made ${planted.join(', ')}, which was moved aside`,
      {
        hint: 'Look at its hooks and settings.',
      },
    )
  }
  return { end, settled, notes }
}

function notesOf({ args, world, place }: GitCall): string[] {
  const commits = /^(commit|merge|revert|cherry-pick|rebase|pull|am)$/.test(splitGit(args).subcommand)
  return commits && place.repository !== undefined && wantsSignature(world, place.repository)
    ? ['(commits are not signed here: your keys are out of reach)']
    : []
}

/** Whether programs run. Those that can be switched off are, rather than kept from the settings that a call writes. */
function mayStart({ settings, hooks, unknown, named }: Programs, call: GitCall): boolean {
  if (unknown.length > 0 || named || isReceivedHere(call)) return true
  return settings.length + hooks.length > 0 && !mustWriteSettings(call)
}

/** The repository that is pushed to has hooks of its own, which no setting of this one switches off. */
function isReceivedHere({ args, protocols }: GitCall): boolean {
  return protocols.includes('file') && splitGit(args).subcommand === 'push'
}

/** A branch is switched with filters on and without recording what it follows, rather than the other way round. */
function mustWriteSettings({ args, place }: GitCall): boolean {
  const { subcommand } = splitGit(args)
  return needsSettings(args, place) && subcommand !== 'checkout' && subcommand !== 'switch'
}

function refuseUnfenced({ settings, unknown, hooks }: Programs): void {
  const [setting] = settings
  const [other] = unknown
  if (setting === undefined && other === undefined && hooks.length === 0) return
  const why =
    setting !== undefined
      ? `${setting} of this repository starts a program`
      : other !== undefined
        ? `${other} of this repository may start a program`
        : `this repository has hooks (${hooks.join(', ')})`
  throw new WritError('SANDBOX_REQUIRED', `${why}, and there is no sandbox to run programs in`, {
    hint:
      setting === undefined && other === undefined
        ? 'Use the shell tool for this command.'
        : 'Remove the setting, or use the shell tool.',
  })
}

/** A program that runs while there is a connection could send away what it reads. */
function refuseConnected({ unknown: [setting] }: Programs): void {
  if (setting === undefined) return
  throw new WritError(
    'GIT_NETWORK',
    `${setting} of this repository may start a program, which may not run with network`,
    {
      hint: 'Remove the setting, or use git by hand.',
    },
  )
}

function start(
  call: GitCall,
  how: { home: string; programs: boolean; settings: readonly Setting[]; open: Opening },
): Promise<Executed> {
  const { place, line } = call
  const { subcommand, globals, rest } = splitGit(call.args)
  // `git config` would show them as if they were the repository's.
  const settings = subcommand === 'config' ? [] : overrides(how.settings, how)
  const own = subcommand === 'config' ? [] : (line?.settings ?? []).flatMap((setting) => ['-c', setting])
  const kept = how.programs && needsSettings(call.args, place) ? ['-c', 'branch.autoSetupMerge=false'] : []
  const words = [...globals, ...settings, ...own, ...kept, ...(subcommand === '' ? [] : [subcommand]), ...rest]
  return launch(['git', '--no-pager', ...words], { call, home: how.home, open: how.open })
}

function launch(
  words: readonly string[],
  { call, home, open }: { call: GitCall; home: string; open: Opening },
): Promise<Executed> {
  const { world, place, line, protocols, signal, timeoutMs } = call
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
    // Never waits for a person.
    GIT_EDITOR: 'true',
    GIT_SEQUENCE_EDITOR: 'true',
    GIT_SSH_COMMAND: line?.ssh ?? 'false',
    GIT_SSH_VARIANT: 'ssh',
    GIT_OPTIONAL_LOCKS: '0',
    // A workspace below the root is a mount of its own in the sandbox.
    GIT_DISCOVERY_ACROSS_FILESYSTEM: '1',
    // No repository further up is found than the one that was judged.
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
      // The hosts that are open to every command are not open to this one, unless it is told to call them.
      world: { ...world, allowedHosts: [] },
      signal,
      cwd: world.workspace,
      timeoutMs,
      // A program of the workspace that is called git would be handed the credentials of the call.
      env: { PATH: trustedPath(world), GIT_CONFIG_GLOBAL: env.GIT_CONFIG_GLOBAL, ...line?.secrets },
      open: {
        ...open,
        read: [...(open.read ?? []), home],
        sockets: line?.sockets ?? [],
        ...(line?.relay === undefined ? {} : { relays: [line.relay] }),
      },
    },
  )
}

/** A folder with what git may know of the user, for as long as `act` takes. */
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

/** Whether the repository holds such files or ever did, in what the revisions reach too; true when nobody can tell. */
export async function wereTracked(
  pathspecs: readonly string[],
  git: Git,
  revisions: readonly string[] = [],
): Promise<boolean> {
  // Without the full history, a branch that was merged after it had dropped such a file would not be looked at.
  const walk = ['rev-list', '--all', '--reflog', '--full-history', '--max-count=1', ...revisions]
  const ends = await Promise.all([git(['ls-files', '--', ...pathspecs]), git([...walk, '--', ...pathspecs])])
  return ends.some((end) => end.cut !== undefined || (end.exitCode === 0 && end.output !== ''))
}
