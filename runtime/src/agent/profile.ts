/** The five uses of the one loop, and the loops of outside agents. What differs between them is here, as data. */
import type { Profile } from '../protocol/profile.ts'

/** Tools hidden from a main run: a scout's report, and agents inside agents. */
const INNER_TOOLS = ['report_findings', 'search_docs', 'read_doc', 'agent_core', 'context_prepare', 'context_persist']

const CHAT = {
  mode: 'chat',
  dialect: 'native',
  limits: { maxSteps: 10 },
  taskIntent: 'detected',
  routing: true,
  exposure: { hidden: INNER_TOOLS },
  maxAutoRisk: 'by-autonomy',
  human: true,
  onToolFailure: 'feedback',
  atToolLimit: 'none',
  observationMaxLen: 32_000,
  historyMessages: 50,
} as const satisfies Profile

export const PROFILES = {
  chat: CHAT,
  /** A chat without a person to ask. */
  routine: { ...CHAT, mode: 'routine', human: false },
  workflow: {
    mode: 'workflow',
    dialect: 'json',
    limits: { maxSteps: 5, maxToolCalls: 10, runMs: 120_000, callMs: 30_000, tokens: { budget: 0, mode: 'soft' } },
    taskIntent: 'general',
    routing: false,
    exposure: { only: [], hidden: [] },
    maxAutoRisk: 'Medium',
    human: false,
    onToolFailure: 'repair_once',
    atToolLimit: 'stop',
    observationMaxLen: 256,
    historyMessages: 50,
  },
  scout: {
    mode: 'scout',
    dialect: 'native',
    limits: { maxSteps: 4, maxToolCalls: 3, runMs: 12_000, tokens: { budget: 8_000, mode: 'hard' } },
    taskIntent: 'general',
    routing: false,
    exposure: { only: ['search_docs', 'read_doc', 'report_findings'], hidden: [] },
    maxAutoRisk: 'Low',
    human: false,
    onToolFailure: 'retry_once_then_fail',
    atToolLimit: 'report',
    reportNeedsRead: true,
    observationMaxLen: 4_000,
    historyMessages: 50,
  },
  decision: {
    mode: 'decision',
    dialect: 'native',
    limits: { maxSteps: 1 },
    taskIntent: 'general',
    routing: false,
    exposure: { only: [], hidden: [] },
    maxAutoRisk: 'by-decision',
    human: false,
    onToolFailure: 'record',
    atToolLimit: 'none',
    observationMaxLen: 4_000,
    historyMessages: 0,
  },
  /** An outside agent: it has its own loop and limits, and its calls are judged here. */
  guard: {
    ...CHAT,
    mode: 'guard',
    limits: { maxSteps: Number.MAX_SAFE_INTEGER },
    taskIntent: 'general',
    exposure: { hidden: [] },
  },
} as const satisfies Record<Profile['mode'], Profile>
