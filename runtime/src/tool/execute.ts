/** The only place where a tool acts. It needs a writ. */
import { messageOf } from '../base/errors.ts'
import { present } from '../base/present.ts'
import { clip, countPoints } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Writ } from '../gate/writ.ts'
import { type Lang, messages as texts } from '../i18n/locale.ts'
import type { ElicitedForm } from '../protocol/elicited.ts'
import type { Event } from '../protocol/event.ts'
import type { Observation } from '../protocol/observation.ts'
import type { Policy } from '../protocol/policy.ts'
import type { Principal } from '../protocol/principal.ts'
import { toolErrorText } from './error-text.ts'
import type { Registry } from './registry.ts'
import { openWith } from './sealed.ts'
import { startTimeLimit } from './time-limit.ts'
import type { NoteFact, Tool, ToolContext, ToolOutput, World } from './tool.ts'

export interface ExecuteContext {
  registry: Registry
  world: World
  policy: Policy
  basis?: string
  /** The call was judged as one that changes nothing. */
  readOnly: boolean
  authored?: unknown
  runId: string
  sessionId: string
  turnId: string
  owner: Principal
  lang?: Lang | undefined
  isHearsay(text: string): boolean
  resultOf: ToolContext['resultOf']
  media: ToolContext['media']
  elicit?: ToolContext['elicit']
  emit(event: Event): void
  note: NoteFact
  /** Aborted when the run ends: by a person, a deadline or a lost client; here, when the call takes too long. */
  ending: AbortController
  /** The smaller of the profile's limit and the time left in the run. */
  callMs: number
  /** The setting behind `callMs`. */
  callSetting: string
  maxLen: number
  now(): number
}

/** How long a tool may take to stop after it was aborted, before the run continues without it. */
const GRACE_MS = 5_000

export async function execute(writ: Writ, context: ExecuteContext): Promise<Observation> {
  const { proposal, tool } = openWith(writ, (name) => context.registry.get(name))
  const startedAt = context.now()
  const elapsed = () => Math.max(0, context.now() - startedAt)

  const limitMs = Math.min(tool.callMs ?? Number.POSITIVE_INFINITY, context.callMs)
  const { signal } = context.ending
  let isOverdue = false
  const limit = startTimeLimit(limitMs, () => {
    isOverdue = !signal.aborted
    context.ending.abort()
  })
  const isLate = () => isOverdue || isTimeout(signal.reason)
  const { callMs = Number.POSITIVE_INFINITY, callSetting } = tool
  const setting = callMs < context.callMs ? callSetting : context.callSetting
  const late = () => ({
    code: 'TOOL_TIMEOUT',
    text: `${tool.name} timed out and was stopped after ${elapsed()} ms`,
    hint: texts(context.lang ?? 'en').stop.callTimeout({ setting }),
  })
  const { world, policy, basis, readOnly, authored, runId, sessionId, turnId, owner, lang, maxLen } = context
  const { isHearsay, resultOf, media, elicit, emit, note } = context
  try {
    const output = await settle(tool, proposal.args, {
      world,
      policy,
      untimed: limit.untimed,
      readOnly,
      signal,
      runId,
      sessionId,
      turnId,
      owner,
      lang,
      callId: proposal.id,
      writ,
      isHearsay,
      resultOf,
      media,
      emit,
      note,
      ...present({ basis, authored, elicit: elicit && ((form: ElicitedForm) => limit.untimed(() => elicit(form))) }),
    })
    const observed = { ...observe(output, maxLen), elapsedMs: elapsed() }
    // The tool knows that it was aborted, but not that the reason was a timeout.
    return observed.code === 'TOOL_FAILED' && isLate() ? { ...observed, ...late() } : observed
  } catch (error) {
    if (isLate()) return { outcome: 'failed', ...late(), elapsedMs: elapsed() }
    const known = error instanceof WritError ? toolErrorText(error, lang) : undefined
    return {
      outcome: 'error',
      code: error instanceof WritError ? error.code : 'TOOL_EXCEPTION',
      text: clip(known?.message ?? messageOf(error), maxLen),
      ...present({ hint: known?.hint }),
      elapsedMs: elapsed(),
    }
  } finally {
    limit.clear()
  }
}

/** The run's deadline counts as a timeout of the call; an abort by a person does not. */
function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

/** A tool that ignores its signal must not block the run: after the grace period it counts as failed. */
function settle(tool: Tool, args: unknown, context: ToolContext): Promise<ToolOutput> {
  const { signal } = context
  return new Promise((resolve, reject) => {
    let graceTimer: NodeJS.Timeout | undefined
    const onAbort = () => {
      graceTimer = setTimeout(() => reject(new Error(`${tool.name} did not stop when aborted`)), GRACE_MS)
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    const leave = () => {
      clearTimeout(graceTimer)
      signal.removeEventListener('abort', onAbort)
    }
    const act = async () => tool.execute(args, context)
    act().then(resolve, reject).finally(leave)
  })
}

function observe(output: ToolOutput, maxLen: number): Omit<Observation, 'elapsedMs'> {
  if (output.ok) {
    const { text, told, media } = output
    return { outcome: 'ok', text: clip(text, maxLen), ...present({ told, media }) }
  }
  const text = clip(output.error, maxLen)
  const rest = Math.max(0, maxLen - countPoints(text))
  return {
    outcome: 'failed',
    code: output.code ?? 'TOOL_FAILED',
    text,
    ...present({
      partial: output.partial === undefined ? undefined : clip(output.partial, rest),
      notDone: output.notDone,
    }),
  }
}
