import { dirname } from 'node:path'
import type { HostFact } from '../../protocol/facts.ts'
import { gitDangers, gitPaths, isKnownGit, isReadingGit, splitGit } from '../guard/git-args.ts'
import { concernsGate, describeHost } from '../guard/hosts.ts'
import { claimPath, describePath, pathFailure } from '../guard/paths.ts'
import { runProcess, scrubEnv } from '../guard/process.ts'
import { defineTool, type ToolOutput } from '../tool.ts'

const MAX_MS = 120_000

/** Never waits for a person: no editor, no pager, no password prompt. */
const QUIET = {
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
  GIT_OPTIONAL_LOCKS: '0',
}

export const gitTool = defineTool<{ args: string[] }>({
  name: 'git',
  description:
    'Run git in the workspace, without a shell. Give the arguments as a list, for example ["log", "--oneline", "-5"]. No editor and no prompt can open: use -m for messages.',
  schema: {
    type: 'object',
    properties: {
      args: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'Arguments after `git`.' },
    },
    required: ['args'],
    additionalProperties: false,
  },
  family: 'vcs',
  risk: 'Medium',
  trust: 'external',
  callMs: MAX_MS,

  async preValidate({ args }, world) {
    const { subcommand, rest } = splitGit(args)
    const paths = await Promise.all(gitPaths(args, world.workspace).map((use) => describePath(use, world)))
    const dangers = gitDangers(args)
    const hosts = rest.flatMap(hostIn)
    const judged = hosts.filter(concernsGate)
    const isKnown = isKnownGit(subcommand)
    return {
      risk: dangers.length > 0 ? 'High' : 'Medium',
      readOnly: isReadingGit(args),
      ...(paths.length === 0 ? {} : { paths }),
      ...(judged.length === 0 ? {} : { hosts: judged }),
      ...(hosts.length === 0 ? {} : { targets: hosts.map(({ url }) => ({ kind: 'url', value: url })) }),
      command: {
        bases: ['git'],
        dangers,
        ...(isKnown ? {} : { unparsed: `git ${subcommand} is an alias or an extension; what it runs is not known` }),
      },
      preview: ['git', ...args.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : JSON.stringify(arg)))].join(' '),
      approvalKeys: isKnown ? ['git'] : [],
    }
  },

  async execute({ args }, { world, signal }): Promise<ToolOutput> {
    try {
      for (const use of gitPaths(args, world.workspace)) await claimPath(use, world)
      const end = await runProcess({
        file: 'git',
        args: ['--no-pager', ...args],
        cwd: world.workspace,
        // A repository around the workspace would let git change files outside of it.
        env: { ...scrubEnv(world.env), ...QUIET, GIT_CEILING_DIRECTORIES: dirname(world.workspace) },
        timeoutMs: MAX_MS,
        signal,
      })
      if (end.cut === undefined && end.exitCode === 0) return { ok: true, text: end.output || '(no output)' }
      const why =
        end.cut === undefined ? `git exited with ${end.exitCode ?? end.signal}` : `git was stopped: ${end.cut}`
      return {
        ok: false,
        error: why,
        ...(end.output === '' ? {} : { partial: end.output }),
        code: end.cut === 'timeout' ? 'TOOL_TIMEOUT' : 'TOOL_FAILED',
      }
    } catch (error) {
      return pathFailure(error, 'git')
    }
  },
})

/** `https://host/x` and `user@host:x`. */
function hostIn(arg: string): HostFact[] {
  if (/^(https?|ssh|git|ftps?):\/\//i.test(arg)) return [describeHost(arg, 'GET')]
  const short = /^(?:[\w.-]+@)([\w.-]+):(?!\/\/)/.exec(arg)
  return short?.[1] === undefined ? [] : [describeHost(`ssh://${short[1]}:22/`, 'GET')]
}
