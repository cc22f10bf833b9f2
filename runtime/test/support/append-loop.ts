/** A worker to be killed or raced: stores steps of four events, and says after each which event is safe by now. */
import { systemClock } from '../../src/base/clock.ts'
import { RunLog } from '../../src/journal/journal.ts'
import { openStore, type StoreLocation } from '../../src/storage/open.ts'

const [location = '', runId = '', steps = 'Infinity'] = process.argv.slice(2)
const store = await openStore(JSON.parse(location) as StoreLocation)
const place = { runId, sessionId: 'session', turnId: 'turn', scoutId: null, mode: 'chat' } as const
const log = new RunLog({ store, clock: systemClock, redact: (value) => value }, place)
for (let step = 0; step < Number(steps); step++) {
  for (let i = 0; i < 3; i++) log.note('turn.started', { input: `step ${step}, part ${i}` })
  const { seq } = log.note('window.trimmed', { dropped: step, kept: 4 })
  await log.flush()
  process.stdout.write(`${seq}\n`)
}
await store.close()
