/**
 * Keeps what tools do apart from their descriptions. Only descriptions are passed around and exported; the tool itself
 * is handed out for a writ alone.
 */

import { deepFreeze, type JsonObject } from '../base/json.ts'
import { present } from '../base/present.ts'
import { WritError } from '../errors/writ-error.ts'
import { Writ } from '../gate/writ.ts'
import type { ToolProposal } from '../protocol/proposal.ts'
import type { ArgProblem, CallFacts, CallPlace, Outputs, Tool, ToolDescription, Unknowns, World } from './tool.ts'

const TOOLS = new WeakMap<ToolDescription, Tool>()
const SCHEMAS = new WeakMap<JsonObject, JsonObject>()

/** Frozen, with its own copy of the schema: a caller that sees a description cannot change what the tool checks. */
export function seal(tool: Tool): ToolDescription {
  const { name, description, schema, family, risk, trust, readOnly, idempotent, resumes, callMs, touchesFiles } = tool
  const own = present({ callMs, resumes, touchesFiles })
  const data = { name, description, schema: frozen(schema), family, risk, trust, readOnly, idempotent, ...own }
  const described: ToolDescription = Object.freeze(data)
  TOOLS.set(described, tool)
  return described
}

/** Uses up the writ. Works only for the tool it was minted for. */
export function openWith(
  writ: Writ,
  find: (name: string) => ToolDescription | undefined,
): { proposal: ToolProposal; tool: Tool } {
  const { proposal } = Writ.spend(writ)
  if (proposal.kind !== 'tool') throw new WritError('WRIT_FORGED.notATool')
  const described = find(proposal.tool)
  const tool = described === undefined ? undefined : TOOLS.get(described)
  if (tool === undefined || described?.name !== proposal.tool) {
    throw new WritError('UNKNOWN_TOOL', { tool: proposal.tool })
  }
  return { proposal, tool }
}

/** What the tool's own schema finds in arguments that fit its JSON Schema. */
export async function ownMisfits(described: ToolDescription, args: unknown): Promise<string[]> {
  return (await TOOLS.get(described)?.misfits?.(args)) ?? []
}

/** What a call would touch, according to the tool. */
export async function callFacts(
  described: ToolDescription,
  args: unknown,
  { world, place }: { world: World; place: CallPlace },
): Promise<CallFacts> {
  return (await TOOLS.get(described)?.preValidate?.(args, world, place)) ?? {}
}

/** The part of a result that is to be inspected. */
export function outsidePart(described: ToolDescription | undefined, text: string): string {
  const tool = described === undefined ? undefined : TOOLS.get(described)
  return tool?.outside?.(text) ?? text
}

/** What of the latest result is also inspected by itself. */
export function aloneParts(described: ToolDescription | undefined, text: string): readonly string[] {
  const tool = described === undefined ? undefined : TOOLS.get(described)
  return tool?.alone?.(text) ?? []
}

/** A result as named values, if the tool defines them. */
export function outputsIn(described: ToolDescription | undefined, text: string): Outputs | undefined {
  return described === undefined ? undefined : TOOLS.get(described)?.outputs?.(text)
}

/** Problems with arguments that fit the schema, as far as their values are known. */
export function problemsWith(described: ToolDescription, args: JsonObject, unknowns: Unknowns): ArgProblem[] {
  return TOOLS.get(described)?.check?.(args, unknowns) ?? []
}

/** Returns the same copy each time: a schema is compiled once, however many registries have its tool. */
function frozen(schema: JsonObject): JsonObject {
  const known = SCHEMAS.get(schema)
  if (known !== undefined) return known
  const copy = deepFreeze(structuredClone(schema))
  SCHEMAS.set(schema, copy)
  SCHEMAS.set(copy, copy)
  return copy
}
