/**
 * Tools behind their descriptions. What is handed around, and out of the package, only describes a tool; what it does
 * is kept here, and comes out for a writ alone.
 */
import { WritError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { Writ } from '../gate/writ.ts'
import type { ToolProposal } from '../protocol/proposal.ts'
import type { ArgProblem, CallFacts, CallPlace, Outputs, Tool, ToolDescription, Unknowns, World } from './tool.ts'

const TOOLS = new WeakMap<ToolDescription, Tool>()
const SCHEMAS = new WeakMap<JsonObject, JsonObject>()

/** Frozen, with a schema of its own: who is shown a tool cannot change what it is held to. */
export function seal(tool: Tool): ToolDescription {
  const { name, description, schema, family, risk, trust, readOnly, idempotent, resumes, callMs } = tool
  const own = { ...(callMs !== undefined && { callMs }), ...(resumes && { resumes }) }
  const data = { name, description, schema: frozen(schema), family, risk, trust, readOnly, idempotent, ...own }
  const described: ToolDescription = Object.freeze(data)
  TOOLS.set(described, tool)
  return described
}

/** Spends the writ on the tool it was minted for, and on no other. */
export function openWith(
  writ: Writ,
  find: (name: string) => ToolDescription | undefined,
): { proposal: ToolProposal; tool: Tool } {
  const { proposal } = Writ.spend(writ)
  if (proposal.kind !== 'tool') throw new WritError('WRIT_FORGED', 'this writ is for an action, not for a tool')
  const described = find(proposal.tool)
  const tool = described === undefined ? undefined : TOOLS.get(described)
  if (tool === undefined || described?.name !== proposal.tool) {
    throw new WritError('UNKNOWN_TOOL', `there is no tool named "${proposal.tool}"`)
  }
  return { proposal, tool }
}

/** What a call would touch, as the tool says it. */
export async function callFacts(
  described: ToolDescription,
  args: unknown,
  { world, place }: { world: World; place: CallPlace },
): Promise<CallFacts> {
  return (await TOOLS.get(described)?.preValidate?.(args, world, place)) ?? {}
}

/** What of a result is to be inspected. */
export function outsidePart(described: ToolDescription | undefined, text: string): string {
  const tool = described === undefined ? undefined : TOOLS.get(described)
  return tool?.outside?.(text) ?? text
}

/** A result as named values, where the tool has any. */
export function outputsIn(described: ToolDescription | undefined, text: string): Outputs | undefined {
  return described === undefined ? undefined : TOOLS.get(described)?.outputs?.(text)
}

/** What is wrong with arguments beyond their schema, as far as they are known. */
export function problemsWith(described: ToolDescription, args: JsonObject, unknowns: Unknowns): ArgProblem[] {
  return TOOLS.get(described)?.check?.(args, unknowns) ?? []
}

/** The same copy each time: a schema is made ready for checking once, however many registries its tool stands in. */
function frozen(schema: JsonObject): JsonObject {
  const known = SCHEMAS.get(schema)
  if (known !== undefined) return known
  const copy = deepFreeze(structuredClone(schema))
  SCHEMAS.set(schema, copy)
  SCHEMAS.set(copy, copy)
  return copy
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) deepFreeze(part)
  }
  return value
}
