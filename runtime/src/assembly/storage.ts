/** What an agent keeps: its database, the journal in it, and the heads recorded outside of it. */
import { headsFile, openData, type WorkspaceContext } from '../agent/workspace-context.ts'
import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/id.ts'
import { WritError } from '../errors/writ-error.ts'
import type { AppendListener, Store } from '../journal/store.ts'
import type { Memories } from '../ports/memory.ts'
import type { ActingDatabase } from '../storage/acting.ts'
import { type Leases, leasesOn } from '../storage/leases.ts'
import { storeOn } from '../storage/open.ts'
import { type SessionOwners, sessionOwners } from '../storage/session-owners.ts'
import { recordHeads } from './head-recorder.ts'
import { memoriesOn } from './memories.ts'

export interface AgentStorage {
  db: ActingDatabase
  store: Store
  leases: Leases
  owners: SessionOwners
  /** Also where long-term memory is switched off: people can still list and clear it. */
  memories: Memories
  close(): Promise<void>
}

interface StorageOptions {
  clock: Clock
  newId: IdSource
  onAppend: AppendListener | undefined
  /** Called with a file of the repository that was replaced. */
  onReplaced(file: string): void
}

export async function openStorage(
  context: WorkspaceContext,
  { clock, newId, onAppend, onReplaced }: StorageOptions,
): Promise<AgentStorage> {
  const db = untilClosed(await openData(context, onReplaced))
  const store = storeOn(db)
  if (onAppend !== undefined) store.onAppend(onAppend)
  const { env, loaded } = context
  const places = { file: headsFile(loaded.config, env), command: loaded.config.audit.headsCommand, env }
  const heads = await recordHeads(store, places).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  return {
    db,
    store,
    leases: leasesOn(db),
    owners: sessionOwners(db),
    memories: memoriesOn(db, context, { clock, newId }),
    async close() {
      await heads?.settled()
      await store.close()
    },
  }
}

/** A caller that still uses a closed agent is told so, whatever the database would have said. */
function untilClosed(db: ActingDatabase): ActingDatabase {
  let isClosed = false
  const whileOpen =
    <A extends unknown[], R>(act: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      isClosed ? Promise.reject(new WritError('AGENT_CLOSED')) : act(...args)
  return {
    ...db,
    query: whileOpen(db.query) as typeof db.query,
    queryHastily: whileOpen(db.queryHastily) as typeof db.queryHastily,
    transact: whileOpen(db.transact) as typeof db.transact,
    async close() {
      isClosed = true
      await db.close()
    },
  }
}
