/**
 * The only place where a tool starts a program: with a minimal environment, in the sandbox if the machine has one, and
 * with the agent's own files unchanged afterwards.
 */
import { relative } from 'node:path'
import { present } from '../../base/present.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { ToolOutput, World } from '../tool.ts'
import { isWithin } from './paths.ts'
import type { CleanupResult } from './planted-files.ts'
import { type ProcessEnd, runProcess, scrubEnv } from './process.ts'
import { watchProtected } from './protected-watch.ts'
import { type Command, type ExtraAccess, sandboxStatus, wrapInSandbox } from './sandbox.ts'
import type { SandboxStatus } from './sandbox-trial.ts'
import { userGitSettings } from './shell-git-settings.ts'

export interface Execution {
  world: World
  signal: AbortSignal
  cwd: string
  timeoutMs: number
  /** In addition to the variables every program gets. */
  env?: Readonly<Record<string, string>>
  open?: ExtraAccess | undefined
}

export interface Executed {
  end: ProcessEnd
  sandbox: SandboxStatus
  /** What the command created at protected paths, and what was done about it; for `failIfPlanted`. */
  cleanup: CleanupResult
  /** True when the workspace has files that the command could not see. */
  hides: boolean
}

export async function execute(command: Command, execution: Execution): Promise<Executed> {
  const { world } = execution
  const sandbox = await sandboxStatus(world.sandbox)
  if (sandbox.active) return { ...(await start(command, await withUserGit(execution), { contained: true })), sandbox }
  if (world.sandbox === 'required') {
    throw new WritError('SANDBOX_REQUIRED', { why: sandbox.why })
  }
  return { ...(await unsandboxed(world, () => start(command, execution, { contained: false }))), sandbox }
}

async function start(
  command: Command,
  { world, signal, open, env, cwd, timeoutMs }: Execution,
  { contained }: { contained: boolean },
): Promise<Omit<Executed, 'sandbox'>> {
  const { file, args, hides, release } = await wrapInSandbox(command, { world, signal, open })
  let end: ProcessEnd | undefined
  let cleanup: CleanupResult = { moved: [], stuck: [] }
  try {
    end = await runProcess({ file, args, cwd, env: { ...scrubEnv(world.env), ...env }, timeoutMs, signal, contained })
  } finally {
    cleanup = await release()
  }
  return { end, cleanup, hides }
}

const READ_MS = 5_000

async function withUserGit(execution: Execution): Promise<Execution> {
  const { world, signal, env = {}, open = {} } = execution
  if (env.GIT_CONFIG_GLOBAL !== undefined) return execution
  const file = await userGitSettings(world, async (argv, { folder, read }) => {
    const small = { ...world, workspace: folder, protectedPaths: [], blockedPaths: [], allowedHosts: [] }
    const plan = { world: small, signal, cwd: folder, timeoutMs: READ_MS, open: { read } }
    return (await start({ argv }, plan, { contained: true })).end
  })
  if (file === undefined) return execution
  return {
    ...execution,
    env: { ...env, GIT_CONFIG_GLOBAL: file },
    open: { ...open, read: [...(open.read ?? []), file] },
  }
}

/**
 * Runs something outside the sandbox. If it changed the agent's own files, they are restored and an error stops the
 * run.
 */
export async function unsandboxed<T>(world: World, run: () => Promise<T>): Promise<T> {
  const cleanUp = watchProtected(world)
  const outcome = await run().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  const cleanup = cleanUp()
  if (cleanup.moved.length + cleanup.stuck.length + (cleanup.restored?.length ?? 0) > 0)
    throw changed(cleanup, world.workspace)
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

function changed(cleanup: CleanupResult, workspace: string): WritError {
  const names = [...cleanup.moved.map(({ path }) => path), ...(cleanup.restored ?? []), ...cleanup.stuck]
  const shown = (path: string) => (isWithin(path, workspace) ? relative(workspace, path) : path)
  return new WritError('PROTECTED_CHANGED', {
    files: [...new Set(names)].map(shown),
    asides: cleanup.moved.map(({ aside }) => shown(aside)),
    stuck: cleanup.stuck.map(shown),
  })
}

/** Overrides the command's own result if it created protected files. */
export function failIfPlanted(output: ToolOutput, { moved, stuck }: CleanupResult, workspace: string): ToolOutput {
  if (moved.length === 0 && stuck.length === 0) return output
  const names = [
    ...moved.map(({ path, aside }) => `${relative(workspace, path)} (now ${relative(workspace, aside)})`),
    ...stuck.map((path) => `${relative(workspace, path)} (could not be moved: remove it)`),
  ]
  return {
    ok: false,
    error: `protected files were created while the command ran, and were moved aside: ${names.join(', ')}`,
    ...present({ partial: output.ok ? output.text : output.partial }),
    code: 'PATH_PROTECTED',
  }
}
