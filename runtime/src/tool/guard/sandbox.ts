/** The operating system's own fence around shell commands, where the machine has one. */
import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { messageOf } from '../../base/errors.ts'
import type { World } from '../tool.ts'
import { classifyAddress } from './hosts.ts'
import { runProcess, scrubEnv } from './process.ts'

export interface SandboxStatus {
  active: boolean
  why: string
}

export interface Wrapped {
  file: string
  args: string[]
  /** Takes back what the fence put in place for this one command. */
  release(): void
}

const SHELLS = ['/bin/bash', '/usr/bin/bash', '/bin/sh']
export const SHELL = SHELLS.find((path) => existsSync(path)) ?? '/bin/sh'
/** Folders of the home whose files open doors elsewhere; a fenced command cannot read them. */
const CREDENTIALS = ['.ssh', '.aws', '.gnupg', '.kube', '.config/gh', '.config/gcloud', '.netrc', '.git-credentials']

type Manager = typeof import('@anthropic-ai/sandbox-runtime').SandboxManager
type Fence = { manager: Manager; temporary: string }
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
    const missing = manager.checkDependencies().errors
    if (missing.length > 0) return { why: missing.join('; ') }
    await withoutHolding(() =>
      manager.initialize({
        network: { allowedDomains: [], deniedDomains: [] },
        filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
      }),
    )
    const fence = { manager, temporary: await mkdtemp(join(tmpdir(), 'writ-')) }
    process.once('exit', () => rmSync(fence.temporary, { recursive: true, force: true }))
    const end = await tryFence(fence)
    if (end === '') return { fence, why: process.platform === 'darwin' ? 'sandbox-exec' : 'bubblewrap' }
    await manager.reset()
    return { why: `a fenced command failed: ${end}` }
  } catch (error) {
    return { why: messageOf(error) }
  }
}

/** The fence starts a bridge process that would keep ours alive forever after the last command. */
async function withoutHolding(start: () => Promise<void>): Promise<void> {
  const letGo = (message: unknown): void => {
    const { process: child } = message as { process: ChildProcess }
    child.once('spawn', () => child.unref())
  }
  subscribe('child_process', letGo)
  try {
    await start()
  } finally {
    unsubscribe('child_process', letGo)
  }
}

/** Empty when a fenced command could write inside, and could not outside. */
async function tryFence(fence: Fence): Promise<string> {
  const outside = await mkdtemp(join(tmpdir(), 'writ-probe-'))
  const line = `touch ${quote(join(fence.temporary, 'probe'))} && ! touch ${quote(join(outside, 'probe'))} 2>/dev/null`
  const wrapped = await wrapWith(fence, line, {
    workspace: fence.temporary,
    protectedPaths: [],
    allowedHosts: [],
    env: process.env,
    sandbox: 'auto',
  })
  try {
    const end = await runProcess({
      file: wrapped.file,
      args: wrapped.args,
      cwd: fence.temporary,
      env: scrubEnv(process.env),
      timeoutMs: 10_000,
      signal: new AbortController().signal,
    })
    if (existsSync(join(outside, 'probe'))) return 'a write went through the fence'
    return end.exitCode === 0 ? '' : end.output.trim() || `exit ${end.exitCode ?? end.signal}`
  } finally {
    wrapped.release()
    await rm(outside, { recursive: true, force: true })
  }
}

/** The program to start for a shell line: fenced where that works, plain otherwise. */
export async function wrapShell(line: string, world: World): Promise<Wrapped> {
  if ((await sandboxStatus(world.sandbox)).active) {
    const fence = (await probed)?.fence
    if (fence !== undefined) return wrapWith(fence, line, world)
  }
  return { file: SHELL, args: ['-c', line], release: () => {} }
}

async function wrapWith(fence: Fence, line: string, world: World): Promise<Wrapped> {
  const commandId = randomBytes(18).toString('base64url')
  const domains = world.allowedHosts.filter((entry) => classifyAddress(entry.replace(/:\d+$/, '')) === undefined)
  if (domains.length > 0) fence.manager.registerCommandNetworkLists(commandId, { allowedDomains: domains })
  // The fence lays its own proxy and temporary folder into the environment; the inner shell gets ours back.
  const inner = `unset JAVA_TOOL_OPTIONS; export TMPDIR=${quote(fence.temporary)}; exec ${SHELL} -c ${quote(line)}`
  const { argv } = await fence.manager.wrapWithSandboxArgv(
    inner,
    SHELL,
    {
      filesystem: {
        denyRead: deniedReads(world).map(literal),
        allowWrite: [world.workspace, fence.temporary].map(literal),
        denyWrite: deniedWrites(world).map(literal),
      },
    },
    undefined,
    world.workspace,
    { commandId },
  )
  const [file = SHELL, ...args] = argv
  return {
    file,
    args,
    release() {
      fence.manager.unregisterCommandNetworkLists(commandId)
      fence.manager.cleanupAfterCommand()
    },
  }
}

function deniedReads(world: World): string[] {
  const home = world.env.HOME
  return home === undefined ? [] : CREDENTIALS.map((name) => join(home, name)).filter((path) => existsSync(path))
}

function deniedWrites(world: World): string[] {
  const hooks = ['.git/hooks', '.git/config'].map((name) => join(world.workspace, name))
  return [...world.protectedPaths, ...hooks.filter((path) => existsSync(path))]
}

function literal(path: string): { path: string; literal: true } {
  return { path, literal: true }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
