/** The documents of a workspace, in the folders its configuration names. */
import { openData, type WorkspaceContext } from '../agent/workspace-context.ts'
import { systemClock } from '../base/clock.ts'
import { openDocs } from '../context/docs.ts'
import type { Docs } from '../ports/docs.ts'
import type { Database } from '../storage/database.ts'

export function docsOn(db: Database, { loaded, world }: WorkspaceContext): Docs {
  const { docs, security } = loaded.config
  return openDocs({ db, world, roots: docs.roots, blockedPaths: security.blockedPaths, clock: systemClock })
}

/** Without an agent; closing it closes the database too. */
export async function openWorkspaceDocs(context: WorkspaceContext): Promise<Docs> {
  const db = await openData(context)
  const docs = docsOn(db, context)
  return {
    ...docs,
    async close() {
      await docs.close()
      await db.close()
    },
  }
}
