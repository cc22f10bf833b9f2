import type { Wire } from '../browser/guarded-proxy.ts'
import { type Executed, execute, withRefusals } from '../guard/boundary.ts'
import { baseKey, readShell } from '../guard/commands.ts'
import { shellDangers } from '../guard/dangers.ts'
import { approvalKinds, gitClasses } from '../guard/git-args.ts'
import { type NetworkDoor, openable, openDoor } from '../guard/network-door.ts'
import { isObeyed } from '../guard/obeyed.ts'
import { claimPath, describePath, isWithin, pathFailure } from '../guard/paths.ts'
import type { ProcessEnd } from '../guard/process.ts'
import { shellReach } from '../guard/reach.ts'
import { type Opening, sandboxStatus } from '../guard/sandbox.ts'
import { callDoubts, mentions, shellHosts, shellPaths, shellTargets } from '../guard/touches.ts'
import { outputsWithout } from '../outputs.ts'
import { defineTool, type Tool, type ToolContext, type ToolOutput } from '../tool.ts'

const NOTHING = '(no output)'
const MAX_MS = 120_000
/** Said to a model once; it is none of what a command printed. */
const NOTICE = /^\[not sandboxed: [^\n]*\]\n/
const ABORTED = 'the command was stopped because the run was aborted'

interface ShellArgs {
  command: string
  cwd?: string
  timeoutMs?: number
}

/** `wire`: the network beyond the sandbox, where a test has its own. */
export function shellTool({ wire }: { wire?: Wire } = {}): Tool<ShellArgs> {
  let told = false

  return defineTool<ShellArgs>({
    name: 'shell',
    description:
      'Run a shell command in the workspace and return what it prints. It gets no input, ends after at most 120 seconds, and nothing it starts outlives it.',
    schema: {
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
    },
    family: 'shell',
    risk: 'Medium',
    trust: 'external',
    callMs: MAX_MS,

    outputs: (text) => outputsWithout(NOTHING)(text.replace(NOTICE, '')),

    async preValidate({ command, cwd }, world) {
      const reading = readShell(command)
      const start = await describePath({ path: cwd ?? '.', access: 'read' }, world)
      const touches = shellPaths(reading, start.real)
      const uses = [...touches.paths, ...mentions(reading, world.protectedPaths, world.workspace)]
      const reach = await shellReach(reading, start.real, world)
      const paths = [start, ...(await Promise.all(uses.map((use) => describePath(use, world)))), ...reach.paths]
      const swept = reach.sweeps.length > 0 && !(await sandboxStatus(world.sandbox)).active ? reach.sweeps : []
      const dangers = shellDangers(reading)
      if (paths.some((path) => path.access === 'write' && path.isProtected)) dangers.push('it writes protected files')
      if (paths.some((path) => path.access === 'write' && isObeyed(path, world)))
        dangers.push('it writes files that other programs run or obey')
      const unparsed = [
        ...reading.unparsed,
        ...touches.unknown.map((by) => `the files of ${by} show only when it runs`),
        ...callDoubts(reading),
        ...swept,
        ...(reach.doubts ?? []),
      ]
      const bases = [...new Set(reading.invocations.map((invocation) => baseKey(invocation.name)))]
      const hosts = shellHosts(reading)
      const gits = reading.invocations.filter(({ base }) => base === 'git')
      const classes = [...new Set(gits.flatMap(({ args }) => gitClasses(args.map(({ text }) => text))))]
      const targets = shellTargets(reading)
      return {
        risk: dangers.length > 0 ? 'High' : 'Medium',
        readOnly: false,
        paths,
        ...(hosts.length === 0 ? {} : { hosts }),
        ...(targets.length === 0 ? {} : { targets }),
        command: {
          bases,
          ...(classes.length === 0 ? {} : { classes }),
          dangers,
          ...(unparsed.length === 0 ? {} : { unparsed: unparsed.join('; ') }),
        },
        preview: cwd === undefined ? command : `(in ${cwd}) ${command}`,
        approvalKeys: unparsed.length === 0 ? [...new Set(reading.invocations.flatMap(kindsOf))] : [],
      }
    },

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
        ran = await runConnected(command, { context, cwd: folder, timeoutMs: limit, ...(wire && { wire }) })
      } catch (error) {
        if (signal.aborted) return { ok: false, error: ABORTED, code: 'TOOL_FAILED' }
        return pathFailure(error, cwd ?? '.')
      }
      const { end, sandbox, settled, hides, refusals } = ran
      const notice = sandbox.active || told ? '' : `[not sandboxed: ${sandbox.why}]\n`
      told = true
      const usesGit = readShell(command).invocations.some(({ base }) => base === 'git')
      const fenced = sandbox.active
      const { workspace } = world
      const output = report(end, { limit, notice, fenced, refusals, workspace, hidesFromGit: hides && usesGit })
      return withRefusals(output, settled, world.workspace)
    },
  })
}

type Connected = Executed & { refusals: string[] }

/** The hosts that the gate has judged in this very line are open while it runs, and so are `allowedHosts`. */
async function runConnected(
  command: string,
  { context, cwd, timeoutMs, wire }: { context: ToolContext; cwd: string; timeoutMs: number; wire?: Wire },
): Promise<Connected> {
  const { world, signal, policy } = context
  const hosts = openable(shellHosts(readShell(command)))
  const fenced = (await sandboxStatus(world.sandbox)).active
  const door =
    fenced && process.platform === 'linux'
      ? await openDoor(hosts, { world, policy: policy.security, ...(wire && { wire }) })
      : undefined
  try {
    const open = openingOf(hosts, door)
    const ran = await execute({ line: command }, { world, signal, cwd, timeoutMs, open })
    return { ...ran, refusals: door?.refusals() ?? [] }
  } finally {
    await door?.close()
  }
}

function openingOf(hosts: ReturnType<typeof openable>, door: NetworkDoor | undefined): Opening {
  if (door !== undefined) return { relays: door.relays, variables: door.variables }
  return { hosts: hosts.map(({ host, port }) => `${host}:${port}`) }
}

interface Run {
  limit: number
  notice: string
  fenced: boolean
  /** Connections the sandbox refused. */
  refusals: readonly string[]
  workspace: string
  /** Git takes what it cannot see for changed. */
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
/** An absolute path that is said not to be there. */
const MISSING = /(?:^|[\s'"(])(\/[^\s:'"]+)['"]?: no such file/gim
const NO_NETWORK =
  /could(n['’]t| not) (resolve|connect)|(name|host)[^\n]{0,40} (not known|not resolve)|name resolution|network is unreachable|no address associated|connection refused|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED/i

/** What the sandbox may have to do with it: told only where the output looks like it. */
function sandboxHints(output: string, { fenced, refusals, workspace, hidesFromGit }: Run): string[] {
  if (!fenced) return []
  const missing = [...output.matchAll(MISSING)].map(([, path = '']) => path)
  const isHidden = NO_ACCESS.test(output) || missing.some((path) => !isWithin(path, workspace))
  const isClosed = refusals.length === 0 && NO_NETWORK.test(output)
  return [
    ...refusals,
    ...(isClosed
      ? ['the sandbox opens the network only for hosts that curl, wget or git name in the line, and for allowedHosts']
      : []),
    ...(NO_WRITE.test(output) ? ['the sandbox lets commands write in the workspace only'] : []),
    ...(isHidden ? ['the sandbox keeps blocked paths and files outside the workspace from commands'] : []),
    ...(hidesFromGit ? ['blocked files look changed to git in here: use the git tool'] : []),
  ]
}

/** Of git, a yes to reading is not one to committing, in the shell as with the tool of that name. */
function kindsOf({ name, base, args }: ReturnType<typeof readShell>['invocations'][number]): string[] {
  const key = baseKey(name)
  const kinds = base === 'git' ? approvalKinds(args.map(({ text }) => text)) : []
  return kinds.length === 0 ? [key] : kinds.map((kind) => `${key} ${kind}`)
}
