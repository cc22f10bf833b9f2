/**
 * Each server's tools as they were accepted at first use, and as they are now. A description that is rewritten later
 * could steer the model: the model sees only the accepted one, and calls to a changed tool need approval.
 */
import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import type { JsonObject } from '../../base/json.ts'
import { writePrivately } from '../../base/private-file.ts'
import { WritError } from '../../errors/writ-error.ts'
import { type Definition, isSame } from './definition.ts'

export interface KnownTool {
  /** Null: the tool appeared after first use. */
  accepted: Definition | null
  /** Null: the server no longer has it. */
  seen: Definition | null
}

export interface Known {
  v: 1
  /** Changes with the command or the address: another server under the same name starts from scratch. */
  origin: string
  seenAt: number
  tools: Record<string, KnownTool>
}

const record = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
const definition = z
  .strictObject({
    name: z.string(),
    description: z.string(),
    schema: record,
    annotations: record,
    more: z
      .strictObject({ title: z.string().optional(), inputSchema: record, outputSchema: record.optional() })
      .optional(),
  })
  .nullable()
const known = z.strictObject({
  v: z.literal(1),
  origin: z.string(),
  seenAt: z.number(),
  tools: z.record(z.string(), z.strictObject({ accepted: definition, seen: definition })),
})

/** The first listing counts as accepted. Later ones are only recorded next to it. */
export function mergeDefinitions(
  before: Known | undefined,
  definitions: readonly Definition[],
  at: { origin: string; now: number },
): Known {
  const earlier = before?.origin === at.origin ? before : undefined
  const tools: Record<string, KnownTool> = {}
  for (const [name, tool] of Object.entries(earlier?.tools ?? {})) tools[name] = { ...tool, seen: null }
  for (const seen of definitions) {
    const before = earlier?.tools[seen.name]?.accepted ?? null
    const isOlder = before !== null && before.more === undefined && isSame(before, seen)
    const accepted = earlier === undefined || isOlder ? seen : before
    tools[seen.name] = { accepted, seen }
  }
  return { v: 1, origin: at.origin, seenAt: at.now, tools }
}

export function isChanged({ accepted, seen }: KnownTool): boolean {
  return seen !== null && (accepted === null || !isSame(accepted, seen))
}

export async function readKnown(file: string): Promise<Known | undefined> {
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

// Starting from scratch instead would accept whatever the tools have become.
function unreadable(file: string, cause: unknown): WritError {
  return new WritError('MCP_MEMORY_UNREADABLE', { file }, { cause })
}

export async function writeKnown(file: string, value: Known): Promise<void> {
  await writePrivately(file, `${JSON.stringify(value, null, 2)}\n`)
}
