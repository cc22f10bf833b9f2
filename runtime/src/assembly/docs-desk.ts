/** The documents of a workspace, as its configuration says where they are and what may be read. */
import { openData, type Setting } from '../agent/setting.ts'
import { systemClock } from '../base/clock.ts'
import { openDocs } from '../context/docs.ts'
import type { Database } from '../storage/database.ts'
import type { Docs } from '../storage/docs-port.ts'

export function docsOn(db: Database, { loaded, world }: Setting): Docs {
  const { docs, security } = loaded.config
  return openDocs({ db, world, roots: docs.roots, blockedPaths: security.blockedPaths, clock: systemClock })
}

/** For those who have no agent; closing it closes the database too. */
export async function openDocsDesk(setting: Setting): Promise<Docs> {
  const db = await openData(setting)
  const docs = docsOn(db, setting)
  return {
    ...docs,
    async close() {
      await docs.close()
      await db.close()
    },
  }
}
