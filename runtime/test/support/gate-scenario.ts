/** Runs in which some texts were read and a call is proposed, for tests of the gate. */

import { PROFILES } from '../../src/agent/profile.ts'
import { judge } from '../../src/gate/gate.ts'
import type { Deed, Facts, TargetFact } from '../../src/protocol/facts.ts'
import type { ToolFamily } from '../../src/protocol/intent.ts'
import type { Message } from '../../src/protocol/message.ts'
import type { Policy } from '../../src/protocol/policy.ts'
import type { DeedDone, Origin } from '../../src/protocol/state.ts'
import { policyWith, toolInput } from './gate-input.ts'

export interface Read {
  text: string
  tool?: string
  args?: unknown
  trust?: Origin['trust']
  family?: ToolFamily
  inspection?: Origin['inspection']
  refused?: true
}

export interface Scenario {
  task: string
  tool?: string
  args?: Record<string, unknown>
  /** What the model answered before this run, in a conversation whose readings are not known any more. */
  answered?: string
  /** A memory in the prompt, written by a run that had read untrusted texts. */
  remembered?: string
  reads?: Read[]
  later?: string
  deed?: Deed
  targets?: TargetFact[]
  facts?: Partial<Facts>
  deeds?: DeedDone[]
  security?: Partial<Policy['security']>
  lang?: 'en' | 'zh'
  human?: boolean
}

/** A run in which some texts were read, and now a call is proposed. */
export function judged(scenario: Scenario) {
  const {
    task,
    reads = [],
    later,
    deed,
    targets = [],
    facts,
    deeds = [],
    security,
    lang = 'en',
    human = true,
  } = scenario
  const history: Message[] =
    scenario.answered === undefined
      ? []
      : [
          { role: 'user', content: 'Look into it.' },
          { role: 'assistant', content: scenario.answered },
        ]
  const messages: Message[] = [...history, { role: 'user', content: task }]
  const origins: Origin[] = []
  const recalled = scenario.remembered === undefined ? [] : [{ own: '', retold: scenario.remembered }]
  for (const [i, read] of reads.entries()) {
    const callId = `call_${i}`
    const { tool = 'read_doc', args = {}, trust = 'external', inspection = 'pass', refused, family = 'unknown' } = read
    messages.push({ role: 'assistant', content: '', calls: [{ id: callId, tool, args }] })
    messages.push({ role: 'tool', callId, tool, content: read.text })
    origins.push({ callId, tool, trust, inspection, family, ...(refused === undefined ? {} : { refused }) })
  }
  if (later !== undefined) messages.push({ role: 'user', content: later })
  const judgement = judge(
    toolInput({
      tool: scenario.tool ?? 'act',
      ...(scenario.args === undefined ? {} : { proposal: { args: scenario.args } }),
      policy: policyWith({ security: { autonomy: 'Full', ...security } }),
      state: { messages, origins, recalled, deeds, lang, task, given: { history } },
      profile: human ? PROFILES.chat : PROFILES.routine,
      facts: {
        family: 'unknown',
        risk: 'Medium',
        readOnly: false,
        targets,
        ...(deed === undefined ? {} : { deed }),
        ...facts,
      },
    }),
  )
  return judgement.decision === 'allow'
    ? 'allow'
    : `${judgement.decision} ${/\[(?:rule|规则): (\w+)\]/.exec(judgement.denial.message)?.[1] ?? judgement.denial.reason}`
}

export const mail = (value: string): TargetFact => ({ kind: 'email', value })
export const iban = (value: string): TargetFact => ({ kind: 'account', value })
export const id = (value: string): TargetFact => ({ kind: 'name', value })

/** A call of a tool of its own name. */
export const called = (tool: string, scenario: Scenario) => judged({ ...scenario, tool })
