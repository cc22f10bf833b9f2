/**
 * The one place where a tool starts a program: with a bare environment, fenced where the machine can do that, and
 * without a trace left on the agent's own files.
 */
import { relative } from 'node:path'
import { WritError } from '../../base/errors.ts'
import type { ToolOutput, World } from '../tool.ts'
import type { Settled } from './leftovers.ts'
import { type ProcessEnd, runProcess, scrubEnv } from './process.ts'
import { watchProtected } from './protected.ts'
import { type Command, fence, type Opening, type SandboxStatus, sandboxStatus } from './sandbox.ts'
import { userGitSettings } from './user-git.ts'

export interface Execution {
  world: World
  signal: AbortSignal
  cwd: string
  timeoutMs: number
  /** Beside what a program needs to find its way. */
  env?: Readonly<Record<string, string>>
  open?: Opening
}

export interface Executed {
  end: ProcessEnd
  sandbox: SandboxStatus
  /** What the command made at protected places and what became of it; for `withRefusals`. */
  settled: Settled
  /** True when files of the workspace are there that the command could not see. */
  hides: boolean
}

export async function execute(command: Command, execution: Execution): Promise<Executed> {
  const { world } = execution
  const sandbox = await sandboxStatus(world.sandbox)
  if (sandbox.active) return { ...(await start(command, await withUserGit(execution), { contained: true })), sandbox }
  if (world.sandbox === 'required') {
    throw new WritError('SANDBOX_REQUIRED', `commands need the sandbox here, and it does not work: ${sandbox.why}`, {
      hint: 'Run `writ doctor`. On Debian: apt install bubblewrap socat ripgrep. Or set agent.security.sandbox to "auto".',
    })
  }
  return { ...(await unfenced(world, () => start(command, execution, { contained: false }))), sandbox }
}

async function start(
  command: Command,
  { world, signal, open, env, cwd, timeoutMs }: Execution,
  { contained }: { contained: boolean },
): Promise<Omit<Executed, 'sandbox'>> {
  const { file, args, hides, release } = await fence(command, {
    world,
    signal,
    ...(open === undefined ? {} : { open }),
  })
  let end: ProcessEnd | undefined
  let settled: Settled = { moved: [], stuck: [] }
  try {
    end = await runProcess({ file, args, cwd, env: { ...scrubEnv(world.env), ...env }, timeoutMs, signal, contained })
  } finally {
    settled = await release()
  }
  return { end, settled, hides }
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

/** Runs what no fence holds. Throws when it changed the agent's own files: the run stops, and they are as they were. */
export async function unfenced<T>(world: World, run: () => Promise<T>): Promise<T> {
  const settle = watchProtected(world)
  const outcome = await run().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  const settled = settle()
  if (settled.moved.length + settled.stuck.length + (settled.restored?.length ?? 0) > 0)
    throw changed(settled, world.workspace)
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

function changed(settled: Settled, workspace: string): WritError {
  const names = [...settled.moved.map(({ path }) => path), ...(settled.restored ?? []), ...settled.stuck]
  const shown = [...new Set(names)].map((path) => relative(workspace, path)).join(', ')
  const asides = settled.moved.map(({ aside }) => relative(workspace, aside)).join(', ')
  const kept = asides === '' ? '' : `; what was written is in ${asides}`
  const stuck = settled.stuck.map((path) => relative(workspace, path)).join(', ')
  const undone = stuck === '' ? 'and were put back' : `and could not all be put back (${stuck})`
  return new WritError('PROTECTED_CHANGED', `the agent's own files were changed, ${undone}: ${shown}${kept}`, {
    hint: 'Look at what was written before you start another run. A sandbox would have prevented it: run `writ doctor`.',
  })
}

/** Whatever the command itself says of how it went. */
export function withRefusals(output: ToolOutput, { moved, stuck }: Settled, workspace: string): ToolOutput {
  if (moved.length === 0 && stuck.length === 0) return output
  const told = [
    ...moved.map(({ path, aside }) => `${relative(workspace, path)} (now ${relative(workspace, aside)})`),
    ...stuck.map((path) => `${relative(workspace, path)} (could not be moved: remove it)`),
  ]
  const printed = output.ok ? output.text : output.partial
  return {
    ok: false,
    error: `protected files appeared while the command ran, and were moved aside: ${told.join(', ')}`,
    ...(printed === undefined ? {} : { partial: printed }),
    code: 'PATH_PROTECTED',
  }
}
