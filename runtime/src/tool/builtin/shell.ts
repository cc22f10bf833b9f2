import { resolve } from 'node:path'
import { why } from '../../i18n/why.ts'
import { ALWAYS_ASKED, type CommandClass, type CommandUse } from '../../protocol/command.ts'
import { EMPTY_RESULTS } from '../../protocol/empty-results.ts'
import type { Facts, PathFact } from '../../protocol/facts.ts'
import type { Why } from '../../protocol/why.ts'
import type { Wire } from '../browser/guarded-proxy.ts'
import { writesAutorun } from '../guard/autorun-files.ts'
import { type Executed, execute, failIfPlanted } from '../guard/boundary.ts'
import { outputPaths } from '../guard/build-outputs.ts'
import { isPureReader, shellUses } from '../guard/command-classes.ts'
import { baseKey, readShell } from '../guard/commands.ts'
import { shellDangers } from '../guard/dangers.ts'
import { approvalKinds, gitClasses } from '../guard/git-args.ts'
import { claimPath, describePath, isWithin, pathFailure } from '../guard/paths.ts'
import type { ProcessEnd } from '../guard/process.ts'
import { type ExtraAccess, sandboxStatus } from '../guard/sandbox.ts'
import { openable, openSandboxNetwork, type SandboxNetwork } from '../guard/sandbox-network.ts'
import { callDoubts, shellHosts, shellTargets } from '../guard/shell-hosts.ts'
import { isRedirection, mentions, shellPaths, type Touches } from '../guard/shell-paths.ts'
import { shellReach } from '../guard/shell-reach.ts'
import type { ShellReading } from '../guard/shell-reading.ts'
import { outputsWithout } from '../outputs.ts'
import { type CallFacts, defineTool, type Tool, type ToolContext, type ToolOutput, type World } from '../tool.ts'

const NOTHING = EMPTY_RESULTS.output
const MAX_MS = 120_000
/** Shown to the model once; not part of the command's output. */
const NOTICE = /^\[not sandboxed: [^\n]*\]\n/
const ABORTED = 'the command was stopped because the run was aborted'

interface ShellArgs {
  command: string
  cwd?: string
  timeoutMs?: number
}

const SCHEMA = {
  type: 'object',
  properties: {
    command: { type: 'string', minLength: 1, description: 'The command line, as for bash.' },
    cwd: {
      type: 'string',
      description: 'Folder inside the workspace to run in; the workspace itself when absent.',
    },
    timeoutMs: { type: 'integer', minimum: 1, maximum: MAX_MS, description: 'Time limit in milliseconds.' },
  },
  required: ['command'],
  additionalProperties: false,
} as const

/** `wire` replaces the network outside the sandbox in tests. */
export function shellTool({ wire }: { wire?: Wire } = {}): Tool<ShellArgs> {
  let noticeShown = false

  return defineTool<ShellArgs>({
    name: 'shell',
    description:
      'Run a shell command in the workspace and return its output. No input; at most 120 seconds; its processes end with it.',
    schema: SCHEMA,
    family: 'shell',
    risk: 'Medium',
    trust: 'external',
    callMs: MAX_MS,

    outputs: (text) => outputsWithout(NOTHING)(text.replace(NOTICE, '')),

    preValidate: shellFacts,

    async execute({ command, cwd, timeoutMs }, context): Promise<ToolOutput> {
      const { world, signal } = context
      let folder: string
      try {
        folder = await claimPath({ path: cwd ?? '.', access: 'read' }, world)
      } catch (error) {
        return pathFailure(error, cwd ?? '.')
      }
      const limit = Math.min(timeoutMs ?? MAX_MS, MAX_MS)
      let ran: Connected
      try {
        const keepsAutorun = await keepsAutorunFiles(command, { cwd: folder, world })
        ran = await runConnected(command, {
          context,
          cwd: folder,
          timeoutMs: limit,
          keepsAutorun,
          ...(wire && { wire }),
        })
      } catch (error) {
        if (signal.aborted) return { ok: false, error: ABORTED, code: 'TOOL_FAILED' }
        return pathFailure(error, cwd ?? '.', context.lang)
      }
      const { end, sandbox, cleanup, hides, refusals } = ran
      const notice = sandbox.active || noticeShown ? '' : `[not sandboxed: ${sandbox.why}]\n`
      noticeShown = true
      const usesGit = readShell(command).invocations.some(({ base }) => base === 'git')
      const sandboxed = sandbox.active
      const { workspace } = world
      const output = report(end, { limit, notice, sandboxed, refusals, workspace, hidesFromGit: hides && usesGit })
      return failIfPlanted(output, cleanup, world.workspace)
    },
  })
}

/** What a line would touch, read from its words before it runs. */
async function shellFacts({ command, cwd }: ShellArgs, world: World): Promise<CallFacts> {
  const reading = readShell(command)
  const start = await describePath({ path: cwd ?? '.', access: 'read' }, world)
  const touches = shellPaths(reading, start.real)
  const uses = [...touches.paths, ...mentions(reading, world.protectedPaths, world.workspace)]
  const reach = await shellReach(reading, start.real, world)
  const paths = [start, ...(await Promise.all(uses.map((use) => describePath(use, world)))), ...reach.paths]
  const commands = shellUses(reading, { cwd: start.real, workspace: world.workspace })
  paths.push(...(await builtPaths(reading, commands, { cwd: start.real, world })))
  const { active } = await sandboxStatus(world.sandbox)
  const dangers = shellDangers(reading)
  if (paths.some((path) => path.access === 'write' && path.isProtected)) dangers.push(why('writesProtected'))
  if (writesAutorun(paths, world)) dangers.push(why('writesAutorun'))
  const unparsed = [...doubtsAbout(reading, touches, active), ...(active ? [] : reach.sweeps), ...(reach.doubts ?? [])]
  const bases = [...new Set(reading.invocations.map((invocation) => baseKey(invocation.name)))]
  const hosts = shellHosts(reading)
  const gits = reading.invocations.filter(({ base }) => base === 'git')
  const classes = [...new Set(gits.flatMap(({ args }) => gitClasses(args.map(({ text }) => text))))]
  const targets = shellTargets(reading)
  const isEnclosed = active && unparsed.length === 0 && hosts.length === 0 && targets.length === 0
  return {
    ...riskOf(commands, { isEnclosed, isDangerous: dangers.length > 0 }),
    paths,
    ...(hosts.length === 0 ? {} : { hosts }),
    ...(targets.length === 0 ? {} : { targets }),
    command: {
      bases,
      ...(classes.length === 0 ? {} : { classes }),
      uses: commands,
      dangers,
      ...(unparsed.length === 0 ? {} : { unparsed }),
    },
    preview: cwd === undefined ? command : `(in ${cwd}) ${command}`,
    approvalKeys: unparsed.length === 0 ? [...new Set(commands.flatMap(kindsOf))] : [],
  }
}

/** They write files that their words do not name. */
const UNPACKS = /^(tar|bsdtar|gtar|unzip|7z|7za|7zz|patch)$/

/** Commands that only read, build or unpack have no need to write files that other programs run or follow. */
async function keepsAutorunFiles(command: string, at: { cwd: string; world: World }): Promise<boolean> {
  const { cwd, world } = at
  const reading = readShell(command)
  const uses = shellUses(reading, { cwd, workspace: world.workspace })
  const isKept = ({ words: [name = '', first], class: is }: CommandUse): boolean =>
    is === 'read' || is === 'build' || UNPACKS.test(name) || (name === 'git' && /^(apply|am)$/.test(first ?? ''))
  if (!uses.every(isKept)) return false
  const named = await Promise.all(shellPaths(reading, cwd).paths.map((use) => describePath(use, world)))
  return !writesAutorun([...named, ...(await builtPaths(reading, uses, at))], world)
}

/** What builds write by their options. With an option that is not known here, only what must not be written counts. */
async function builtPaths(
  { invocations }: ShellReading,
  uses: readonly CommandUse[],
  { cwd, world }: { cwd: string; world: World },
): Promise<PathFact[]> {
  const found = invocations
    .filter((_, i) => uses[i]?.class === 'build')
    .flatMap((invocation) => outputPaths(invocation, (dir) => resolve(cwd, dir)))
  const facts = await Promise.all(
    found.map(async ({ isNamed, ...use }) => ({ fact: await describePath(use, world), isNamed })),
  )
  return facts
    .filter(
      ({ fact, isNamed }) => fact.isProtected || writesAutorun([fact], world) || (isNamed && fact.insideWorkspace),
    )
    .map(({ fact }) => fact)
}

function doubtsAbout(reading: ShellReading, { unknown }: Touches, isSandboxed: boolean): Why[] {
  return [
    ...reading.unparsed,
    ...unknown
      .filter((by) => !(isSandboxed && isPureReader(by)))
      .map((base) => (isRedirection(base) ? why('redirectionLater') : why('filesLater', { base }))),
    ...callDoubts(reading),
  ]
}

/** Enclosed: in a sandbox, fully understood and without a host. */
function riskOf(
  uses: readonly CommandUse[],
  { isEnclosed, isDangerous }: { isEnclosed: boolean; isDangerous: boolean },
): Pick<Facts, 'risk' | 'readOnly'> {
  if (isDangerous || uses.some((use) => ALWAYS_ASKED.includes(use.class))) return { risk: 'High', readOnly: false }
  const isOnly = (...names: CommandClass[]) => isEnclosed && uses.every((use) => names.includes(use.class))
  return { risk: isOnly('read', 'build') ? 'Low' : 'Medium', readOnly: isOnly('read') }
}

type Connected = Executed & { refusals: string[] }

interface ConnectedRun {
  context: ToolContext
  cwd: string
  timeoutMs: number
  keepsAutorun: boolean
  wire?: Wire
}

/** While the command runs, the hosts that the gate judged in this line are open, and so are `allowedHosts`. */
async function runConnected(
  command: string,
  { context, cwd, timeoutMs, keepsAutorun, wire }: ConnectedRun,
): Promise<Connected> {
  const { world, signal, policy, readOnly } = context
  if (readOnly) {
    const ran = await execute({ line: command }, { world, signal, cwd, timeoutMs, open: { readOnly } })
    return { ...ran, refusals: [] }
  }
  const hosts = openable(shellHosts(readShell(command)))
  const sandboxed = (await sandboxStatus(world.sandbox)).active
  const network =
    sandboxed && process.platform === 'linux'
      ? await openSandboxNetwork(hosts, { world, policy: policy.security, ...(wire && { wire }) })
      : undefined
  try {
    const open = { ...accessOf(hosts, network), keepsAutorun }
    const ran = await execute({ line: command }, { world, signal, cwd, timeoutMs, open })
    return { ...ran, refusals: network?.refusals() ?? [] }
  } finally {
    await network?.close()
  }
}

function accessOf(hosts: ReturnType<typeof openable>, network: SandboxNetwork | undefined): ExtraAccess {
  if (network !== undefined) return { relays: network.relays, variables: network.variables }
  return { hosts: hosts.map(({ host, port }) => `${host}:${port}`) }
}

interface Run {
  limit: number
  notice: string
  sandboxed: boolean
  /** Connections the sandbox refused. */
  refusals: readonly string[]
  workspace: string
  /** Git reports files it cannot see as changed. */
  hidesFromGit: boolean
}

function report(end: ProcessEnd, run: Run): ToolOutput {
  const printed = run.notice + end.output
  if (end.cut === undefined && end.exitCode === 0) return { ok: true, text: printed === '' ? NOTHING : printed }
  const why = {
    timeout: `the command was stopped after ${run.limit} ms`,
    abort: ABORTED,
    none: end.exitCode === null ? `the command was ended by ${end.signal}` : `the command exited with ${end.exitCode}`,
  }[end.cut ?? 'none']
  return {
    ok: false,
    error: [why, ...sandboxHints(end.output, run)].join('; '),
    ...(printed === '' ? {} : { partial: printed }),
    code: end.cut === 'timeout' ? 'TOOL_TIMEOUT' : 'TOOL_FAILED',
  }
}

const NO_WRITE = /read-only file system|EROFS/i
const NO_ACCESS = /permission denied|operation not permitted|EACCES|EPERM/i
/** An absolute path reported as missing. */
const MISSING = /(?:^|[\s'"(])(\/[^\s:'"]+)['"]?: no such file/gim
const NO_NETWORK =
  /could(n['’]t| not) (resolve|connect)|(name|host)[^\n]{0,40} (not known|not resolve)|name resolution|network is unreachable|no address associated|connection refused|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED/i

/** Explains failures that the sandbox may have caused; only when the output looks like it. */
function sandboxHints(output: string, { sandboxed, refusals, workspace, hidesFromGit }: Run): string[] {
  if (!sandboxed) return []
  const missing = [...output.matchAll(MISSING)].map(([, path = '']) => path)
  const isHidden = NO_ACCESS.test(output) || missing.some((path) => !isWithin(path, workspace))
  const isClosed = refusals.length === 0 && NO_NETWORK.test(output)
  return [
    ...refusals,
    ...(isClosed
      ? ['the sandbox opens the network only for hosts that curl, wget or git name in the line, and for allowedHosts']
      : []),
    ...(NO_WRITE.test(output) ? ['the sandbox lets commands write in the workspace only'] : []),
    ...(isHidden ? ['the sandbox hides blocked paths and files outside the workspace'] : []),
    ...(hidesFromGit ? ['in the sandbox, git sees blocked files as changed: use the git tool'] : []),
  ]
}

/** An approval for reading does not cover changing; git's are those of the git tool. */
function kindsOf({ words: [name = '', ...args], class: is }: CommandUse): string[] {
  if (name === 'git') return approvalKinds(args).map((kind) => `git ${kind}`)
  return [is === 'unknown' ? name : `${name} ${is}`]
}
