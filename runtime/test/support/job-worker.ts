/** A worker to be killed: takes one job, says so, and never finishes it. */
import { pgBossDispatcher } from '../../src/dispatch/pg-boss.ts'

const dispatcher = await pgBossDispatcher(process.argv[2] ?? '')
await dispatcher.work(
  async (job) => {
    process.stdout.write(`has ${job.sessionId}\n`)
    await new Promise(() => {})
  },
  { atOnce: 1 },
)
setInterval(() => {}, 1000)
