import { distinct, why } from '../../i18n/why.ts'
import { EMPTY_RESULTS } from '../../protocol/empty-results.ts'
import type { HostFact, TargetFact } from '../../protocol/facts.ts'
import type { Why } from '../../protocol/why.ts'
import { failIfPlanted } from '../guard/boundary.ts'
import { readsFileList } from '../guard/file-lists.ts'
import { destinations, isNetworkGit, parseAddress } from '../guard/git-addresses.ts'
import {
  approvalKinds,
  gitClass,
  gitClasses,
  gitDangers,
  isReadingGit,
  rareGit,
  splitGit,
  writesTree,
} from '../guard/git-args.ts'
import { openGitConnection, provesIdentity } from '../guard/git-connection.ts'
import { lostByCheckout, lostByOutput } from '../guard/git-doubts.ts'
import { type GitPlace, gitPlace, isBelowRoot } from '../guard/git-place.ts'
import { type GitResult, readOnlyGit, runGit, withGitHome } from '../guard/git-process.ts'
import { gitReach, namedUses } from '../guard/git-reach.ts'
import { sentWords } from '../guard/git-sent.ts'
import { concernsGate, describeHost } from '../guard/hosts.ts'
import { claimPath, describePath, type PathUse, pathFailure } from '../guard/paths.ts'
import { sandboxStatus } from '../guard/sandbox.ts'
import { outputsWithout } from '../outputs.ts'
import { defineTool, type ToolContext, type ToolOutput, type World } from '../tool.ts'
import { refuseDoubts, withoutClosed } from './git-closed.ts'

const NOTHING = EMPTY_RESULTS.output
const MAX_MS = 120_000
/** Without this note, a hidden difference would look like no difference. */
const LEFT_OUT = '(blocked files left out)'

export const gitTool = defineTool<{ args: string[] }>({
  name: 'git',
  description:
    'Run git in the workspace, without a shell. Give the arguments as a list, for example ["log", "--oneline", "-5"]. No editor opens: use -m for messages.',
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

  outputs: outputsWithout(NOTHING),

  // Reads files only: starting git in a repository may already run programs that the repository names.
  async preValidate({ args }, world) {
    const { subcommand } = splitGit(args)
    const place = gitPlace(args, world)
    const reach = await gitReach(args, world.workspace, world)
    const uses = await allUses(args, place, world)
    const paths = [...(await Promise.all(uses.map((use) => describePath(use, world)))), ...reach.paths]
    const { hosts, setUp, unknown } = connections(args, place)
    const isNetwork = isNetworkGit(splitGit(args))
    const dangers = [
      ...gitDangers(args),
      ...lostByCheckout(args, place.from),
      ...lostByOutput(args, world.workspace),
      ...(isNetwork ? hosts.flatMap((host) => provesIdentity(host, world)) : []),
      ...(isNetwork && hosts.length > 0 ? sentWords(splitGit(args), place.repository, world) : []),
    ]
    const unparsed = [...unknowns(args), ...unknown]
    // git grep excludes closed files by pathspec.
    if (subcommand !== 'grep') unparsed.push(...reach.sweeps)
    const { active } = await sandboxStatus(world.sandbox)
    if (/^(apply|am)$/.test(subcommand) && !active) unparsed.push(why('patchFiles'))
    const judged = hosts.filter((host) => isNetwork || concernsGate(host))
    const isEnclosed = active && unparsed.length === 0 && judged.length === 0
    return {
      risk: dangers.length > 0 ? 'High' : isEnclosed && isReadingGit(args) ? 'Low' : 'Medium',
      readOnly: isReadingGit(args),
      ...(paths.length === 0 ? {} : { paths }),
      ...(judged.length === 0 ? {} : { hosts: judged }),
      ...(hosts.length === 0 ? {} : { targets: hosts.map(({ url }) => targetOf(url, setUp)) }),
      command: {
        bases: ['git'],
        classes: gitClasses(args),
        uses: [{ words: ['git', ...args], class: gitClass(args) }],
        dangers: distinct(dangers),
        ...(unparsed.length === 0 ? {} : { unparsed }),
      },
      preview: ['git', ...args.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : JSON.stringify(arg)))].join(' '),
      approvalKeys: unparsed.length === 0 ? approvalKinds(args) : [],
    }
  },

  async execute({ args }, context): Promise<ToolOutput> {
    const { world } = context
    try {
      const place = gitPlace(args, world)
      for (const use of await allUses(args, place, world)) await claimPath(use, world)
      return await withGitHome({ world, place }, (home) => runIn(args, { place, home, context }))
    } catch (error) {
      return pathFailure(error, 'git', context.lang)
    }
  },
})

async function runIn(
  args: readonly string[],
  { place, home, context }: { place: GitPlace; home: string; context: ToolContext },
): Promise<ToolOutput> {
  const { world, signal, readOnly } = context
  const call = { args, world, place, signal, readOnly, timeoutMs: MAX_MS }
  const look = readOnlyGit(call, home)
  await refuseDoubts(args, world, look)
  const { args: narrowed, leavesOut } = await withoutClosed(args, world, look)
  const { hosts, isLocal } = connections(args, place)
  const connection =
    isNetworkGit(splitGit(args)) && hosts.length > 0
      ? await openGitConnection(hosts, { world, home, repository: place.repository })
      : undefined
  const protocols = [...(connection?.protocols ?? []), ...(isLocal ? ['file'] : [])]
  try {
    const ran = await runGit({ ...call, protocols, connection }, narrowed, home)
    return outputOf(ran, { leavesOut, refusals: connection?.refusals() ?? [], workspace: world.workspace })
  } finally {
    await connection?.close()
  }
}

/** Every path the call names, and the whole working tree if it would write files outside the workspace. */
async function allUses(args: readonly string[], place: GitPlace, world: World): Promise<PathUse[]> {
  const command = splitGit(args)
  const { paths } = isNetworkGit(command) ? destinations(command, place.repository) : { paths: [] }
  const isWhole = isBelowRoot(place, world) && writesTree(args)
  return [
    ...(await namedUses(args, world)),
    ...paths.map((use): PathUse => ({ ...use, from: place.from })),
    ...(isWhole ? [{ path: place.repository?.top ?? '', access: 'write' as const }] : []),
  ]
}

function connections(
  args: readonly string[],
  place: GitPlace,
): { hosts: HostFact[]; setUp: readonly string[]; unknown: Why[]; isLocal: boolean } {
  const command = splitGit(args)
  const isNetwork = isNetworkGit(command)
  const named = isNetwork || command.subcommand === 'remote' ? destinations(command, place.repository) : undefined
  const others = isNetwork ? [] : command.rest.flatMap(hostIn)
  const hosts = [...(named?.hosts ?? []), ...others]
  return {
    hosts: [...new Map(hosts.map((host) => [`${host.method} ${host.url}`, host])).values()],
    setUp: named?.setUp ?? [],
    unknown: isNetwork ? (named?.unknown ?? []) : [],
    isLocal: isNetwork && (named?.paths.length ?? 0) > 0,
  }
}

function targetOf(value: string, setUp: readonly string[]): TargetFact {
  return { kind: 'url', value, ...(setUp.includes(value) ? { setUp: true } : {}) }
}

/** An address in a command that does not connect: shown to people and judged by the gate. */
function hostIn(arg: string): HostFact[] {
  if (/^(https?|ssh|git|ftps?):\/\//i.test(arg)) return [describeHost(arg, 'GET')]
  const address = /^[\w.-]+@/.test(arg) ? parseAddress(arg) : undefined
  return address?.kind === 'ssh' ? [describeHost(`ssh://${address.host}:${address.port}/`, 'GET')] : []
}

function outputOf(
  { end, cleanup, notes }: GitResult,
  { leavesOut, refusals, workspace }: { leavesOut: boolean; refusals: string[]; workspace: string },
): ToolOutput {
  const extra = [...notes, ...refusals, ...(leavesOut ? [LEFT_OUT] : [])]
  const text = [extra.length > 0 ? end.output.trimEnd() : end.output, ...extra].filter((part) => part !== '').join('\n')
  const partial = text === '' ? {} : { partial: text }
  if (cleanup.moved.length + cleanup.stuck.length > 0) {
    return failIfPlanted({ ok: false, error: '', ...partial }, cleanup, workspace)
  }
  if (end.cut === undefined && end.exitCode === 0) {
    return { ok: true, text: end.output === '' ? [NOTHING, text].join('\n').trimEnd() : text }
  }
  const why = end.cut === undefined ? `git exited with ${end.exitCode ?? end.signal}` : `git was stopped: ${end.cut}`
  return { ok: false, error: why, ...partial, code: end.cut === 'timeout' ? 'TOOL_TIMEOUT' : 'TOOL_FAILED' }
}

/** Alone or combined with other short options, but not inside a message. */
const PATCH = /^-[^-mFCc]*p|^--patc/
const VERBOSE = /^-[^-mFCc]*v|^--verb/
const TELLS_NAMES = /^--((short|num)?stat|name-only|name-status|oneline|date=[\w:-]+)$/
const PICKS = new Set(['add', 'checkout', 'commit', 'reset', 'restore', 'stash'])
const PRINTS_ALL = new Set(['difftool', 'fast-export', 'merge-tree', 'range-diff'])

/** Why it is unknown before the run what a command does, or which files it prints. */
function unknowns(args: readonly string[]): Why[] {
  const { subcommand, globals, rest } = splitGit(args)
  const rare = rareGit(subcommand)
  if (rare.length > 0) return rare
  const isNamed = rest.some((arg) => (arg.includes(':') && !arg.startsWith('-')) || /^-[ets]$/.test(arg))
  if (subcommand === 'cat-file' && (!isNamed || rest.some((arg) => arg.startsWith('--b')))) return [why('objectLater')]
  if (readsFileList('git', [subcommand, ...rest])) return [why('filesLater', { base: `git ${subcommand}` })]
  if (globals.includes('--literal-pathspecs')) return [why('literalPathspecs')]
  return printsAll(subcommand, rest) ? [why('gitPrints', { subcommand })] : []
}

/** True for commands that print differences and take no pathspec to exclude a file. */
function printsAll(subcommand: string, rest: readonly string[]): boolean {
  const has = (pattern: RegExp): boolean => rest.some((arg) => pattern.test(arg))
  if (PRINTS_ALL.has(subcommand) || has(/^--sub\w*=d|%\(\*?raw/)) return true
  if (subcommand !== 'branch' && has(/^--show-cur/)) return true
  if (PICKS.has(subcommand) && has(PATCH)) return true
  if (subcommand === 'stash' && /^(show|list)$/.test(rest[0] ?? ''))
    return rest.some((arg) => arg.startsWith('-') && !TELLS_NAMES.test(arg))
  if (subcommand === 'bisect') return has(/^(view|visualize)$/)
  if (subcommand === 'archive') return has(/^--remote/)
  return (subcommand === 'status' || subcommand === 'commit') && has(VERBOSE)
}
