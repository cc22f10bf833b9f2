/**
 * A call of an outside agent, settled like any other. Its tool does not act: with the writ it tells the agent that it
 * may act, and its result is what the agent reports.
 */

import { isObject, type JsonObject } from '../base/json.ts'
import { orAborted } from '../base/wait.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Question } from '../protocol/verdict.ts'
import { Registry } from '../tool/registry.ts'
import { callFacts } from '../tool/sealed.ts'
import { defineTool } from '../tool/tool.ts'
import { type CallSite, knownTool, type ToolTable } from './known-tool.ts'

/** What the agent says became of a call. */
export interface OutsideResult {
  ok: boolean
  text: string
}

/** What became known first about a proposed call. */
export type Early = { decision: 'allow' } | { decision: 'ask'; question: Question }

export interface OutsideCall {
  id: string
  tool: string
  args: unknown
  /** Resolves once the agent may act, or must ask its user. */
  early: PromiseWithResolvers<Early>
  /** What the agent reports; rejected when it never does. */
  observed: PromiseWithResolvers<OutsideResult>
  isAllowed: boolean
}

/** Deeper than any tool asks for, and far from what the stack allows. */
const MAX_DEPTH = 100

/** What no tool takes: the call is denied, and the journal stays whole. */
const NOT_JSON = '[not JSON, or nested too deeply]'

/** A copy, so that no getter, proxy or later change makes the call another one than was judged. */
export function plainArgs(args: unknown): unknown {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(args))
    return isDeeper(copy, MAX_DEPTH) ? NOT_JSON : copy
  } catch {
    return NOT_JSON
  }
}

function isDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return limit === 0 || Object.values(value).some((inner) => isDeeper(inner, limit - 1))
}

export function openCall(call: Pick<OutsideCall, 'id' | 'tool' | 'args'>): OutsideCall {
  const observed = Promise.withResolvers<OutsideResult>()
  // Marked handled: a call that is denied or asked about is never awaited.
  observed.promise.catch(() => {})
  return { ...call, early: Promise.withResolvers<Early>(), observed, isAllowed: false }
}

const ANY = { type: 'object' } as const

/** Names of agents' tools need not be valid here. */
export function toolName(name: string): string {
  const clean = name.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 64)
  return /^[A-Za-z]/.test(clean) ? clean : `x${clean}`.slice(0, 64)
}

export interface OutsideDeps {
  agent: string
  table: ToolTable
  /** Our own tools, for their facts. */
  ours: Registry
  home: string
  cwd: string
}

/** The registry of one call: it has that call's tool alone. */
export function registryOf(call: OutsideCall, { agent, table, ours, home, cwd }: OutsideDeps): Registry {
  const { family, risk, readOnly, trust, facts } = knownTool(table, call.tool, agent)
  const tool = defineTool<JsonObject>({
    name: toolName(call.tool),
    description: '',
    schema: ANY,
    family,
    risk,
    readOnly,
    trust,
    // Repeating it is the agent's affair, and an allow is stored before it is answered.
    idempotent: false,
    async preValidate(args, world, place) {
      const own: CallSite['own'] = async (name, mapped) => {
        const described = ours.get(name)
        if (described === undefined) throw new WritError('UNKNOWN_TOOL', { tool: name })
        return callFacts(described, mapped, { world, place })
      }
      return (await facts?.(isObject(args) ? (args as JsonObject) : {}, { world, home, cwd, own })) ?? {}
    },
    async execute(_args, { signal }) {
      call.isAllowed = true
      call.early.resolve({ decision: 'allow' })
      const { ok, text } = await orAborted(call.observed.promise, signal)
      return ok ? { ok, text } : { ok, error: text }
    },
  })
  return new Registry([tool])
}
