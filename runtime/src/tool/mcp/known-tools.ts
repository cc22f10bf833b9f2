/**
 * What each server's tools were when its user first had them, and what they are now. A tool whose description is
 * rewritten later can steer the model; so only the accepted words are shown, and any other is asked about.
 */
import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { WritError } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { writePrivately } from '../../base/private-file.ts'
import { type Definition, markOf } from './definition.ts'

export interface KnownTool {
  /** Null: it came after the server was first met. */
  accepted: Definition | null
  /** Null: the server has it no more. */
  seen: Definition | null
}

export interface Known {
  v: 1
  /** Changes with the command or the address: another server under the same name is met anew. */
  origin: string
  seenAt: number
  tools: Record<string, KnownTool>
}

const record = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
const definition = z
  .strictObject({ name: z.string(), description: z.string(), schema: record, annotations: record })
  .nullable()
const known = z.strictObject({
  v: z.literal(1),
  origin: z.string(),
  seenAt: z.number(),
  tools: z.record(z.string(), z.strictObject({ accepted: definition, seen: definition })),
})

/** The first meeting is taken as accepted; every later one is only noted beside it. */
export function meet(
  before: Known | undefined,
  definitions: readonly Definition[],
  at: { origin: string; now: number },
): Known {
  const earlier = before?.origin === at.origin ? before : undefined
  const tools: Record<string, KnownTool> = {}
  for (const [name, tool] of Object.entries(earlier?.tools ?? {})) tools[name] = { ...tool, seen: null }
  for (const seen of definitions) {
    const accepted = earlier === undefined ? seen : (earlier.tools[seen.name]?.accepted ?? null)
    tools[seen.name] = { accepted, seen }
  }
  return { v: 1, origin: at.origin, seenAt: at.now, tools }
}

export function isChanged({ accepted, seen }: KnownTool): boolean {
  return seen !== null && (accepted === null || markOf(accepted) !== markOf(seen))
}

export async function recall(file: string): Promise<Known | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unreadable(file, error)
  }
  try {
    return known.parse(JSON.parse(text))
  } catch (error) {
    throw unreadable(file, error)
  }
}

// Meeting the server anew instead would accept whatever its tools have become.
function unreadable(file: string, cause: unknown): WritError {
  return new WritError('MCP_MEMORY_UNREADABLE', `${file} cannot be read`, {
    hint: 'Delete it to accept the tools of this server as they are now.',
    cause,
  })
}

export async function remember(file: string, value: Known): Promise<void> {
  await writePrivately(file, `${JSON.stringify(value, null, 2)}\n`)
}
