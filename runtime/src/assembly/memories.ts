/** Long-term memory. People can list and clear it even where agents may not use it. */
import { openData, type WorkspaceContext } from '../agent/workspace-context.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { type IdSource, randomIds } from '../base/id.ts'
import { openMemories } from '../context/memory.ts'
import { inspect } from '../inspect/inspect.ts'
import type { Memories } from '../ports/memory.ts'
import type { ActingDatabase } from '../storage/acting.ts'
import { memoryArchive } from '../storage/memory-archive.ts'

export function memoriesOn(
  db: ActingDatabase,
  { redact }: WorkspaceContext,
  { clock = systemClock, newId = randomIds }: { clock?: Clock; newId?: IdSource } = {},
): Memories {
  return openMemories({ archive: memoryArchive(db), inspect, redact, clock, newId })
}

/** Without an agent; the caller closes it. */
export async function openWorkspaceMemories(context: WorkspaceContext): Promise<Memories & { close(): Promise<void> }> {
  const db = await openData(context)
  return { ...memoriesOn(db, context), close: () => db.close() }
}
