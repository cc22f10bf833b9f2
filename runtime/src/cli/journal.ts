/** Opens the journal for verbs that only read. */
import { loadWorkspace, openDataToRead, type WorkspaceContext } from '../agent/workspace-context.ts'
import { WritError } from '../errors/writ-error.ts'
import type { Store } from '../journal/store.ts'
import type { Leases } from '../storage/leases.ts'
import { hasJournal } from './data.ts'
import type { Given } from './flags.ts'
import type { Io } from './io.ts'
import { workspaceFlags } from './workspace-flags.ts'

/** Never creates a journal: an empty one would verify as intact. */
export async function withJournal(
  given: Given,
  io: Io,
  work: (store: Store, leases: Leases) => Promise<number>,
): Promise<number> {
  const context = await loadWorkspace(workspaceFlags(given, io))
  requireJournal(context)
  const { storeOn } = await import('../storage/open.ts')
  const { leasesOn } = await import('../storage/leases.ts')
  const db = await openDataToRead(context)
  const store = storeOn(db)
  try {
    return await work(store, leasesOn(db))
  } finally {
    await store.close()
  }
}

export function requireJournal(context: WorkspaceContext): void {
  if (!hasJournal(context)) throw new WritError('NO_JOURNAL.here', { folder: context.data ?? '' })
}
