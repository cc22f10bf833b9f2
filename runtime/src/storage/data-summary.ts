/** What Writ would do with a data folder, for the question whether to adopt it. */
import { canonical, isObject } from '../base/json.ts'
import type { Database } from './database.ts'

/** What is in a data folder. */
export interface DataSummary {
  runs: number
  openRuns: { runId: string; task: string }[]
  /** Calls that wait for approval. */
  questions: { runId: string; tool: string }[]
  /** Standing approvals of any session. */
  approvals: string[]
  routines: { name: string; schedule: string; task: string }[]
  tokens: { name: string; scopes: string }[]
  memories: number
}

export const NOTHING: DataSummary = {
  runs: 0,
  openRuns: [],
  questions: [],
  approvals: [],
  routines: [],
  tokens: [],
  memories: 0,
}

/** Over-reports on purpose: a revoked approval is still listed. */
export async function summarise(db: Database): Promise<DataSummary> {
  const { sql } = db
  const runs = await db.query(sql.selectFrom('runs').select(['run_id', 'stopped_at']).compile())
  const open = runs.filter((run) => run.stopped_at === null).map((run) => run.run_id)
  const types = ['run.started', 'confirm.asked', 'confirm.answered'] as const
  const events = await db.query(
    sql.selectFrom('events').select(['run_id', 'type', 'data']).where('type', 'in', types).orderBy('pos').compile(),
  )
  const facts = events.map(({ run_id, type, data }) => ({ runId: run_id, type, data: parsed(data) }))
  const routines = await db.query(sql.selectFrom('routines').select(['name', 'schedule', 'task']).compile())
  const tokens = await db.query(
    sql.selectFrom('tokens').select(['name', 'scopes']).where('revoked_at', 'is', null).compile(),
  )
  const memories = await db.query(sql.selectFrom('memories').select('id').compile())
  return {
    runs: runs.length,
    openRuns: open.map((runId) => ({ runId, task: taskOf(facts, runId) })),
    questions: open.flatMap((runId) => questionOf(facts, runId)),
    approvals: [...new Set(facts.flatMap(approvalsIn))].sort(),
    routines: routines.map((routine) => ({ ...routine, task: textOf(routine.task) })),
    tokens,
    memories: memories.length,
  }
}

interface Fact {
  runId: string
  type: string
  data: Record<string, unknown>
}

function taskOf(facts: readonly Fact[], runId: string): string {
  const started = facts.find((fact) => fact.runId === runId && fact.type === 'run.started')
  return String(started?.data.task ?? '')
}

function questionOf(facts: readonly Fact[], runId: string): DataSummary['questions'] {
  const last = facts.findLast((fact) => fact.runId === runId)
  const question = last?.type === 'confirm.asked' && isObject(last.data.question) ? last.data.question : undefined
  return question === undefined ? [] : [{ runId, tool: String(question.tool ?? '') }]
}

function approvalsIn({ type, data }: Fact): string[] {
  const keys = type === 'run.started' ? data.approvals : data.answer === 'a' ? data.keys : undefined
  const { remembered } = data
  const rules = type === 'run.started' ? data.rules : isObject(remembered) ? remembered.rules : undefined
  return [...(Array.isArray(keys) ? keys.map(String) : []), ...(Array.isArray(rules) ? rules.map(canonical) : [])]
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function textOf(json: string): string {
  try {
    return String(JSON.parse(json))
  } catch {
    return json
  }
}
