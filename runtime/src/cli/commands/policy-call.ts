/** `policy explain TASK --call CALL`: the verdict on one call, with real facts, without running it. */
import { styleText } from 'node:util'
import * as z from 'zod'
import { type Agent, createAgent } from '../../assembly/agent.ts'
import { callOf, type JudgedCall } from '../../assembly/policy.ts'
import type { Lang } from '../../base/lang.ts'
import { present } from '../../base/present.ts'
import { WritError } from '../../errors/writ-error.ts'
import { BUILT_IN_RULES, reasonOf } from '../../gate/rules/built-in.ts'
import type { TaskIntent } from '../../protocol/intent.ts'
import type { DecidingRule } from '../../protocol/rule.ts'
import { oneLine } from '../../protocol/visible-text.ts'
import type { Given } from '../flags.ts'
import type { Io } from '../io.ts'
import { policyTexts } from '../policy-texts.ts'
import { ruleText } from '../rule-text.ts'
import { textTable } from '../table.ts'
import { workspaceFlags } from '../workspace-flags.ts'

const toolCall = z.strictObject({ tool: z.string().min(1), args: z.looseObject({}) })

export async function explainCall(given: Given, io: Io, text: string): Promise<number> {
  const call = parseCall(text)
  const agent = await createAgent({ ...workspaceFlags(given, io), data: ':memory:' })
  try {
    const task = given.words.join(' ')
    const intent = task === '' ? undefined : (await agent.explain(task, { signal: given.signal })).intent
    const judged = await agent.policy.judge(call, { task, ...(intent && { intent }) })
    io.stdout(given.switches.has('json') ? `${JSON.stringify(report(judged, intent))}\n` : reportText(judged, io))
    return 0
  } finally {
    await agent.close()
  }
}

/** A shell line, or `{"tool", "args"}`. */
function parseCall(text: string): Parameters<Agent['policy']['judge']>[0] {
  if (!text.trimStart().startsWith('{')) return callOf(text)
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (cause) {
    throw new WritError('USAGE.call', { text }, { cause })
  }
  const parsed = toolCall.safeParse(raw)
  if (!parsed.success) throw new WritError('USAGE.call', { text })
  return parsed.data
}

function report({ call, facts, judgement }: JudgedCall, intent: TaskIntent | undefined) {
  const objections = judgement.decision === 'allow' ? [] : judgement.objections
  return { call, decision: judgement.decision, rule: judgement.rule ?? null, objections, facts, intent: intent ?? null }
}

/** The reasons of built-in rules are recorded in English. */
function reasonIn({ layer, reason }: DecidingRule, lang: Lang): { reason?: string } {
  const builtIn = layer === 'built-in' ? BUILT_IN_RULES.find((rule) => rule.reason === reason) : undefined
  return present({ reason: builtIn && reasonOf(builtIn, lang) })
}

function reportText({ call, facts, judgement }: JudgedCall, io: Io): string {
  const texts = policyTexts(io.lang)
  const paint = { stream: process.stdout }
  const colour = { allow: 'green', ask: 'yellow', deny: 'red' } as const
  const { decision, rule } = judgement
  const uses = facts.command?.uses ?? []
  const objections = decision === 'allow' ? [] : judgement.objections
  const shown = call.tool === 'shell' ? String((call.args as { command?: unknown }).command) : JSON.stringify(call)
  return `${[
    texts.call({ call: oneLine(shown) }),
    texts.decided({ decision: styleText(colour[decision], texts.decision[decision], paint) }),
    rule === undefined ? texts.noRule : texts.rule({ rule: ruleText({ ...rule, ...reasonIn(rule, io.lang) }) }),
    texts.risk({ risk: facts.risk, family: facts.family }),
    ...(uses.length === 0 ? [] : [texts.commands]),
    ...uses.map((use) => texts.command({ words: oneLine(use.words.join(' ')), class: use.class })),
    ...(objections.length === 0 ? [] : [texts.objections]),
    ...(objections.length === 0
      ? []
      : [textTable(objections.map(({ stage, reason, message }) => [`  ${stage}`, reason, oneLine(message)]))]),
  ].join('\n')}\n`
}
