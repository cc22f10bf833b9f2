/**
 * S3's agent inside a workflow: an ordinary tool whose work is a run of its own. It reads the conversation, uses the
 * tools it was given under the same gate as every other run, and hands on its answer with a full account of the way.
 */
import { runChild } from '../../agent/child.ts'
import { narrowedTo, narrowingOf } from '../../agent/narrowing.ts'
import type { Engine } from '../../agent/turn.ts'
import { WritError } from '../../base/errors.ts'
import { canonical, isObject } from '../../base/json.ts'
import { messages as texts } from '../../i18n/locale.ts'
import { RunLog } from '../../journal/journal.ts'
import { traceOf } from '../../journal/trace.ts'
import type { Model } from '../../model/model.ts'
import type { Event, GivenContext } from '../../protocol/event.ts'
import type { Message } from '../../protocol/message.ts'
import type { Profile } from '../../protocol/profile.ts'
import type { Origin } from '../../protocol/state.ts'
import type { Trace } from '../../protocol/trace.ts'
import { defineTool, type Tool, type ToolContext } from '../../tool/tool.ts'
import {
  AGENT_CORE,
  AGENT_CORE_SCHEMA,
  type AgentCoreArgs,
  hiddenTools,
  MAX_SECONDS,
  narrowingIn,
  profileOf,
  temperatureOf,
  toolProblems,
} from './agent-core-config.ts'
import { developerPrompt } from './agent-core-prompt.ts'
import { conversationOf, ownPart, readMessages, whoseAre } from './messages.ts'
import { nodeTexts } from './texts.ts'

export interface AgentCoreOptions {
  /** Opens the model a node names. Absent: every node thinks with the engine's own. */
  modelNamed?: (name: string) => Promise<Model>
  /** `agent.tools.disabled`: what no node may list. */
  disabled?: readonly string[]
}

export function agentCoreTool(engine: () => Engine, options: AgentCoreOptions = {}): Tool<AgentCoreArgs> {
  return defineTool<AgentCoreArgs>({
    name: AGENT_CORE,
    description:
      'Let an agent work on a task by itself with the tools it is given, within limits. Returns JSON: final_answer, trace, used_tools, finish_reason.',
    schema: AGENT_CORE_SCHEMA,
    family: 'task',
    // It changes nothing itself, and whatever its run wants to change is judged there. But twice is not once.
    risk: 'Low',
    readOnly: true,
    idempotent: false,
    trust: 'external',
    outside: wordsIn,
    // The run keeps its own time; a limit of the call would end it without an account.
    callMs: (MAX_SECONDS + 60) * 1000,
    async execute(args, context) {
      const account = await work(args, context, { engine: engine(), options })
      const { error } = account
      const text = JSON.stringify(account)
      if (error === undefined) return { ok: true, text }
      // Told to stop, it is for the call to say why.
      const code = context.signal.aborted ? {} : { code: 'NO_FINAL_ANSWER' as const }
      return { ok: false, ...code, error, partial: text }
    },
  })
}

/**
 * The account is our own, and the calls in it are none that anybody forged; but every word in it may be a stranger's,
 * which the model repeated or a tool returned.
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

interface Desk {
  engine: Engine
  options: AgentCoreOptions
}

async function work(args: AgentCoreArgs, context: ToolContext, { engine: own, options }: Desk): Promise<Trace> {
  const { sessionId, turnId, runId: parentRunId, owner, world, signal } = context
  const { disabled = [], modelNamed = async () => own.model } = options
  const policy = narrowedTo(context.policy, narrowingIn(args))
  const profile = profileOf(args, hiddenTools(policy, disabled))
  const log = new RunLog(own, { sessionId, turnId, runId: own.newId('run'), scoutId: null, mode: profile.mode })
  const events: Event[] = []
  const show = (event: Event) => {
    events.push(event)
    context.emit(event)
  }
  const engine: Engine = { ...own, policy, world }
  try {
    const problems = [
      ...strangeKeys(args, context.authored).map((key) => `${key}: ${nodeTexts(own.lang).strange}`),
      ...toolProblems(args, { ...engine, disabled }),
    ]
    if (problems.length > 0) throw new WritError('INVALID_INPUT', problems.join('; '))
    const { task, given, notes } = inputOf(args, { engine, authored: context.authored })
    const model = await modelNamed(args.model)
    const child = runChild(
      { ...engine, model },
      {
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
      },
    )
    for await (const event of child) show(event)
  } catch (error) {
    if (events.length > 0 || !(error instanceof WritError)) throw error
    for (const event of refusal(error, { args, engine, log, profile, parentRunId })) show(event)
  }
  await log.flush()
  return traceOf(events)
}

/** What strangers said may be talked about; it may not become the rules that the talk is held under. */
function strangeKeys(args: AgentCoreArgs, authored: unknown): string[] {
  if (!isObject(authored)) return []
  const spoken = ['messages_json', 'prompt']
  return Object.entries(args).flatMap(([key, value]) =>
    spoken.includes(key) || canonical(value) === canonical(authored[key]) ? [] : [key],
  )
}

/** S3-25: the conversation, then the prompt as the user's last word. */
function inputOf(
  { messages_json, prompt = '' }: AgentCoreArgs,
  { engine: { lang, inspect }, authored }: { engine: Engine; authored: unknown },
): { task: string; given: GivenContext; notes: string[] } {
  const said = messages_json === undefined || messages_json === '' ? [] : readMessages(messages_json, lang)
  const own = isObject(authored) ? authored : { messages_json, prompt }
  const { system, history: conversation } = conversationOf(whoseAre(said, own.messages_json))
  const asked: Message | undefined =
    prompt.trim() !== '' ? { role: 'user', content: prompt, ...ownPart(prompt, own.prompt) } : conversation.pop()
  if (asked === undefined) throw new WritError('INVALID_INPUT', nodeTexts(lang).noInput)
  if (asked.role !== 'user') throw new WritError('INVALID_INPUT', nodeTexts(lang).lastNotUser({ role: asked.role }))
  const { content: task } = asked
  const inspection = asked.own === undefined ? 'pass' : (inspect?.(task, { tool: 'input' }).verdict ?? 'pass')
  const origin: Origin = { callId: 'prompt', tool: 'input', trust: 'external', inspection }
  const strange = asked.own === undefined ? {} : { own: asked.own, origins: [origin] }
  return { task, given: { history: conversation, ...strange }, notes: system }
}

interface Refused {
  args: AgentCoreArgs
  engine: Engine
  log: RunLog
  profile: Profile
  parentRunId: string
}

/** A run that could not begin is one all the same: it is counted, and its trace says why. */
function* refusal(error: WritError, { args, engine, log, profile, parentRunId }: Refused): Generator<Event> {
  const { lang, policy, registry, model } = engine
  const narrowing = narrowingOf(policy)
  yield log.note('run.started', {
    task: args.prompt ?? '',
    profile,
    model: args.model,
    lang,
    route: model.route,
    tools: registry.exposedTo(profile).map((tool) => tool.name),
    history: 0,
    approvals: [],
    parentRunId,
    ...(narrowing === undefined ? {} : { policy: narrowing }),
  })
  const { stop: say } = texts(lang)
  const unusable = error.code === 'INVALID_INPUT' || error.code === 'MODEL_UNKNOWN'
  const reason = unusable ? 'invalid_input' : 'provider_error'
  const text = unusable
    ? say.invalidInput({ error: error.message })
    : say.providerError({ model: args.model, message: error.message })
  const nothing = { inputTokens: 0, outputTokens: 0 }
  yield log.note('run.stopped', { stop: { reason, text }, steps: 0, toolCalls: 0, usage: nothing }, reason)
}
