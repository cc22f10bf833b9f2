/** What the hooks of an agent are answered, in the agent's own form. */

import type { Lang } from '../base/lang.ts'
import { present } from '../base/present.ts'
import { type AgentName, continuing } from './agents.ts'
import type { HookReport } from './hook-event.ts'
import { withContent } from './result-texts.ts'
import { outsideTexts } from './texts.ts'
import type { GuardVerdict, Observed } from './verdict.ts'

/** As `bin/hook-client.js` prints it; the plugin of opencode reads `deny` and `text`. */
export interface HookAnswer {
  exit: 0 | 2
  stdout?: string
  stderr?: string
  deny?: string
  text?: string
}

export const NO_ANSWER: HookAnswer = { exit: 0 }

/** No objection leaves the decision to the agent's own permissions. */
export function answerBefore(
  { agent, name, id }: HookReport,
  verdict: GuardVerdict,
  { lang, data }: { lang: Lang; data: string },
): HookAnswer {
  if (verdict.decision === 'allow') return NO_ANSWER
  const texts = outsideTexts(lang)
  const { message, hint, runId } = verdict
  if (verdict.decision === 'ask' && verdict.isParked !== true) {
    return json({ hookSpecificOutput: decision(name, 'ask', texts.asked({ message, agent })) })
  }
  const reason =
    verdict.isParked === true
      ? texts.parked({ message, agent, run: runId, data, ...present({ continues: continuing(agent, id) }) })
      : texts.denied({ message, agent, hint: hint ?? '' })
  return denial(agent, name, reason, verdict.stops)
}

/** A denial that ends the run also ends the agent's turn, where the agent knows how to. */
export function denial(agent: AgentName, name: string, reason: string, stops: boolean): HookAnswer {
  if (agent === 'opencode') return { exit: 0, deny: reason }
  const end = stops && agent === 'claude' ? { continue: false, stopReason: reason } : {}
  return json({ hookSpecificOutput: decision(name, 'deny', reason), ...end })
}

function decision(hookEventName: string, permissionDecision: 'ask' | 'deny', permissionDecisionReason: string) {
  return { hookEventName, permissionDecision, permissionDecisionReason }
}

/** A result with prompt injection is replaced where the agent allows that; else the turn ends with `answerBatch`. */
export function answerAfter({ agent, name, event }: HookReport, { text }: Observed): HookAnswer {
  if (text === undefined || event.kind !== 'after') return NO_ANSWER
  if (agent === 'opencode') return { exit: 0, text }
  if (event.isFailure) return NO_ANSWER
  if (agent === 'codex') return json({ decision: 'block', reason: text })
  const hookSpecificOutput = { hookEventName: name, updatedToolOutput: withContent(event.response, text) }
  return json({ hookSpecificOutput })
}

/** Claude Code shows the model what a failed call says whatever its hook answers; here, its turn can be ended first. */
export function answerBatch(endsTurn: string | undefined): HookAnswer {
  return endsTurn === undefined ? NO_ANSWER : json({ continue: false, stopReason: endsTurn })
}

function json(value: object): HookAnswer {
  return { exit: 0, stdout: JSON.stringify(value) }
}
