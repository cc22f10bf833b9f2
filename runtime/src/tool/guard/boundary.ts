/** The one place where a tool starts a program: with a bare environment, fenced where the machine can do that. */
import type { World } from '../tool.ts'
import type { Settled } from './leftovers.ts'
import { type ProcessEnd, runProcess, scrubEnv } from './process.ts'
import { type Command, fence, type Opening, type SandboxStatus, sandboxStatus } from './sandbox.ts'

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
  /** What the command made at protected places and what became of it. */
  settled: Settled
  /** True when files of the workspace are there that the command could not see. */
  hides: boolean
}

export async function execute(command: Command, { world, signal, open, ...plan }: Execution): Promise<Executed> {
  const sandbox = await sandboxStatus(world.sandbox)
  const wrapped = await fence(command, { world, signal, ...(open === undefined ? {} : { open }) })
  let end: ProcessEnd | undefined
  let settled: Settled = { moved: [], stuck: [] }
  try {
    end = await runProcess({
      file: wrapped.file,
      args: wrapped.args,
      cwd: plan.cwd,
      env: { ...scrubEnv(world.env), ...plan.env },
      timeoutMs: plan.timeoutMs,
      signal,
    })
  } finally {
    settled = wrapped.release()
  }
  return { end, sandbox, settled, hides: wrapped.hides }
}
