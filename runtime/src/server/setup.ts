/** What every endpoint may use. */
import type { Lang } from '../i18n/locale.ts'
import type { Store } from '../journal/store.ts'
import type { Leases } from '../storage/leases.ts'
import type { Access } from './access.ts'
import type { Desk } from './desk.ts'
import type { Hub } from './hub.ts'
import type { Jobs } from './jobs.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Keyring } from './tokens.ts'

export interface Setup {
  desk: Desk
  /** The journal, for reading; every agent of the desk writes to the same. */
  store: Store
  hub: Hub
  jobs: Jobs
  /** Who works on what, in any process. */
  leases: Leases
  keyring: Keyring
  access: Access
  log: Log
  metrics: Metrics
  /** The server's own, for those who ask for none. */
  lang: Lang
  version: string
  startedAt: number
  /** Where workflows are kept. */
  workflows: string
}
