import type { HostFact } from '../../protocol/facts.ts'
import { gitDangers, isKnownGit, isReadingGit, splitGit } from '../guard/git-args.ts'
import { lookingGit, runGit } from '../guard/git-process.ts'
import { gitReach, namedUses } from '../guard/git-reach.ts'
import { concernsGate, describeHost } from '../guard/hosts.ts'
import { claimPath, describePath, pathFailure } from '../guard/paths.ts'
import { defineTool, type ToolOutput } from '../tool.ts'
import { withoutClosed } from './git-closed.ts'

const MAX_MS = 120_000
/** Without it, no difference would be told from one that is kept from sight. */
const LEFT_OUT = '(blocked files left out)'

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
    const reach = await gitReach(args, world.workspace, world)
    const named = await Promise.all((await namedUses(args, world)).map((use) => describePath(use, world)))
    const paths = [...named, ...reach.paths]
    const dangers = gitDangers(args)
    const hosts = rest.flatMap(hostIn)
    const judged = hosts.filter(concernsGate)
    const unparsed = unknowns(args)
    // A search leaves closed files out by itself.
    if (subcommand !== 'grep') unparsed.push(...reach.sweeps)
    return {
      risk: dangers.length > 0 ? 'High' : 'Medium',
      readOnly: isReadingGit(args),
      ...(paths.length === 0 ? {} : { paths }),
      ...(judged.length === 0 ? {} : { hosts: judged }),
      ...(hosts.length === 0 ? {} : { targets: hosts.map(({ url }) => ({ kind: 'url', value: url })) }),
      command: {
        bases: ['git'],
        dangers,
        ...(unparsed.length === 0 ? {} : { unparsed: unparsed.join('; ') }),
      },
      preview: ['git', ...args.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : JSON.stringify(arg)))].join(' '),
      approvalKeys: unparsed.length === 0 ? approvalKinds(args) : [],
    }
  },

  async execute({ args }, { world, signal }): Promise<ToolOutput> {
    try {
      for (const use of await namedUses(args, world)) await claimPath(use, world)
      const look = lookingGit(splitGit(args).globals, world, signal)
      const { args: narrowed, leavesOut } = await withoutClosed(args, world, look)
      const end = await runGit(narrowed, { world, timeoutMs: MAX_MS, signal })
      const told = leavesOut ? [end.output.trimEnd(), LEFT_OUT].filter((part) => part !== '').join('\n') : end.output
      if (end.cut === undefined && end.exitCode === 0) {
        return { ok: true, text: end.output === '' ? ['(no output)', told].join('\n').trimEnd() : told }
      }
      const why =
        end.cut === undefined ? `git exited with ${end.exitCode ?? end.signal}` : `git was stopped: ${end.cut}`
      return {
        ok: false,
        error: why,
        ...(told === '' ? {} : { partial: told }),
        code: end.cut === 'timeout' ? 'TOOL_TIMEOUT' : 'TOOL_FAILED',
      }
    } catch (error) {
      return pathFailure(error, 'git')
    }
  },
})

/** Alone or among other short options, but not in a message. */
const PATCH = /^-[^-mFCc]*p|^--patc/
const VERBOSE = /^-[^-mFCc]*v|^--verb/
const TELLS_NAMES = /^--((short|num)?stat|name-only|name-status|oneline)$/
const PICKS = new Set(['add', 'checkout', 'commit', 'reset', 'restore', 'stash'])
const PRINTS_ALL = new Set(['difftool', 'fast-export', 'merge-tree', 'range-diff'])

/** Why what a command does, or whose contents it prints, cannot be told before it runs. */
function unknowns(args: readonly string[]): string[] {
  const { subcommand, globals, rest } = splitGit(args)
  if (!isKnownGit(subcommand)) return [`git ${subcommand} is an alias or an extension; what it runs is not known`]
  const isNamed = rest.some((arg) => (arg.includes(':') && !arg.startsWith('-')) || /^-[ets]$/.test(arg))
  if (subcommand === 'cat-file' && (!isNamed || rest.some((arg) => arg.startsWith('--b'))))
    return ['which file an object holds shows only when git cat-file runs']
  if (globals.includes('--literal-pathspecs')) return ['with --literal-pathspecs no closed file can be left out']
  return printsAll(subcommand, rest) ? [`git ${subcommand} prints what files hold, closed ones among them`] : []
}

/** True of what prints differences and takes no pathspec that would leave a file out of them. */
function printsAll(subcommand: string, rest: readonly string[]): boolean {
  const has = (pattern: RegExp): boolean => rest.some((arg) => pattern.test(arg))
  if (PRINTS_ALL.has(subcommand) || has(/^--show-cur|^--sub\w*=d/)) return true
  if (PICKS.has(subcommand) && has(PATCH)) return true
  if (subcommand === 'stash' && /^(show|list)$/.test(rest[0] ?? ''))
    return rest.some((arg) => arg.startsWith('-') && !TELLS_NAMES.test(arg))
  if (subcommand === 'bisect') return has(/^(view|visualize)$/)
  if (subcommand === 'archive') return has(/^--remote/)
  return (subcommand === 'status' || subcommand === 'commit') && has(VERBOSE)
}

/** `https://host/x` and `user@host:x`. */
function hostIn(arg: string): HostFact[] {
  if (/^(https?|ssh|git|ftps?):\/\//i.test(arg)) return [describeHost(arg, 'GET')]
  const short = /^(?:[\w.-]+@)([\w.-]+):(?!\/\/)/.exec(arg)
  return short?.[1] === undefined ? [] : [describeHost(`ssh://${short[1]}:22/`, 'GET')]
}

/** A yes to one read is a yes to every read; what changes something is a matter of its own. */
function approvalKinds(args: readonly string[]): string[] {
  if (isReadingGit(args)) return ['read']
  const { subcommand } = splitGit(args)
  return subcommand === undefined ? [] : [subcommand]
}
