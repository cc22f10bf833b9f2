/** What the policy of an agent decides about calls that are not run. */
import { policyInForce } from '../agent/policy-in-force.ts'
import type { Engine } from '../agent/turn.ts'
import { ConfigError, type Problem, problemText } from '../config/problems.ts'
import type { PlacedRule } from '../config/rules.ts'
import { judge } from '../gate/gate.ts'
import type { ToolInput } from '../gate/gate-input.ts'
import { BUILT_IN_RULES } from '../gate/rules/built-in.ts'
import { applies, rulingOn } from '../gate/rules/ruling.ts'
import { whyText } from '../i18n/why.ts'
import { begin } from '../journal/fold.ts'
import { RunLog } from '../journal/journal.ts'
import { beginRun } from '../journal/run-lifecycle.ts'
import { outsideTools } from '../outside/agents.ts'
import type { TaskIntent } from '../protocol/intent.ts'
import { LOCAL } from '../protocol/principal.ts'
import type { Profile } from '../protocol/profile.ts'
import type { LayeredRule, RuleExample } from '../protocol/rule.ts'
import type { Judgement } from '../protocol/verdict.ts'
import { gatherFacts } from '../tool/gather.ts'
import { ruleNotes } from './rule-notes.ts'

/** A shell line, or a call of a tool. */
export interface PlainCall {
  tool: string
  args: unknown
}

export interface JudgedCall {
  call: PlainCall
  facts: ToolInput['facts']
  judgement: Judgement
}

export interface ExampleResult {
  rule: LayeredRule
  /** `file:line:column` of the example. */
  place: string
  example: RuleExample
  expected: 'match' | 'noMatch'
  /** `skipped`: its tool is not available here. */
  outcome: 'ok' | 'failed' | 'skipped'
  /** What decides about the call instead, when it should have matched. */
  instead?: LayeredRule
  /** Why its facts are incomplete: arguments that do not fit the tool's schema, or that could not be checked. */
  unclear?: string
}

export interface AgentPolicy {
  /** With real facts, in a new conversation about this task. */
  judge(call: PlainCall, about?: { task?: string; intent?: TaskIntent }): Promise<JudgedCall>
  /** The rules of the configuration, the highest layer first. */
  readonly rules: readonly PlacedRule[]
  /** Of all rules in force, also the built-in ones. */
  examples(): Promise<ExampleResult[]>
  /** Throws CONFIG_INVALID where an example fails, also one of the shadow policy. */
  demandExamples(): Promise<void>
  /** Rules that have no effect, or less than they seem to have. */
  notes(): Promise<string[]>
  /** The same policy with other rules: a draft that is tried. Nothing is stored. */
  withRules(rules: readonly PlacedRule[]): AgentPolicy
}

const BUILT_IN: readonly PlacedRule[] = BUILT_IN_RULES.map((rule) => ({
  rule,
  origin: rule.from,
  path: '',
  where: () => undefined,
}))

export function agentPolicy(
  engine: Engine,
  { profile, rules, shadow }: { profile: Profile; rules: readonly PlacedRule[]; shadow: readonly PlacedRule[] },
): AgentPolicy {
  // Examples may name tools that chats do not have.
  const exposing: Profile = { ...profile, exposure: { hidden: [] } }
  const inputFor = (call: PlainCall) => gateInput(engine, call, { profile: exposing, task: '' })

  async function exampleResults(placed: PlacedRule): Promise<Checked[]> {
    const { match = [], noMatch = [] } = placed.rule.examples ?? {}
    const all = [
      ...match.map((example, i) => ({ example, expected: 'match' as const, part: ['examples', 'match', i] })),
      ...noMatch.map((example, i) => ({ example, expected: 'noMatch' as const, part: ['examples', 'noMatch', i] })),
    ]
    return Promise.all(
      all.map(async ({ part, ...each }) => ({
        placed,
        part,
        result: {
          ...each,
          ...resultOf(placed.rule, each, await inputFor(callOf(each.example))),
          ...placeOf(placed, part),
        },
      })),
    )
  }

  const checkAll = async (checked = rules) => (await Promise.all(checked.map(exampleResults))).flat()
  return {
    rules,
    judge: async (call, { task = '', intent } = {}) => {
      const input = await gateInput(engine, call, { profile, task })
      const state = intent === undefined ? input.state : { ...input.state, taskIntent: intent }
      return { call, facts: input.facts, judgement: judge({ ...input, state }) }
    },
    examples: async () => (await checkAll([...rules, ...BUILT_IN])).map(({ result }) => result),
    demandExamples: async () => {
      const failed = (await checkAll([...rules, ...shadow])).filter(({ result }) => result.outcome === 'failed')
      if (failed.length > 0) throw new ConfigError(failed.map(problemOf))
    },
    notes: () =>
      ruleNotes(rules, {
        // Rules also judge the calls of outside agents.
        tools: [...engine.registry.all(), ...outsideTools()],
        lang: engine.lang,
        factsOf: async (call) => (await inputFor(call)).facts,
      }),
    withRules: (other) => {
      const { policy } = engine
      const security = { ...policy.security, rules: other.map(({ rule }) => rule) }
      return agentPolicy({ ...engine, policy: { ...policy, security } }, { profile, rules: other, shadow: [] })
    },
  }
}

interface Checked {
  placed: PlacedRule
  part: (string | number)[]
  result: ExampleResult
}

/** `git push` is a call of the shell. */
export function callOf(example: RuleExample): PlainCall {
  return typeof example === 'string' ? { tool: 'shell', args: { command: example } } : example
}

/** The state of a new run. Its log is never flushed, so nothing is stored. */
async function gateInput(
  engine: Engine,
  call: PlainCall,
  { profile, task }: { profile: Profile; task: string },
): Promise<ToolInput> {
  const { registry, world, clock, lang, model, newId } = engine
  const policy = await policyInForce(engine)
  const place = {
    sessionId: newId('ses'),
    turnId: newId('turn'),
    runId: newId('run'),
    scoutId: null,
    mode: profile.mode,
  }
  const tools = registry.exposedTo(profile).map((tool) => tool.name)
  const started = beginRun(new RunLog(engine, place), {
    task,
    profile,
    model: model.id,
    lang,
    // A scripted model stands for a real one.
    route: model.route === 'Mock' ? 'CloudLlm' : model.route,
    tools,
  })
  const state = { ...begin(started, { history: [] }), steps: 1 }
  const facts = await gatherFacts({ id: 'call_1', ...call }, { registry, world, state, owner: LOCAL })
  const proposal = { kind: 'tool', id: 'call_1', runId: state.runId, step: 1, route: state.route, ...call } as const
  return { proposal, facts, state, policy, now: clock.now(), aborted: false }
}

function resultOf(
  rule: LayeredRule,
  { expected }: Pick<ExampleResult, 'expected'>,
  input: ToolInput,
): Pick<ExampleResult, 'rule' | 'outcome' | 'instead' | 'unclear'> {
  const { registered, form, unchecked } = input.facts
  if (!registered) return { rule, outcome: 'skipped' }
  const isOk = applies(rule, input) === (expected === 'match')
  if (isOk) return { rule, outcome: 'ok' }
  const unclear = form.length > 0 ? form.join('; ') : unchecked && whyText(unchecked, input.state.lang)
  const instead = expected === 'match' ? rulingOn(input)?.rule : undefined
  return { rule, outcome: 'failed', ...(instead && { instead }), ...(unclear !== undefined && { unclear }) }
}

function placeOf({ origin, rule, where }: PlacedRule, part: (string | number)[]): { place: string } {
  const at = where(part)
  return { place: at === undefined ? `${rule.from}.${part.join('.')}` : `${origin}:${at.line}:${at.column}` }
}

function problemOf({ placed: { origin, path, where }, part, result }: Checked): Problem {
  const at = where(part)
  const message = problemText((texts) => {
    const { example, expected, instead, unclear } = result
    const call = JSON.stringify(example)
    if (expected === 'noMatch') return texts.exampleMatched({ call })
    if (unclear !== undefined) return texts.exampleUnclear({ call, why: unclear })
    return texts.exampleMissed({ call, ...(instead && { instead: `${instead.decide}, ${instead.from}` }) })
  })
  return { origin, path: [path, ...part].join('.'), ...(at && { where: at }), message }
}
