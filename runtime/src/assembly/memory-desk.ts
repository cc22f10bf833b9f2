/** Long-term memory for people: there to be looked at and cleared, also where agents may not use it. */
import { openData, type Setting } from '../agent/setting.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { type IdSource, randomIds } from '../base/id.ts'
import { openMemories } from '../context/memory.ts'
import type { ActingDatabase } from '../storage/acting.ts'
import { memoryArchive } from '../storage/memory-archive.ts'
import type { Memories } from '../storage/memory-port.ts'
import { inspect } from '../tool/inspect/inspect.ts'

export function memoriesOn(
  db: ActingDatabase,
  { redact }: Setting,
  { clock = systemClock, newId = randomIds }: { clock?: Clock; newId?: IdSource } = {},
): Memories {
  return openMemories({ archive: memoryArchive(db), inspect, redact, clock, newId })
}

/** For those who have no agent; the caller closes it. */
export async function openMemoryDesk(setting: Setting): Promise<Memories & { close(): Promise<void> }> {
  const db = await openData(setting)
  return { ...memoriesOn(db, setting), close: () => db.close() }
}
