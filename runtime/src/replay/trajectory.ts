/**
 * Judges calls recorded elsewhere: with the real gate and the real state, but no tool runs.
 * Each step passes through `settleCall` like any other; its tool only returns the recorded result.
 */

import { joinedPrompt, note, type RunContext } from '../agent/context.ts'
import { settleCall } from '../agent/settle.ts'
import type { WorkspaceContext } from '../agent/workspace-context.ts'
import { systemClock } from '../base/clock.ts'
import { type IdSource, randomIds } from '../base/id.ts'
import { present } from '../base/present.ts'
import type { Inspect } from '../inspect/classifier.ts'
import { begin } from '../journal/fold.ts'
import { RunLog } from '../journal/journal.ts'
import { beginRun } from '../journal/run-lifecycle.ts'
import { scriptedModel } from '../model/scripted.ts'
import type { Event } from '../protocol/event.ts'
import type { Trust } from '../protocol/facts.ts'
import type { TaskIntentLabel } from '../protocol/intent.ts'
import { LOCAL } from '../protocol/principal.ts'
import type { Profile } from '../protocol/profile.ts'
import { type DecisionRoute, exceeds, type RiskLevel } from '../protocol/risk.ts'
import type { ContentCode, DenialReason, Effect, Stage } from '../protocol/verdict.ts'
import { mediaFiles } from '../storage/media-files.ts'
import { type DeclaredTool, inferTool } from '../tool/infer.ts'
import { Registry } from '../tool/registry.ts'
import { callFacts, outsidePart } from '../tool/sealed.ts'
import { defineTool, type Tool, type ToolDescription, type ToolOutput } from '../tool/tool.ts'

export interface TrajectoryTool extends DeclaredTool {
  trust?: Trust
}

interface TrajectoryStep {
  tool: string
  args: unknown
  result?: unknown
  error?: string
}

export interface Trajectory {
  task: string
  intent: TaskIntentLabel
  route: DecisionRoute
  /** Declared for this trajectory only. */
  tools: readonly Tool[]
  steps: readonly TrajectoryStep[]
}

interface CallVerdict {
  i: number
  decision: 'allow' | 'ask' | 'deny'
  reason: DenialReason | null
  all: DenialReason[]
  stage: Stage | null
  effect: Effect | null
  message: string | null
  hint: string | null
  /** With PRE_VALIDATE_REJECTED: the rule of the content check that objected. */
  code: ContentCode | null
}

interface ResultVerdict {
  i: number
  verdict: 'pass' | 'warn' | 'review' | 'block'
  findings: { rule: string; at: number }[]
}

export interface TrajectoryVerdict {
  calls: CallVerdict[]
  results: ResultVerdict[]
}

const EVENT_PLACE = { sessionId: 'trajectory', turnId: 'trajectory', runId: 'trajectory', scoutId: null } as const
const NULL_STORE = { append: async () => {} }
const INSPECTIONS = { Block: 'block', Review: 'review', Warn: 'warn' } as const

export interface JudgingWith {
  context: WorkspaceContext
  tools: readonly ToolDescription[]
  /** Inspects the recorded results. Undefined where that is switched off. */
  inspect: Inspect | undefined
  newId?: IdSource
}

export async function judgeTrajectory(
  trajectory: Trajectory,
  { context, tools, inspect, newId = randomIds }: JudgingWith,
): Promise<TrajectoryVerdict> {
  const steps = new Map<string, TrajectoryStep>()
  const { hidden } = context.profile.exposure
  const shown = new Map(tools.filter(({ name }) => !hidden.includes(name)).map((tool) => [tool.name, tool]))
  const own = trajectory.tools.map((tool) => asStrictAs(tool, shown.get(tool.name)))
  const ours = tools.filter(({ name }) => !own.some((tool) => tool.name === name))
  const recorded = [...ours.map(descriptionOnly), ...own].map((tool) => ({ ...tool, ...returningRecorded(steps) }))
  const registry = new Registry(recorded)
  const ctx = contextFor(trajectory, { context, registry, inspect, newId })
  const verdict: TrajectoryVerdict = { calls: [], results: [] }
  for (const [i, step] of trajectory.steps.entries()) {
    const call = { id: `call_${i}`, tool: step.tool, args: step.args }
    steps.set(call.id, step)
    ctx.liveArgs.set(call.id, call.args)
    const usage = { inputTokens: 0, outputTokens: 0 }
    note(ctx, 'model.replied', {
      purpose: 'main',
      reply: { kind: 'calls', calls: [call], text: '' },
      usage,
      elapsedMs: 0,
    })
    const events: Event[] = []
    for await (const event of settleCall(ctx, call)) events.push(event)
    verdict.calls.push(callVerdict(i, events))
    if (verdict.calls.at(-1)?.decision !== 'deny') verdict.results.push(resultVerdict(i, events))
  }
  return verdict
}

/** An external tool; what it does not declare is inferred. */
export function externalTool(declared: TrajectoryTool): Tool {
  const { name, description = '', schema = { type: 'object' }, trust } = declared
  const { family, risk, readOnly, deedOf, targetsOf } = inferTool(declared)
  return defineTool({
    name,
    description,
    schema,
    family,
    risk,
    ...present({ trust }),
    readOnly,
    preValidate: (args) => ({ deed: deedOf(args), targets: targetsOf(args) }),
    execute: () => '',
  })
}

/**
 * A trajectory's own tool replaces a built-in one of the same name, but is judged at least as strictly: a tool that runs
 * commands here must not become harmless by declaration.
 */
function asStrictAs(own: Tool, ours: ToolDescription | undefined): Tool {
  if (ours === undefined) return own
  const risk = riskier(own.risk, ours.risk)
  const readOnly = own.readOnly && ours.readOnly
  return {
    ...own,
    family: ours.family,
    trust: 'external',
    risk,
    readOnly,
    async preValidate(args, world, at) {
      // Arguments that do not fit our schema belong to a different tool; our checks cannot read them.
      if (new Registry([]).misfits(ours, args).length > 0) return (await own.preValidate?.(args, world, at)) ?? {}
      const known = await callFacts(ours, args, { world, place: at })
      return {
        ...known,
        risk: riskier(risk, known.risk ?? risk),
        readOnly: readOnly && known.readOnly !== false,
      }
    },
  }
}

function riskier(one: RiskLevel, other: RiskLevel): RiskLevel {
  return exceeds(one, other) ? one : other
}

/** A built-in tool without its body: its description and the facts of a call. */
function descriptionOnly(described: ToolDescription): Omit<Tool, 'execute'> {
  return {
    ...described,
    outside: (text) => outsidePart(described, text),
    preValidate: (args, world, place) => callFacts(described, args, { world, place }),
  }
}

function returningRecorded(steps: ReadonlyMap<string, TrajectoryStep>): Pick<Tool, 'execute'> {
  return { execute: async (_args, { callId }) => outputOf(steps.get(callId)) }
}

function outputOf(step: TrajectoryStep | undefined): ToolOutput {
  if (step?.error !== undefined) return { ok: false, error: step.error }
  const { result = '' } = step ?? {}
  return { ok: true, text: typeof result === 'string' ? result : JSON.stringify(result) }
}

function contextFor(
  { task, intent, route, tools: own }: Trajectory,
  { context, registry, inspect, newId }: Required<Omit<JudgingWith, 'tools'>> & { registry: Registry },
): RunContext {
  const { loaded, world, redact } = context
  const profile = showing(context.profile, own, loaded.config.tools.disabled)
  const model = scriptedModel([])
  const log = new RunLog({ store: NULL_STORE, clock: systemClock, redact }, { ...EVENT_PLACE, mode: profile.mode })
  const tools = registry.exposedTo(profile).map((tool) => tool.name)
  const started = beginRun(log, { task, profile, model: model.id, lang: loaded.lang, route, tools })
  const state = begin(started, { history: [] })
  const ctx: RunContext = {
    log,
    state,
    owner: LOCAL,
    policy: loaded.policy,
    model,
    purpose: 'main',
    registry,
    world,
    system: async () => joinedPrompt(''),
    routing: { historyMessages: 0, skills: [], identity: '' },
    temperature: undefined,
    maxOutputTokens: undefined,
    modelAttempts: 1,
    media: { files: mediaFiles(undefined), pagesOf: async () => [] },
    detector: { kind: 'heuristic', timeoutMs: 0 },
    stream: false,
    inspect,
    clock: systemClock,
    newId,
    signal: new AbortController().signal,
    // Approved once, so that the run continues and no standing approval is recorded.
    confirm: async () => 'y',
    liveArgs: new Map(),
  }
  note(ctx, 'intent.detected', { intent: { label: intent, confidence: 1, source: 'heuristic', reason: 'given' } })
  return ctx
}

/** Names hidden from chats (such as a scout's report) do not hide the trajectory's own tools; disabled names do. */
function showing(profile: Profile, own: readonly Tool[], disabled: readonly string[]): Profile {
  const hidden = profile.exposure.hidden.filter(
    (name) => disabled.includes(name) || !own.some((tool) => tool.name === name),
  )
  return { ...profile, exposure: { ...profile.exposure, hidden } }
}

function callVerdict(i: number, events: readonly Event[]): CallVerdict {
  const decided = events.find((event) => event.type === 'gate.decided')
  if (decided === undefined) throw new RangeError(`step ${i} was not judged`)
  const { decision, reason = null, all, stage = null, effect = null } = decided.data
  const { message = null, hint = null, code = null } = decided.data
  return { i, decision, reason, all, stage, effect, message, hint, code }
}

function resultVerdict(i: number, events: readonly Event[]): ResultVerdict {
  const flagged = events.find((event) => event.type === 'injection.flagged')
  if (flagged === undefined) return { i, verdict: 'pass', findings: [] }
  return { i, verdict: INSPECTIONS[flagged.data.verdict], findings: flagged.data.findings }
}
