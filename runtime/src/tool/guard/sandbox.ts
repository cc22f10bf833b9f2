/** The operating system's own fence around the programs of a call, where the machine has one. */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { messageOf, WritError } from '../../base/errors.ts'
import type { World } from '../tool.ts'
import { foldersAbove, protectedNow, withNamedByGit } from './held.ts'
import { findClosed } from './hidden.ts'
import { classifyAddress } from './hosts.ts'
import { withoutKernelSettings } from './kernel-files.ts'
import { moveAside, type Settled, watchEmptyPlaces } from './leftovers.ts'
import { isWithin, OPEN_DATA, realData } from './paths.ts'
import { plantedIn, type Repositories, repositoriesBelow } from './planted.ts'
import { runProcess, scrubEnv } from './process.ts'
import { readRules } from './readable.ts'
import { type Relay, withRelays } from './relays.ts'
import { shutRepository } from './repositories.ts'
import { sandboxPrograms, withSystemPath } from './system-programs.ts'

export interface SandboxStatus {
  active: boolean
  why: string
}

export interface Wrapped {
  file: string
  args: string[]
  /** True when files of the workspace are there that the command cannot see. */
  hides: boolean
  /** Takes back what the fence put in place for this one command; answers what the command made and may not. */
  release(): Promise<Settled>
}

const SHELLS = ['/bin/bash', '/usr/bin/bash', '/bin/sh']
const SHELL = SHELLS.find((path) => existsSync(path)) ?? '/bin/sh'
/** Entries looked at, and files held shut, for one command: each of the latter is a mount, and slows its start. */
const MAX_LOOK = 500_000
const MAX_HELD = 500
type Manager = typeof import('@anthropic-ai/sandbox-runtime').SandboxManager
type Fence = { manager: Manager; temporary: string }
const CLOSED = { allowedDomains: [], deniedDomains: [] }
const NOTHING_OPEN = { network: CLOSED, filesystem: { denyRead: [], allowWrite: [], denyWrite: [] } }
let opened: Promise<void> | undefined
let probed: Promise<{ fence?: Fence; why: string }> | undefined

/** Whether commands run fenced, and why or why not. Tried once per process, with a real command. */
export async function sandboxStatus(setting: World['sandbox']): Promise<SandboxStatus> {
  if (setting === 'off') return { active: false, why: 'switched off in the configuration' }
  probed ??= probe()
  const { fence, why } = await probed
  return { active: fence !== undefined, why }
}

async function probe(): Promise<{ fence?: Fence; why: string }> {
  try {
    const { SandboxManager: manager } = await import('@anthropic-ai/sandbox-runtime')
    if (!manager.isSupportedPlatform()) return { why: `not available on ${process.platform}` }
    if (process.platform === 'linux') {
      const programs = sandboxPrograms()
      if ('missing' in programs) return { why: programs.missing }
      manager.updateConfig({ ...NOTHING_OPEN, ...programs })
    }
    const missing = await alone(async () => manager.checkDependencies().errors)
    if (missing.length > 0) return { why: missing.join('; ') }
    const fence = { manager, temporary: await mkdtemp(join(tmpdir(), 'writ-')) }
    process.once('exit', () => rmSync(fence.temporary, { recursive: true, force: true }))
    const end = await tryFence(fence)
    if (end === '') return { fence, why: process.platform === 'darwin' ? 'sandbox-exec' : 'bubblewrap' }
    return { why: `a fenced command failed: ${end}` }
  } catch (error) {
    return { why: messageOf(error) }
  }
}

/** Empty when a fenced command could write inside, and could not outside. */
async function tryFence(fence: Fence): Promise<string> {
  const outside = await mkdtemp(join(tmpdir(), 'writ-probe-'))
  const line = `touch ${quote(join(fence.temporary, 'probe'))} && ! touch ${quote(join(outside, 'probe'))} 2>/dev/null`
  const { signal } = new AbortController()
  const world: World = {
    workspace: fence.temporary,
    protectedPaths: [],
    blockedPaths: [],
    allowedHosts: [],
    env: process.env,
    sandbox: 'auto',
  }
  const wrapped = await wrapWith(fence, line, { world, signal })
  try {
    const end = await runProcess({
      file: wrapped.file,
      args: wrapped.args,
      cwd: fence.temporary,
      env: scrubEnv(process.env),
      timeoutMs: 10_000,
      contained: true,
      signal,
    })
    if (existsSync(join(outside, 'probe'))) return 'a write went through the fence'
    return end.exitCode === 0 ? '' : end.output.trim() || `exit ${end.exitCode ?? end.signal}`
  } finally {
    await wrapped.release()
    await rm(outside, { recursive: true, force: true })
  }
}

export type Command = { line: string } | { argv: readonly string[] }

/** What one call may use beyond what every call may; never what is protected or blocked. */
export interface Opening {
  read?: readonly string[]
  write?: readonly string[]
  hosts?: readonly string[]
  /** Unix sockets it may connect to. */
  sockets?: readonly string[]
  /** Ports of its own loopback that lead to Unix sockets of ours; it needs no right to open sockets itself. */
  relays?: readonly Relay[]
  /** Set inside, over what the fence sets. */
  variables?: Readonly<Record<string, string>>
  /** What stays read-only below `write`. */
  deny?: readonly string[]
  /** True: it sees the blocked files of the workspace. For git alone, which would take them for deleted. */
  blocked?: boolean
  /** True: it may write what editors and other programs obey, as git does when it checks such files out. */
  tree?: boolean
}

interface Call {
  world: World
  signal: AbortSignal
  open?: Opening
}

/** The program to start for a command: fenced where that works, plain otherwise. */
export async function fence(command: Command, call: Call): Promise<Wrapped> {
  if ((await sandboxStatus(call.world.sandbox)).active) {
    const working = (await probed)?.fence
    if (working !== undefined) return wrapWith(working, lineOf(command), call)
  }
  const [file, ...args] = 'argv' in command ? command.argv : [SHELL, '-c', command.line]
  if (file === undefined) throw new TypeError('a command without a program')
  return { file, args, hides: false, release: async () => ({ moved: [], stuck: [] }) }
}

function lineOf(command: Command): string {
  return 'line' in command ? command.line : `exec ${command.argv.map(quote).join(' ')}`
}

async function wrapWith(fence: Fence, line: string, { world, signal, open = {} }: Call): Promise<Wrapped> {
  const { read = [], write = [], hosts = [], sockets = [], deny = [] } = open
  const reads = await closedReads(open.blocked === true ? { ...world, blockedPaths: [] } : world, signal)
  const commandId = randomBytes(18).toString('base64url')
  const domains = [...world.allowedHosts, ...hosts].filter(
    (entry) => classifyAddress(entry.replace(/:\d+$/, '')) === undefined,
  )
  // Where the fence is bubblewrap's, relays lead to a proxy of ours: this one knows no ports and no addresses.
  if (domains.length > 0 && process.platform !== 'linux') {
    opened ??= openNetwork(fence.manager)
    await opened
    const allow = (allowedDomains: string[]): void =>
      fence.manager.registerCommandNetworkLists(commandId, { allowedDomains })
    allow(domains.filter((entry) => isExpressible(entry, allow)))
  }
  const { writePaths = [] } = world
  const writable = [world.workspace, ...writePaths]
  const before = await Promise.all(writable.map((folder) => repositoriesBelow(folder)))
  const shuts = writable.map((folder) => shutRepository(folder, write))
  const letGo = (): void => {
    for (const shut of shuts) shut.release()
  }
  const relayed = (open.relays ?? []).map(({ socket }) => socket)
  const own = Object.entries({ ...open.variables, TMPDIR: fence.temporary })
    .map(([name, value]) => `${name}=${quote(value)}`)
    .join(' ')
  const guarded = open.tree === true ? world : withNamedByGit(world)
  const locked = protectedNow(guarded)
  const fixed = [...locked, ...shuts.flatMap(({ paths }) => paths), ...deny]
  // The fence lays its own proxy and temporary folder into the environment; the inner shell gets ours back.
  const inner = `unset JAVA_TOOL_OPTIONS; export ${own}; exec ${SHELL} -c ${quote(line)}`
  const wrap = () =>
    fence.manager.wrapWithSandboxArgv(
      inner,
      SHELL,
      {
        network: CLOSED,
        filesystem: {
          denyRead: reads.deny.map(literal),
          allowRead: [...reads.allow, ...read, ...sockets, ...relayed].map(literal),
          allowWrite: [
            ...writable,
            fence.temporary,
            ...foldersAbove(locked, writable),
            ...write,
            ...sockets,
            ...relayed,
          ].map(literal),
          denyWrite: fixed.map(literal),
        },
      },
      signal,
      world.workspace,
      { commandId },
    )
  const wrapping = alone(sockets.length === 0 ? wrap : () => withSockets(fence.manager, wrap))
  const wrapped = wrapping.then(({ argv }) => withKernelShut(argv))
  const [file = SHELL, ...args] = await wrapped.catch((error: unknown) => {
    letGo()
    throw error
  })
  const settle = watchEmptyPlaces(guarded, { obeyed: open.tree !== true })
  return {
    file,
    args: withRelays(args, open.relays).map((arg) =>
      withoutPlaceholders(open.tree === true ? withoutOwnRules(arg, { world, shut: fixed }) : arg),
    ),
    hides: reads.hides,
    async release() {
      fence.manager.unregisterCommandNetworkLists(commandId)
      fence.manager.cleanupAfterCommand()
      letGo()
      const made = [settle()]
      for (const [i, folder] of writable.entries())
        made.push(await clearPlanted(folder, { before: before[i] ?? new Map(), opened: write }))
      return { moved: made.flatMap(({ moved }) => moved), stuck: made.flatMap(({ stuck }) => stuck) }
    },
  }
}

let last: Promise<unknown> = Promise.resolve()

/** Commands are wrapped one at a time: access opened for one must not open for another. */
function alone<T>(wrap: () => Promise<T>): Promise<T> {
  const wrapAlone = () => withSystemPath(wrap)
  const next = last.then(wrapAlone, wrapAlone)
  last = next.catch(() => {})
  return next
}

/** The fence knows no single sockets. With all of them allowed, those are in reach that can be seen: the opened ones. */
async function withSockets<T>(manager: Manager, wrap: () => Promise<T>): Promise<T> {
  const before = manager.getConfig() ?? NOTHING_OPEN
  manager.updateConfig({ ...before, network: { ...before.network, allowAllUnixSockets: true } })
  try {
    return await wrap()
  } finally {
    manager.updateConfig(before)
  }
}

/** Only where the fence is bubblewrap's: elsewhere there is no such folder. */
function withKernelShut(args: readonly string[]): readonly string[] {
  return process.platform === 'linux' ? [...args.slice(0, -1), withoutKernelSettings(args.at(-1) ?? '')] : args
}

const WORD = `('(?:[^']|'"'"')*'|[^\\s']+)`
const MOUNT = new RegExp(` --ro-bind ${WORD} ${WORD}(?= )`, 'g')

/**
 * The fence shuts names that do not exist by laying something over them, which every `ls`, `find` and `git add -A`
 * then stumbles on. Names inside `.git` stay shut: nobody lists those, and git runs what is there.
 */
function withoutPlaceholders(line: string): string {
  const end = line.indexOf(' -- ')
  if (!isBubblewrap(line) || end < 0) return line
  const mounts = line.slice(0, end + 1).replace(MOUNT, (mount, _from, to: string) => {
    const place = unquoted(to)
    return existsSync(place) || place.includes('/.git/') ? mount : ''
  })
  return mounts + line.slice(end + 1)
}

/**
 * The fence has a list of its own of files that editors and git obey. Git must be able to check those out; what is
 * protected or hidden here stays so.
 */
function withoutOwnRules(line: string, { world, shut }: { world: World; shut: readonly string[] }): string {
  const end = line.indexOf(' -- ')
  if (!isBubblewrap(line) || end < 0) return line
  const mounts = line.slice(0, end + 1).replace(MOUNT, (mount, from: string, to: string) => {
    const place = unquoted(to)
    const isOurs = shut.some((path) => isWithin(place, path)) || place !== unquoted(from)
    return isOurs || place === world.workspace || !isWithin(place, world.workspace) ? mount : ''
  })
  return mounts + line.slice(end + 1)
}

function isBubblewrap(line: string): boolean {
  return /^[\w./-]*\/bwrap /.test(line)
}

function unquoted(word: string): string {
  return word.startsWith("'") ? word.slice(1, -1).replaceAll(`'"'"'`, "'") : word
}

/** A name the fence has no rule for stays closed inside of it, instead of failing every command. */
function isExpressible(entry: string, allow: (entries: string[]) => void): boolean {
  try {
    allow([entry])
    return true
  } catch {
    return false
  }
}

/** Without it a fenced command has no network at all; with it, what each command's own list allows. */
async function openNetwork(manager: Manager): Promise<void> {
  // The bridge process this starts would keep ours alive for ever after the last command.
  const letGo = (message: unknown): void => {
    const { process: child } = message as { process: ChildProcess }
    child.once('spawn', () => child.unref())
  }
  subscribe('child_process', letGo)
  try {
    await manager.initialize(NOTHING_OPEN)
  } finally {
    unsubscribe('child_process', letGo)
  }
}

interface ClosedReads {
  deny: string[]
  allow: string[]
  /** True when some of them are files of the workspace. */
  hides: boolean
}

/** Whatever a command expands, decodes or is told by a stranger, it does not get to read these. */
async function closedReads(world: World, signal: AbortSignal): Promise<ClosedReads> {
  const { HOME } = world.env
  const rules = readRules(world)
  const atHome = HOME === undefined ? [] : world.blockedPaths.map((name) => join(HOME, name))
  const data = await realData(world)
  const below = await blockedBelow(world, { data, signal })
  const places = [...atHome, ...world.blockedPaths.filter(isAbsolute), ...below, ...(data === undefined ? [] : [data])]
  const openData = data === undefined ? [] : OPEN_DATA.map((name) => join(data, name))
  return {
    deny: [...new Set([...rules.deny, ...places.filter((path) => existsSync(path))])],
    allow: [...rules.allow, ...openData.filter((path) => existsSync(path))],
    hides: below.length > 0,
  }
}

/** Throws when there are too many: a command that ran all the same would find the rest of them open. */
async function blockedBelow(
  world: World,
  { data, signal }: { data: string | undefined; signal: AbortSignal },
): Promise<string[]> {
  if (world.blockedPaths.length === 0) return []
  const roots = [world.workspace, ...(world.readPaths ?? []), ...(world.writePaths ?? [])]
  const found = await Promise.all(roots.map((root) => findClosed(root, world, { dots: true, max: MAX_LOOK, signal })))
  const closed = found.every((one) => one !== undefined) ? [...new Set(found.flat())] : undefined
  const blocked = closed?.filter((path) => data === undefined || !isWithin(path, data))
  if (blocked !== undefined && blocked.length <= MAX_HELD) return blocked
  const much =
    blocked === undefined
      ? `more than ${MAX_LOOK} files, or a folder whose name is not UTF-8`
      : `${blocked.length} blocked files`
  const where = 'the workspace and the folders opened beside it have'
  throw new WritError('SANDBOX_FULL', `${where} ${much}: the blocked ones cannot be held shut`, {
    hint: 'Start in a smaller folder, open smaller ones, or let `blockedPaths` name the folders they lie in.',
  })
}

/** What was opened for the command is what it was meant to change. */
async function clearPlanted(
  workspace: string,
  { before, opened }: { before: Repositories; opened: readonly string[] },
): Promise<Settled> {
  const settled: Settled = { moved: [], stuck: [] }
  for (const path of await plantedIn(workspace, before)) {
    if (opened.some((outer) => isWithin(path, outer))) continue
    try {
      settled.moved.push(moveAside(path))
    } catch {
      settled.stuck.push(path)
    }
  }
  return settled
}

function literal(path: string): { path: string; literal: true } {
  return { path, literal: true }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
