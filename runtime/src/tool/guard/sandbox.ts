/** Runs programs in the operating system's sandbox, if the machine has one. */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import type { World } from '../tool.ts'
import { autorunBelow, lockedAutorun, moveNewAutorun } from './autorun-watch.ts'
import { closedReads } from './closed-reads.ts'
import { classifyAddress } from './hosts.ts'
import { withoutKernelSettings } from './kernel-files.ts'
import { foldersAbove, lockedPaths, withGitNamedPaths } from './locked-paths.ts'
import { isWithin } from './paths.ts'
import { type CleanupResult, moveAside, watchMissingPaths } from './planted-files.ts'
import { plantedIn, type Repositories, repositoriesBelow } from './planted-repositories.ts'
import { runProcess, scrubEnv } from './process.ts'
import { type Relay, withRelays } from './relays.ts'
import { lockRepository } from './repository-locks.ts'
import { type SandboxStatus, sandboxTried } from './sandbox-trial.ts'
import { sandboxPrograms, withSystemPath } from './system-programs.ts'

export interface Wrapped {
  file: string
  args: string[]
  /** True when the workspace has files that the command cannot see. */
  hides: boolean
  /** Removes what was set up for this command; returns what the command created but must not. */
  release(): Promise<CleanupResult>
}

const SHELLS = ['/bin/bash', '/usr/bin/bash', '/bin/sh']
const SHELL = SHELLS.find((path) => existsSync(path)) ?? '/bin/sh'
type Manager = typeof import('@anthropic-ai/sandbox-runtime').SandboxManager
type Sandbox = { manager: Manager; temporary: string }
type Trial = { sandbox?: Sandbox; why: string }
const CLOSED = { allowedDomains: [], deniedDomains: [] }
const NOTHING_OPEN = { network: CLOSED, filesystem: { denyRead: [], allowWrite: [], denyWrite: [] } }
let opened: Promise<void> | undefined
let probed: Promise<Trial> | undefined

/** Whether commands run in the sandbox, and why or why not. Tested once per process with a real command. */
export async function sandboxStatus(setting: World['sandbox']): Promise<SandboxStatus> {
  if (setting === 'off') return { active: false, why: 'switched off in the configuration' }
  probed ??= tried()
  const { sandbox, why } = await probed
  return { active: sandbox !== undefined, why }
}

async function tried(): Promise<Trial> {
  const trial = await probe()
  sandboxTried({ active: trial.sandbox !== undefined, why: trial.why })
  return trial
}

async function probe(): Promise<Trial> {
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
    const sandbox = { manager, temporary: await mkdtemp(join(tmpdir(), 'writ-')) }
    process.once('exit', () => rmSync(sandbox.temporary, { recursive: true, force: true }))
    const end = await trySandbox(sandbox)
    if (end === '') return { sandbox, why: process.platform === 'darwin' ? 'sandbox-exec' : 'bubblewrap' }
    return { why: `a sandboxed command failed: ${end}` }
  } catch (error) {
    return { why: messageOf(error) }
  }
}

/** Empty when a sandboxed command could write inside and could not write outside. */
async function trySandbox(sandbox: Sandbox): Promise<string> {
  const outside = await mkdtemp(join(tmpdir(), 'writ-probe-'))
  const line = `touch ${quote(join(sandbox.temporary, 'probe'))} && ! touch ${quote(join(outside, 'probe'))} 2>/dev/null`
  const { signal } = new AbortController()
  const world: World = {
    workspace: sandbox.temporary,
    protectedPaths: [],
    blockedPaths: [],
    allowedHosts: [],
    env: process.env,
    sandbox: 'auto',
  }
  const wrapped = await wrapWith(sandbox, line, { world, signal })
  try {
    const end = await runProcess({
      file: wrapped.file,
      args: wrapped.args,
      cwd: sandbox.temporary,
      env: scrubEnv(process.env),
      timeoutMs: 10_000,
      contained: true,
      signal,
    })
    if (existsSync(join(outside, 'probe'))) return 'a write outside the sandbox succeeded'
    return end.exitCode === 0 ? '' : end.output.trim() || `exit ${end.exitCode ?? end.signal}`
  } finally {
    await wrapped.release()
    await rm(outside, { recursive: true, force: true })
  }
}

export type Command = { line: string } | { argv: readonly string[] }

/** What one call may use in addition; never protected or blocked paths. */
export interface ExtraAccess {
  read?: readonly string[]
  write?: readonly string[]
  hosts?: readonly string[]
  /** Unix sockets it may connect to. */
  sockets?: readonly string[]
  /** Ports on its loopback that lead to our Unix sockets; it needs no access to sockets itself. */
  relays?: readonly Relay[]
  /** Set inside, overriding the sandbox's own. */
  variables?: Readonly<Record<string, string>>
  /** Read-only paths inside `write`. */
  deny?: readonly string[]
  /** True: it sees the workspace's blocked files. Only for git, which would otherwise see them as deleted. */
  blocked?: boolean
  /** True: it may write autorun files, as git must when it checks them out. */
  tree?: boolean
  /** True: autorun files are read-only, and new ones are moved aside. */
  keepsAutorun?: boolean
  /** True: it was judged as a read, so it may write nothing and reach no host. */
  readOnly?: boolean
}

interface Call {
  world: World
  signal: AbortSignal
  open?: ExtraAccess | undefined
}

/** The program to start for a command: in the sandbox if that works, plain otherwise. */
export async function wrapInSandbox(command: Command, call: Call): Promise<Wrapped> {
  if ((await sandboxStatus(call.world.sandbox)).active) {
    const working = (await probed)?.sandbox
    if (working !== undefined) return wrapWith(working, lineOf(command), call)
  }
  const [file, ...args] = 'argv' in command ? command.argv : [SHELL, '-c', command.line]
  if (file === undefined) throw new TypeError('a command without a program')
  return { file, args, hides: false, release: async () => ({ moved: [], stuck: [] }) }
}

function lineOf(command: Command): string {
  return 'line' in command ? command.line : `exec ${command.argv.map(quote).join(' ')}`
}

async function wrapWith(sandbox: Sandbox, line: string, { world, signal, open = {} }: Call): Promise<Wrapped> {
  const { read = [], write = [], hosts = [], sockets = [], deny = [] } = open
  const reads = await closedReads(open.blocked === true ? { ...world, blockedPaths: [] } : world, signal)
  const commandId = randomBytes(18).toString('base64url')
  const isRead = open.readOnly === true
  const domains = isRead ? [] : [...world.allowedHosts, ...hosts]
  await openDomains(sandbox.manager, domains, commandId)
  const { writePaths = [] } = world
  const roots = [world.workspace, ...writePaths]
  const writable = isRead ? [] : roots
  const before = await Promise.all(writable.map((folder) => repositoriesBelow(folder)))
  const autorun = open.keepsAutorun === true ? await autorunBelow(writable) : undefined
  const locks = writable.map((folder) => lockRepository(folder, write))
  const unlock = (): void => {
    for (const lock of locks) lock.release()
  }
  const relayed = (open.relays ?? []).map(({ socket }) => socket)
  const own = Object.entries({ ...open.variables, TMPDIR: sandbox.temporary })
    .map(([name, value]) => `${name}=${quote(value)}`)
    .join(' ')
  const guarded = open.tree === true ? world : withGitNamedPaths(world)
  const locked = lockedPaths(guarded)
  const fixed = [...locked, ...locks.flatMap(({ paths }) => paths), ...deny, ...lockedAutorun(autorun)]
  // The sandbox sets its own proxy and temporary folder; the inner shell gets ours back.
  const inner = `unset JAVA_TOOL_OPTIONS; export ${own}; exec ${SHELL} -c ${quote(line)}`
  const wrap = () =>
    sandbox.manager.wrapWithSandboxArgv(
      inner,
      SHELL,
      {
        network: CLOSED,
        filesystem: {
          denyRead: reads.deny.map(literal),
          allowRead: [...reads.allow, ...(isRead ? roots : []), ...read, ...sockets, ...relayed].map(literal),
          allowWrite: [
            ...writable,
            sandbox.temporary,
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
  const wrapping = alone(sockets.length === 0 ? wrap : () => withSockets(sandbox.manager, wrap))
  const wrapped = wrapping.then(({ argv }) => withKernelShut(argv))
  const [file = SHELL, ...args] = await wrapped.catch((error: unknown) => {
    unlock()
    throw error
  })
  const cleanUp = watchMissingPaths(guarded, { autorun: open.tree !== true })
  return {
    file,
    args: withRelays(args, open.relays).map((arg) =>
      withoutPlaceholders(open.tree === true ? withoutOwnRules(arg, { world, shut: fixed }) : arg),
    ),
    hides: reads.hides,
    async release() {
      sandbox.manager.unregisterCommandNetworkLists(commandId)
      sandbox.manager.cleanupAfterCommand()
      unlock()
      const made = [cleanUp()]
      for (const [i, folder] of writable.entries())
        made.push(await clearPlanted(folder, { before: before[i] ?? new Map(), opened: write }))
      if (autorun !== undefined) made.push(await moveNewAutorun(writable, autorun))
      return { moved: made.flatMap(({ moved }) => moved), stuck: made.flatMap(({ stuck }) => stuck) }
    },
  }
}

/** With bubblewrap, relays lead to our own proxy. The sandbox's proxy knows neither ports nor addresses. */
async function openDomains(manager: Manager, hosts: readonly string[], commandId: string): Promise<void> {
  const domains = hosts.filter((entry) => classifyAddress(entry.replace(/:\d+$/, '')) === undefined)
  if (domains.length === 0 || process.platform === 'linux') return
  opened ??= openNetwork(manager)
  await opened
  const allow = (allowedDomains: string[]): void => manager.registerCommandNetworkLists(commandId, { allowedDomains })
  allow(domains.filter((entry) => isExpressible(entry, allow)))
}

let last: Promise<unknown> = Promise.resolve()

/** Commands are wrapped one at a time: access opened for one must not open for another. */
function alone<T>(wrap: () => Promise<T>): Promise<T> {
  const wrapAlone = () => withSystemPath(wrap)
  const next = last.then(wrapAlone, wrapAlone)
  last = next.catch(() => {})
  return next
}

/**
 * The sandbox cannot allow single sockets. With all of them allowed, only the visible ones can be reached: those opened
 * here.
 */
async function withSockets<T>(manager: Manager, wrap: () => Promise<T>): Promise<T> {
  const before = manager.getConfig() ?? NOTHING_OPEN
  manager.updateConfig({ ...before, network: { ...before.network, allowAllUnixSockets: true } })
  try {
    return await wrap()
  } finally {
    manager.updateConfig(before)
  }
}

/** Only for bubblewrap: other systems have no /proc. */
function withKernelShut(args: readonly string[]): readonly string[] {
  return process.platform === 'linux' ? [...args.slice(0, -1), withoutKernelSettings(args.at(-1) ?? '')] : args
}

const WORD = `('(?:[^']|'"'"')*'|[^\\s']+)`
const MOUNT = new RegExp(` --ro-bind ${WORD} ${WORD}(?= )`, 'g')

/**
 * The sandbox locks missing names with placeholders, which every `ls`, `find` and `git add -A` would see. Placeholders
 * inside `.git` stay: nothing lists them, and git runs what is there.
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
 * The sandbox has its own list of files that editors and git follow. Git must be able to check those out; what is
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

/** A host that the sandbox cannot express stays closed, instead of failing every command. */
function isExpressible(entry: string, allow: (entries: string[]) => void): boolean {
  try {
    allow([entry])
    return true
  } catch {
    return false
  }
}

/** Without it, a sandboxed command has no network at all; with it, each command has its own list. */
async function openNetwork(manager: Manager): Promise<void> {
  // The bridge process this starts would keep our process alive after the last command.
  const unref = (message: unknown): void => {
    const { process: child } = message as { process: ChildProcess }
    child.once('spawn', () => child.unref())
  }
  subscribe('child_process', unref)
  try {
    await manager.initialize(NOTHING_OPEN)
  } finally {
    unsubscribe('child_process', unref)
  }
}

/** Paths opened for the command are meant to be changed. */
async function clearPlanted(
  workspace: string,
  { before, opened }: { before: Repositories; opened: readonly string[] },
): Promise<CleanupResult> {
  const cleanup: CleanupResult = { moved: [], stuck: [] }
  for (const path of await plantedIn(workspace, before)) {
    if (opened.some((outer) => isWithin(path, outer))) continue
    try {
      cleanup.moved.push(moveAside(path))
    } catch {
      cleanup.stuck.push(path)
    }
  }
  return cleanup
}

function literal(path: string): { path: string; literal: true } {
  return { path, literal: true }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
