/** A main session that can send scouts: scripted models, documents in memory, and everything else real. */
import { PROFILES } from '../../src/agent/profile.ts'
import { type Engine, startTurn, type TurnResult } from '../../src/agent/turn.ts'
import { toPolicy } from '../../src/config/policy.ts'
import { configFile } from '../../src/config/schema.ts'
import { inspectByRules } from '../../src/inspect/classifier.ts'
import type { Store } from '../../src/journal/store.ts'
import type { Model, ModelRequest } from '../../src/model/model.ts'
import { type ScriptEntry, scriptedModel } from '../../src/model/scripted.ts'
import type { Event } from '../../src/protocol/event.ts'
import { Slots } from '../../src/scout/concurrency.ts'
import type { ExploreResult } from '../../src/scout/contracts.ts'
import { exploreTool } from '../../src/scout/explore-tool.ts'
import { type ScoutOrchestrator, scoutOrchestrator } from '../../src/scout/orchestrator.ts'
import { reportTool } from '../../src/scout/report-tool.ts'
import { scoutingFor } from '../../src/scout/scouting.ts'
import { Registry } from '../../src/tool/registry.ts'
import { defineTool, type Tool } from '../../src/tool/tool.ts'
import { collect, engineWith } from './engine.ts'

export const DOCS: Record<string, string> = {
  'docs/a.md': '# A\n\nThe cap of plan A is five scouts.',
  'docs/b.md': '# B\n\nThe cap of plan B is nine scouts.',
  'docs/c.md': '# C\n\nPlan C has no cap at all.',
}

const text = { type: 'string' }

/** What the real ones answer, over a few documents in memory. */
export function docTools(docs: Record<string, string> = DOCS): Tool[] {
  const common = { family: 'filesystem', risk: 'Low', trust: 'external', readOnly: true } as const
  return [
    defineTool<{ query: string }>({
      name: 'search_docs',
      description: 'search',
      schema: { type: 'object', properties: { query: text, limit: { type: 'integer' } }, required: ['query'] },
      ...common,
      execute: () => JSON.stringify({ hits: Object.keys(docs).map((id) => ({ id })) }),
    }),
    defineTool<{ id: string }>({
      name: 'read_doc',
      description: 'read',
      schema: { type: 'object', properties: { id: text }, required: ['id'] },
      ...common,
      execute({ id }) {
        const found = docs[id]
        if (found === undefined) return { ok: false, error: `there is no document ${id}` }
        return JSON.stringify({ id, from: 1, to: 3, total: 3, text: found })
      },
    }),
  ]
}

export interface ScoutPlace {
  engine: Engine
  store: Store
  scouts: ScoutOrchestrator
  requests: ModelRequest[]
  slots: Slots
  turn(task: string, own?: { sessionId?: string; signal?: AbortSignal }): Promise<Turn>
}

export interface Turn {
  result: TurnResult
  events: Event[]
  /** What the main session was told by its last exploration. */
  explored: ExploreResult
  of(scout: number): Event[]
}

export interface ScoutOptions {
  script?: readonly ScriptEntry[]
  model?: Model
  /** The `agent` part of a configuration. */
  config?: Record<string, unknown>
  docs?: Tool[]
  more?: Tool[]
  slots?: Slots
  change?: Partial<Engine>
  onEvent?: (event: Event, place: ScoutPlace) => void
}

export async function scoutPlace(options: ScoutOptions = {}): Promise<ScoutPlace> {
  const { agent: config } = configFile.parse({ agent: options.config ?? {} })
  const policy = toPolicy(config, [])
  const requests: ModelRequest[] = []
  const inner = options.model ?? scriptedModel(options.script ?? [])
  const model: Model = {
    ...inner,
    ask(request, signal) {
      requests.push({ ...request, messages: [...request.messages] })
      return inner.ask(request, signal)
    },
  }
  const slots = options.slots ?? new Slots()
  let engine: Engine & { store: Store }
  const scouts = scoutOrchestrator({
    engine: () => engine,
    config: config.scout,
    disabledTools: config.tools.disabled,
    slots,
  })
  const tools = [
    exploreTool(scouts, { name: config.scout.dispatchToolName, maxLen: 32_000 }),
    reportTool('en'),
    ...(options.docs ?? docTools()),
    ...(options.more ?? []),
  ]
  engine = await engineWith({
    policy,
    model,
    registry: new Registry(tools),
    inspect: inspectByRules,
    clock: { now: Date.now },
    ...options.change,
  })
  const { store } = engine
  const { maxProfile } = config.scout
  engine.scouting = scoutingFor({ store, policy, maxProfile, lang: engine.lang })
  const { sessionTokenBudget } = config
  const tokens = sessionTokenBudget === 0 ? {} : { tokens: { budget: sessionTokenBudget, mode: 'soft' as const } }
  const profile = { ...PROFILES.chat, routing: false, limits: { maxSteps: 10, ...tokens } }
  const place: ScoutPlace = {
    engine,
    store,
    scouts,
    requests,
    slots,
    async turn(task, { sessionId, signal = new AbortController().signal } = {}) {
      const generator = startTurn(engine, { task, sessionId, profile, signal, confirm: undefined, stream: false })
      const { events, result } = await collect(watched(generator, (event) => options.onEvent?.(event, place)))
      const answer = events.findLast(
        (event) => event.type === 'tool.result' && event.data.tool === config.scout.dispatchToolName,
      )
      const said = answer?.type === 'tool.result' ? answer.data.observation.text : ''
      return {
        result,
        events,
        explored: said.startsWith('{') ? JSON.parse(said) : undefined,
        of: (n) => eventsOfScout(events, n),
      }
    },
  }
  return place
}

async function* watched<R>(events: AsyncGenerator<Event, R>, see: (event: Event) => void): AsyncGenerator<Event, R> {
  for (;;) {
    const next = await events.next()
    if (next.done) return next.value
    see(next.value)
    yield next.value
  }
}

export function eventsOfScout(events: readonly Event[], n: number): Event[] {
  const id = events.find((event) => event.type === 'SCOUT_TRIGGERED' && event.data.n === n)?.scoutId
  return events.filter(({ scoutId }) => scoutId !== null && scoutId === id)
}

export const explore = (tasks: unknown[], more: object = {}): ScriptEntry => ({
  purpose: 'main',
  calls: [{ tool: 'explore', args: { tasks, ...more } }],
})
export const answer = (reply = 'done'): ScriptEntry => ({ purpose: 'main', text: reply })

/** A scout's replies: `search`, `read x`, a report, or anything else as given. */
export const search = { tool: 'search_docs', args: { query: 'cap' } }
export const read = (id = 'docs/a.md') => ({ tool: 'read_doc', args: { id } })
export const report = (own: object = {}) => ({
  tool: 'report_findings',
  args: {
    summary: 'The cap is five.',
    evidence: [{ source: 'docs/a.md', quote: 'The cap of plan A is five scouts.', note: 'says so' }],
    confidence: 0.8,
    ...own,
  },
})

export function scoutSays(n: number | undefined, ...calls: { tool: string; args: unknown }[]): ScriptEntry[] {
  const purpose = n === undefined ? ('scout' as const) : (`scout:${n}` as const)
  return calls.map((call) => ({ purpose, calls: [call] }))
}

export const typesOf = (events: readonly Event[]) => events.map(({ type }) => type)
export const edgesOf = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'scout.state' ? [`${event.data.from}>${event.data.to}`] : []))
