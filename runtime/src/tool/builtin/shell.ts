import { type Executed, execute, withRefusals } from '../guard/boundary.ts'
import { baseKey, readShell } from '../guard/commands.ts'
import { shellDangers } from '../guard/dangers.ts'
import { gitClasses } from '../guard/git-args.ts'
import { isObeyed } from '../guard/obeyed.ts'
import { claimPath, describePath, pathFailure } from '../guard/paths.ts'
import type { ProcessEnd } from '../guard/process.ts'
import { shellReach } from '../guard/reach.ts'
import { sandboxStatus } from '../guard/sandbox.ts'
import { callDoubts, mentions, shellHosts, shellPaths, shellTargets } from '../guard/touches.ts'
import { outputsWithout } from '../outputs.ts'
import { defineTool, type Tool, type ToolOutput } from '../tool.ts'

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

export function shellTool(): Tool<ShellArgs> {
  let told = false

  return defineTool<ShellArgs>({
    name: 'shell',
    description:
      'Run a shell command in the workspace and return what it prints. No input can be given to it, and nothing it starts keeps running after it ends. Ends after at most 120 seconds.',
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
        approvalKeys: unparsed.length === 0 ? bases : [],
      }
    },

    async execute({ command, cwd, timeoutMs }, { world, signal }): Promise<ToolOutput> {
      let folder: string
      try {
        folder = await claimPath({ path: cwd ?? '.', access: 'read' }, world)
      } catch (error) {
        return pathFailure(error, cwd ?? '.')
      }
      const limit = Math.min(timeoutMs ?? MAX_MS, MAX_MS)
      let ran: Executed
      try {
        ran = await execute({ line: command }, { world, signal, cwd: folder, timeoutMs: limit })
      } catch (error) {
        if (signal.aborted) return { ok: false, error: ABORTED, code: 'TOOL_FAILED' }
        return pathFailure(error, cwd ?? '.')
      }
      const { end, sandbox, settled, hides } = ran
      const notice = sandbox.active || told ? '' : `[not sandboxed: ${sandbox.why}]\n`
      told = true
      const usesGit = readShell(command).invocations.some(({ base }) => base === 'git')
      const output = report(end, { limit, notice, fenced: sandbox.active, hidesFromGit: hides && usesGit })
      return withRefusals(output, settled, world.workspace)
    },
  })
}

interface Run {
  limit: number
  notice: string
  fenced: boolean
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
  const hint = run.fenced
    ? ` (sandboxed: only the workspace can be written, only the workspace and programs can be read, blocked paths cannot, and the network is closed except for allowedHosts${run.hidesFromGit ? '; blocked files look changed to git in here: use the git tool' : ''})`
    : ''
  return {
    ok: false,
    error: why + hint,
    ...(printed === '' ? {} : { partial: printed }),
    code: end.cut === 'timeout' ? 'TOOL_TIMEOUT' : 'TOOL_FAILED',
  }
}
