/**
 * S3's agent inside a workflow: an ordinary tool that starts a run of its own. It gets the conversation and uses the
 * tools it was given, under the same gate as every other run. It returns the answer with a full trace.
 */

import { type ChildRun, resumeChild, runChild } from '../../agent/child.ts'
import { narrowedTo, narrowingOf } from '../../agent/narrowing.ts'
import type { Engine } from '../../agent/turn.ts'
import { canonical, isObject } from '../../base/json.ts'
import { WritError } from '../../errors/writ-error.ts'
import { type Lang, messages as texts } from '../../i18n/locale.ts'
import { RunLog } from '../../journal/journal.ts'
import { beginRun, continueLog } from '../../journal/run-lifecycle.ts'
import { traceOf } from '../../journal/trace.ts'
import type { Model } from '../../model/model.ts'
import type { Event, GivenContext, StoredEvent } from '../../protocol/event.ts'
import type { Message } from '../../protocol/message.ts'
import type { Profile } from '../../protocol/profile.ts'
import type { Origin } from '../../protocol/state.ts'
import type { Trace } from '../../protocol/trace.ts'
import { faultIn } from '../../tool/error-text.ts'
import { type ArgProblem, defineTool, type Tool, type ToolContext, type Unknowns } from '../../tool/tool.ts'
import {
  AGENT_CORE,
  AGENT_CORE_SCHEMA,
  type AgentCoreArgs,
  hiddenTools,
  MAX_SECONDS,
  narrowingIn,
  profileOf,
  temperatureOf,
  toolProblem,
  toolProblems,
} from './agent-core-config.ts'
import { developerPrompt } from './agent-core-prompt.ts'
import { conversationOf, examineMessages, nothingAsked, ownPart, readMessages, whoseAre } from './messages.ts'
import { invalidInput, nodeTexts } from './texts.ts'

export interface AgentCoreOptions {
  /** Opens the model a node names. Absent: every node uses the engine's own model. */
  modelNamed?: (name: string) => Promise<Model>
  /** Throws if there is no model of this name. */
  demandModel?: (name: string) => void
  /** `agent.tools.disabled`: no node may list these. */
  disabled?: readonly string[]
}

export function agentCoreTool(engine: () => Engine, options: AgentCoreOptions = {}): Tool<AgentCoreArgs> {
  return defineTool<AgentCoreArgs>({
    name: AGENT_CORE,
    description:
      'Let an agent work on a task by itself with the tools it is given, within limits. Returns JSON: final_answer, trace, used_tools, finish_reason.',
    schema: AGENT_CORE_SCHEMA,
    family: 'task',
    // It changes nothing itself: what its run wants to change is judged there. But it is not safe to repeat: an
    // interrupted call continues the run it had begun.
    risk: 'Low',
    readOnly: true,
    idempotent: false,
    resumes: true,
    trust: 'external',
    outside: wordsIn,
    // The run has its own timeout; one of the call would end it without a trace.
    callMs: (MAX_SECONDS + 60) * 1000,
    check: (args, unknowns) => [...problemsIn(args, unknowns, { engine: engine(), options })],
    async execute(args, context) {
      const { account, answered } = await work(args, context, { engine: engine(), options })
      const { error } = account
      const text = JSON.stringify(account)
      if (error === undefined || answered) return { ok: true, text }
      // When it was aborted, the call reports why.
      const code = context.signal.aborted ? {} : { code: 'NO_FINAL_ANSWER' as const }
      return { ok: false, ...code, error, partial: text }
    },
  })
}

/**
 * The trace is our own and its calls are not forged, but any text in it may be untrusted: the model may have repeated
 * it, or a tool may have returned it.
 */
function wordsIn(text: string): string {
  try {
    return [...words(JSON.parse(text))].join('\n')
  } catch {
    return text
  }
}

function* words(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (!Array.isArray(value)) yield key
      yield* words(item)
    }
  }
}

interface AgentCoreDeps {
  engine: Engine
  options: AgentCoreOptions
}

/** Every problem that would end the run before its first step. */
function* problemsIn(
  args: Partial<AgentCoreArgs>,
  { open, lang }: Unknowns,
  deps: AgentCoreDeps,
): Generator<ArgProblem> {
  const { engine, options } = deps
  const { allowed_tools = [], model, messages_json = '', prompt = '' } = args
  const box = { ...engine, disabled: options.disabled ?? [], lang }
  for (const [i, tool] of allowed_tools.entries()) {
    const message = toolProblem(tool, box)
    if (message !== undefined) yield { key: `allowed_tools[${i}]`, message }
  }
  const { list, problems } = examineMessages(messages_json === '' ? [] : messages_json, lang)
  yield* problems
  const given = prompt.trim() !== '' || ['messages_json', 'prompt'].some((key) => open.includes(key))
  if (!given && list !== undefined) yield* silence(list, { open, lang })
  const unfit = faultIn(() => model !== undefined && options.demandModel?.(model), lang)
  if (unfit !== undefined) yield { key: 'model', message: unfit }
}

function* silence(list: readonly unknown[], { open, lang }: Unknowns): Generator<ArgProblem> {
  // A system message that contains another node's output becomes a user message (`whoseAre`).
  const certain = list.map((message, at) => {
    const isOpen = open.some((place) => place.startsWith(`messages_json.${at}.`))
    return isOpen && isObject(message) && message.role === 'system' ? undefined : message
  })
  const message = nothingAsked(certain, lang)
  if (message !== undefined) yield { key: list.length === 0 ? 'prompt' : 'messages_json', message }
}

async function work(args: AgentCoreArgs, context: ToolContext, { engine: own, options }: AgentCoreDeps): Promise<Work> {
  const { sessionId, turnId, runId: parentRunId, owner, world, signal } = context
  const { disabled = [], modelNamed = async () => own.model } = options
  const policy = narrowedTo(context.policy, narrowingIn(args))
  const profile = profileOf(args, hiddenTools(policy, disabled))
  const earlier = await begunBy(parentRunId, own)
  const events: Event[] = [...earlier]
  if (earlier.some(({ type }) => type === 'run.stopped')) return workIn(events)
  const last = earlier.at(-1)
  const runId = last?.runId ?? own.newId('run')
  const log =
    last === undefined
      ? new RunLog(own, { sessionId, turnId, runId, scoutId: null, mode: profile.mode })
      : continueLog(own, last, earlier)
  const show = (event: Event) => {
    events.push(event)
    context.emit(event)
  }
  const engine: Engine = { ...own, policy, world }
  try {
    const problemsIn = (lang: Lang) => [
      ...untrustedKeys(args, context.authored).map((key) => `${key}: ${nodeTexts(lang).untrusted}`),
      ...toolProblems(args, { ...engine, disabled, lang }),
    ]
    if (problemsIn('en').length > 0) throw invalidInput(problemsIn)
    const { task, given, notes } = await inputOf(args, { engine, authored: context.authored })
    const model = await modelNamed(args.model)
    const child: ChildRun = {
      log,
      parentRunId,
      owner,
      task,
      profile,
      system: developerPrompt({ lang: engine.lang, profile, policy, notes }),
      purpose: 'main',
      signal,
      temperature: temperatureOf(args),
      given,
      ...(args.few_shot === undefined ? {} : { examples: args.few_shot }),
    }
    const thinking = { ...engine, model }
    const work = last === undefined ? runChild(thinking, child) : resumeChild(thinking, child, earlier)
    for await (const event of work) show(event)
  } catch (error) {
    if (events.length > 0 || !(error instanceof WritError)) throw error
    for (const event of refusal(error, { args, engine, log, profile, parentRunId })) show(event)
  }
  await log.flush()
  return workIn(events)
}

interface Work {
  account: Trace
  /** The budget is soft: the last reply counts as the answer if it was meant as one. */
  answered: boolean
}

function workIn(events: readonly Event[]): Work {
  const account = traceOf(events)
  const last = events.findLast((event) => event.type === 'model.replied')
  const answered = account.finish_reason === 'token_budget' && last?.data.reply.kind === 'final'
  return { account, answered }
}

/** The events of the run that this call had begun before its process died; empty for a first call. */
async function begunBy(parentRunId: string, { store }: Engine): Promise<StoredEvent[]> {
  const [begun] = await store.listRuns({ parentRunId, limit: 1 })
  return begun === undefined ? [] : store.readRun(begun.runId)
}

/** Untrusted text may be the topic of a conversation; it must not become its rules. */
function untrustedKeys(args: AgentCoreArgs, authored: unknown): string[] {
  if (!isObject(authored)) return []
  const spoken = ['messages_json', 'prompt']
  return Object.entries(args).flatMap(([key, value]) =>
    spoken.includes(key) || canonical(value) === canonical(authored[key]) ? [] : [key],
  )
}

/** S3-25: the conversation, then the prompt as the last user message. */
async function inputOf(
  { messages_json, prompt = '' }: AgentCoreArgs,
  { engine: { inspect }, authored }: { engine: Engine; authored: unknown },
): Promise<{ task: string; given: GivenContext; notes: string[] }> {
  const said = messages_json === undefined || messages_json === '' ? [] : readMessages(messages_json)
  const own = isObject(authored) ? authored : { messages_json, prompt }
  const { system, history: conversation } = conversationOf(whoseAre(said, own.messages_json))
  const asked: Message | undefined =
    prompt.trim() !== '' ? { role: 'user', content: prompt, ...ownPart(prompt, own.prompt) } : conversation.pop()
  if (asked?.role !== 'user') throw invalidInput((lang) => [nothingAsked(said, lang) ?? nodeTexts(lang).noInput])
  const { content: task } = asked
  const inspected = asked.own === undefined ? undefined : await inspect?.(task, { tool: 'input' })
  const inspection = inspected?.verdict ?? 'pass'
  const origin: Origin = { callId: 'prompt', tool: 'input', trust: 'external', inspection }
  const untrusted = asked.own === undefined ? {} : { own: asked.own, origins: [origin] }
  return { task, given: { history: conversation, ...untrusted }, notes: system }
}

interface Refused {
  args: AgentCoreArgs
  engine: Engine
  log: RunLog
  profile: Profile
  parentRunId: string
}

/** A run that could not begin still counts as a run, and its trace says why. */
function* refusal(error: WritError, { args, engine, log, profile, parentRunId }: Refused): Generator<Event> {
  const { lang, policy, registry, model } = engine
  yield beginRun(log, {
    task: args.prompt ?? '',
    profile,
    model: args.model,
    lang,
    route: model.route,
    tools: registry.exposedTo(profile).map((tool) => tool.name),
    parentRunId,
    policy: narrowingOf(policy),
  })
  const { stop: say } = texts(lang)
  const unusable = error.code === 'INVALID_INPUT' || error.code === 'MODEL_UNKNOWN'
  const reason = unusable ? 'invalid_input' : 'provider_error'
  const { message } = error.textIn(lang)
  const text = unusable ? say.invalidInput({ error: message }) : say.providerError({ model: args.model, message })
  const nothing = { inputTokens: 0, outputTokens: 0 }
  yield log.note('run.stopped', { stop: { reason, text }, steps: 0, toolCalls: 0, usage: nothing }, reason)
}
