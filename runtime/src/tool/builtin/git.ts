import { dirname } from 'node:path'
import { WritError } from '../../base/errors.ts'
import type { HostFact } from '../../protocol/facts.ts'
import { gitDangers, gitPaths, isKnownGit, isReadingGit, splitGit } from '../guard/git-args.ts'
import { closedPathspecs, gitReach } from '../guard/git-reach.ts'
import { concernsGate, describeHost } from '../guard/hosts.ts'
import { claimPath, describePath, pathFailure } from '../guard/paths.ts'
import { type ProcessEnd, runProcess, scrubEnv } from '../guard/process.ts'
import { defineTool, type ToolOutput, type World } from '../tool.ts'

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
    const reach = await gitReach(args, world.workspace, world)
    const named = await Promise.all(gitPaths(args, world.workspace).map((use) => describePath(use, world)))
    const paths = [...named, ...reach.paths]
    const dangers = gitDangers(args)
    const hosts = rest.flatMap(hostIn)
    const judged = hosts.filter(concernsGate)
    const unparsed = unknowns(args)
    // A search leaves closed files out by itself: see `withoutClosed`.
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
      approvalKeys: unparsed.length === 0 ? ['git'] : [],
    }
  },

  async execute({ args }, { world, signal }): Promise<ToolOutput> {
    try {
      for (const use of gitPaths(args, world.workspace)) await claimPath(use, world)
      const git = (own: readonly string[], timeoutMs: number): Promise<ProcessEnd> =>
        runProcess({
          file: 'git',
          args: ['--no-pager', ...own],
          cwd: world.workspace,
          // A repository around the workspace would let git change files outside of it.
          env: { ...scrubEnv(world.env), ...QUIET, GIT_CEILING_DIRECTORIES: dirname(world.workspace) },
          timeoutMs,
          signal,
        })
      const end = await git(await withoutClosed(args, world, git), MAX_MS)
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

/** Why what a command does, or whose contents it prints, cannot be told before it runs. */
function unknowns(args: readonly string[]): string[] {
  const { subcommand, rest } = splitGit(args)
  if (!isKnownGit(subcommand)) return [`git ${subcommand} is an alias or an extension; what it runs is not known`]
  if (subcommand === 'cat-file' && !rest.some((arg) => arg.includes(':') || /^-[ets]$/.test(arg)))
    return ['which file an object holds shows only when git cat-file runs']
  const printsAll = ['fast-export', 'range-diff'].includes(subcommand) || (subcommand === 'stash' && isPatch(rest))
  return printsAll ? [`git ${subcommand} prints what files hold, closed ones among them`] : []
}

/** True when differences are printed and not only told of. */
function isPatch(rest: readonly string[]): boolean {
  return rest.some((arg) =>
    /^(-[puWc]|-U\d*|--cc|--(patch|unified|word-diff|color-words|function-context)\b.*)$/.test(arg),
  )
}

/** Commands that print what files hold, and take pathspecs. */
const PRINTS = new Set('archive diff diff-files diff-index diff-tree format-patch show'.split(' '))
const LOOK_MS = 3_000
const MAX_OBJECTS = 20

/** The arguments, with closed files left out of what is printed. */
async function withoutClosed(
  args: readonly string[],
  world: World,
  git: (args: readonly string[], timeoutMs: number) => Promise<ProcessEnd>,
): Promise<readonly string[]> {
  const { subcommand, globals, rest } = splitGit(args)
  // These take one path and no more, and it was judged by its name.
  const isSingle = rest.some((arg) => /^(--follow$|-L|--no-index$)/.test(arg)) && subcommand !== 'grep'
  const prints = PRINTS.has(subcommand) || (['log', 'whatchanged'].includes(subcommand) && isPatch(rest))
  if (isSingle || (subcommand !== 'grep' && !prints)) return args
  const { find, leaveOut } = await closedPathspecs(world)
  if (leaveOut.length === 0) return args
  if (subcommand !== 'grep') {
    // A path given to `git log` also hides merges and empty commits, so none is given where nothing is to be hidden.
    const kept = await git([...globals, 'ls-files', '--', ...find], LOOK_MS)
    const ever = await git([...globals, 'rev-list', '--all', '--max-count=1', '--', ...find], LOOK_MS)
    const isNever = [kept, ever].every((end) => end.cut === undefined && (end.exitCode !== 0 || end.output === ''))
    if (isNever) return args
    for (const object of subcommand === 'show' ? rest.filter((arg) => !/^-|:/.test(arg)).slice(0, MAX_OBJECTS) : []) {
      if ((await git([...globals, 'cat-file', '-t', object], LOOK_MS)).output.trim() !== 'blob') continue
      throw new WritError('PATH_BLOCKED', `${object} is what a file holds, and nobody can tell which one`, {
        hint: 'Name the file, as in HEAD:src/main.ts.',
      })
    }
  }
  return [...args, ...leaveOut]
}

/** `https://host/x` and `user@host:x`. */
function hostIn(arg: string): HostFact[] {
  if (/^(https?|ssh|git|ftps?):\/\//i.test(arg)) return [describeHost(arg, 'GET')]
  const short = /^(?:[\w.-]+@)([\w.-]+):(?!\/\/)/.exec(arg)
  return short?.[1] === undefined ? [] : [describeHost(`ssh://${short[1]}:22/`, 'GET')]
}
