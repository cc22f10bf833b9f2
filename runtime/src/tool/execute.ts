/** The only place where a tool acts, and it takes a writ to do so. */
import { messageOf, WritError } from '../base/errors.ts'
import { clip, countPoints } from '../base/text.ts'
import type { Writ } from '../gate/writ.ts'
import type { Event } from '../protocol/event.ts'
import type { Observation } from '../protocol/observation.ts'
import type { Policy } from '../protocol/policy.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Registry } from './registry.ts'
import { openWith } from './sealed.ts'
import type { NoteFact, Tool, ToolContext, ToolOutput, World } from './tool.ts'

export interface ExecuteContext {
  registry: Registry
  world: World
  policy: Policy
  authored?: unknown
  runId: string
  sessionId: string
  turnId: string
  owner: Principal
  isHearsay(text: string): boolean
  emit(event: Event): void
  note: NoteFact
  /** The run's own end: a person, a deadline, a lost client. */
  signal: AbortSignal
  /** The tightest of the profile's limit and what is left of the run. */
  callMs: number
  maxLen: number
  now(): number
}

/** How long a tool may take to wind up after it was told to stop, before it is left behind. */
const GRACE_MS = 5_000

export async function execute(writ: Writ, context: ExecuteContext): Promise<Observation> {
  const { proposal, tool } = openWith(writ, (name) => context.registry.get(name))
  const startedAt = context.now()
  const elapsed = () => Math.max(0, context.now() - startedAt)

  const limitMs = Math.min(tool.callMs ?? Number.POSITIVE_INFINITY, context.callMs)
  const overtime = Number.isFinite(limitMs) ? new AbortController() : undefined
  const timer = overtime === undefined ? undefined : setTimeout(() => overtime.abort(), limitMs)
  const signal = overtime === undefined ? context.signal : AbortSignal.any([context.signal, overtime.signal])
  const isLate = () => (context.signal.aborted ? isTimeout(context.signal.reason) : overtime?.signal.aborted === true)
  const late = () => ({
    code: 'TOOL_TIMEOUT',
    text: `${tool.name} ran out of time and was stopped after ${elapsed()} ms`,
  })
  const { world, policy, authored, runId, sessionId, turnId, owner, isHearsay, emit, note, maxLen } = context
  try {
    const output = await settle(tool, proposal.args, {
      world,
      policy,
      ...(authored === undefined ? {} : { authored }),
      signal,
      runId,
      sessionId,
      turnId,
      owner,
      callId: proposal.id,
      writ,
      isHearsay,
      emit,
      note,
    })
    const observed = { ...observe(output, maxLen), elapsedMs: elapsed() }
    // It knows only that it was told to stop, not why.
    return observed.code === 'TOOL_FAILED' && isLate() ? { ...observed, ...late() } : observed
  } catch (error) {
    const text = clip(messageOf(error), maxLen)
    if (isLate()) return { outcome: 'failed', ...late(), elapsedMs: elapsed() }
    const known = error instanceof WritError ? error : undefined
    return {
      outcome: 'error',
      code: known?.code ?? 'TOOL_EXCEPTION',
      text,
      ...(known?.hint === undefined ? {} : { hint: known.hint }),
      elapsedMs: elapsed(),
    }
  } finally {
    clearTimeout(timer)
  }
}

/** The run's own deadline ends a call as its own limit does; a person's word does not. */
function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

/** A tool that ignores its signal must not hold the run: after the grace it counts as failed. */
async function settle(tool: Tool, args: unknown, context: ToolContext): Promise<ToolOutput> {
  const { signal } = context
  const { promise: deaf, reject } = Promise.withResolvers<never>()
  let graceTimer: NodeJS.Timeout | undefined
  const onAbort = () => {
    graceTimer = setTimeout(() => reject(new Error(`${tool.name} did not stop when told to`)), GRACE_MS)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([tool.execute(args, context), deaf])
  } finally {
    clearTimeout(graceTimer)
    signal.removeEventListener('abort', onAbort)
  }
}

function observe(output: ToolOutput, maxLen: number): Omit<Observation, 'elapsedMs'> {
  if (output.ok) {
    const { text, told } = output
    return { outcome: 'ok', text: clip(text, maxLen), ...(told === undefined ? {} : { told }) }
  }
  const text = clip(output.error, maxLen)
  const rest = Math.max(0, maxLen - countPoints(text))
  return {
    outcome: 'failed',
    code: output.code ?? 'TOOL_FAILED',
    text,
    ...(output.partial === undefined ? {} : { partial: clip(output.partial, rest) }),
    ...(output.notDone && { notDone: true }),
  }
}
