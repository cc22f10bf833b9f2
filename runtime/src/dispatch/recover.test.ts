import { expect, test } from 'vitest'
import { engineWith, saying } from '../../test/support/engine.ts'
import { until } from '../../test/support/until.ts'
import { PROFILES } from '../agent/profile.ts'
import { startTurn } from '../agent/turn.ts'
import { drain } from '../base/wait.ts'
import { WritError } from '../errors/writ-error.ts'
import { leasesOn } from '../storage/leases.ts'
import { openDatabase, storeOn } from '../storage/open.ts'
import { abandonedSessions, leaseOfSession } from './lease.ts'
import { recover } from './recover.ts'

test('a run that cannot be resumed is reported once, not every two seconds', async () => {
  const db = await openDatabase({ kind: 'memory' })
  const store = storeOn(db)
  const engine = await engineWith({ store, model: saying([]) })
  const turn = startTurn(engine, {
    task: 'interrupted',
    sessionId: 'ses_1',
    profile: PROFILES.chat,
    signal: new AbortController().signal,
    confirm: undefined,
    stream: false,
  })
  // As far as the first event that is stored, and no further.
  while ((await store.listRuns({ open: true })).length === 0) await turn.next()
  const leases = leasesOn(db)
  await leases.take(leaseOfSession('ses_1'), { holder: 'gone:1', forMs: 1 })
  await until(async () => (await abandonedSessions(leases)).length === 1)

  const reports: unknown[] = []
  let looks = 0
  const list = () => {
    looks++
    return leases.list()
  }
  const worker = recover({
    leases: { ...leases, list },
    tell: (news) => reports.push('error' in news ? news.error : 'resumed'),
    performer: {
      store,
      drive: (_, work) => drain(work(new AbortController().signal)),
      // biome-ignore lint/correctness/useYield: it fails before its first event
      async *resume() {
        throw new WritError('WORKFLOW_MASKED')
      },
    },
  })
  await until(() => reports.length === 2 && looks > 2)
  await worker.stop(1000)
  expect(reports).toEqual(['resumed', expect.objectContaining({ code: 'WORKFLOW_MASKED' })])
  await db.close()
})
