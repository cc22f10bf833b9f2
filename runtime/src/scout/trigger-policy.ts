/**
 * Whether sending scouts would help with a task (S4 §4). Advice only: the gate enforces what is forbidden, and scouts
 * may be sent without a recommendation.
 */
import { present } from '../base/present.ts'
import { clip } from '../base/text.ts'
import { optsOut } from '../gate/opt-out.ts'
import { cooldownLeft } from '../gate/scout-limits.ts'
import type { Lang } from '../i18n/locale.ts'
import { RESCUE, type SessionState } from '../journal/session.ts'
import { COMPARED, COMPARED_PARTS, PLACE_ONWARD } from '../language/comparison.ts'
import type { ScoutGate } from '../protocol/policy.ts'
import type { BudgetProfile, ScoutAdvice } from '../protocol/scout.ts'
import { MAX_TASKS } from './contracts.ts'
import { boundedProfile } from './profile.ts'
import { scoutTexts } from './texts.ts'

const WEAK_TURNS = 2
const TASK_MAX = 300

type Signal = 'compare' | 'verify' | 'lookup'

const SIGNALS: readonly [Signal, RegExp][] = [
  [
    'compare',
    /\b(?:compar(?:e|es|ed|ing|ison)|contrast|difference(?:s)? between|versus|vs\.?)(?![\w-])|比较|对比|比对|区别|差异|异同/iu,
  ],
  [
    'verify',
    /\b(?:verif(?:y|ies|ied|ication)|fact-?check|cross-?check|double-?check|validate (?:the|this|that) claim|is it true|confirm (?:that|whether|if))\b|核验|核实|查证|验证|求证|是否属实|是不是真的|核对/iu,
  ],
  [
    'lookup',
    /\b(?:look (?:it |this |that )?up|find out|search (?:the |our |my )?(?:docs?|documents?|documentation|notes)|according to (?:the |our )?(?:docs?|documents?|documentation)|which documents?|what do(?:es)? the (?:docs?|documents?|documentation|manual|spec) say|cite|with (?:sources|citations|evidence))\b|检索|查阅|查资料|查一下|查文档|文档里|文档中|资料里|资料中|出处|依据|引用原文|哪些文档|哪份文档/iu,
  ],
]

const THOROUGH = /\b(?:thorough(?:ly)?|in depth|in-depth|exhaustive(?:ly)?|in detail)\b|深入|详尽|全面|彻底/iu

export interface PolicyInput {
  task: string
  session: SessionState
  gate: ScoutGate
  maxProfile: BudgetProfile
  lang: Lang
}

export function scoutAdvice({ task, session, gate, maxProfile, lang }: PolicyInput): ScoutAdvice {
  const signal = SIGNALS.find(([, words]) => words.test(task))?.[0]
  const tasks = tasksFor(task, { signal: signal ?? 'lookup', lang })
  const suggested: BudgetProfile = THOROUGH.test(task) ? 'deep' : tasks.length > 1 ? 'normal' : 'light'
  const rescue = session.weak.turns >= WEAK_TURNS && !session.weak.rescued
  const forbidden = prohibition({ task, session, gate })
  return {
    shouldRun: forbidden === undefined && (signal !== undefined || rescue),
    reason: forbidden ?? signal ?? (rescue ? RESCUE : 'no_signal'),
    suggestedTask: tasks[0]?.task ?? '',
    budgetProfile: boundedProfile(suggested, maxProfile),
    tasks,
  }
}

function prohibition({ task, session, gate }: Pick<PolicyInput, 'task' | 'session' | 'gate'>): string | undefined {
  if (!gate.enabled) return 'SCOUT_DISABLED'
  if (optsOut(task)) return 'SCOUT_USER_OPT_OUT'
  const { spent, scouts, turns } = session
  const tokens = spent.inputTokens + spent.outputTokens + scouts.tokens
  if (gate.sessionTokenBudget > 0 && tokens >= gate.sessionTokenBudget) return 'SCOUT_BUDGET_EXHAUSTED'
  const earlier = { turns, tokens, ...present({ scoutTurn: scouts.lastTurn }) }
  return cooldownLeft(earlier, gate.cooldownTurns) > 0 ? 'SCOUT_COOLDOWN' : undefined
}

/** One task per compared subject, otherwise the question itself; in the order they are named. */
function tasksFor(task: string, { signal, lang }: { signal: Signal; lang: Lang }): ScoutAdvice['tasks'] {
  const say = scoutTexts(lang).advised[signal]
  const what = COMPARED.exec(task)?.groups?.what?.replace(PLACE_ONWARD, '') ?? ''
  const parts = signal === 'compare' ? what.split(COMPARED_PARTS).filter((part) => part !== '') : []
  const subjects = parts.length > 1 ? parts.slice(0, MAX_TASKS) : [task.trim()]
  return subjects.map((subject, i) => ({ task: say(clip(subject, TASK_MAX)), priority: subjects.length - i }))
}
