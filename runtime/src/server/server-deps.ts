/** Dependencies of the endpoints. */
import type { Lang } from '../i18n/locale.ts'
import type { Store } from '../journal/store.ts'
import type { Leases } from '../storage/leases.ts'
import type { SessionTitles } from '../storage/session-titles.ts'
import type { Access } from './access.ts'
import type { CurrentAgent } from './current-agent.ts'
import type { Jobs } from './jobs.ts'
import type { LiveRuns } from './live-runs.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Keyring } from './tokens.ts'

export interface ServerDeps {
  current: CurrentAgent
  /** For reading; every agent writes to the same store. */
  store: Store
  liveRuns: LiveRuns
  jobs: Jobs
  /** Which worker holds which session, in all processes. */
  leases: Leases
  keyring: Keyring
  access: Access
  titles: SessionTitles
  /** Deletes a conversation with everything made in it. */
  erase(sessionId: string): Promise<{ runs: number }>
  log: Log
  metrics: Metrics
  /** The server's language, for requests without a preference. */
  lang: Lang
  version: string
  startedAt: number
  /** Folder of the stored workflows. */
  workflows: string
}
