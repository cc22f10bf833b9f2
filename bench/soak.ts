/** `npm run soak [-- MINUTES]`: ten minutes of random failures from a new seed; prints a report. */
import { soak } from '../runtime/test/soak/soak.ts'

const minutes = Number(process.argv[2] ?? 10)
const seed = Date.now() % 1_000_000
console.log(`seed ${seed}, ${minutes} minutes`)
const report = await soak({ ms: minutes * 60_000, seed })
console.log(JSON.stringify(report, undefined, 2))
const { thrown, unhandled, breaches, lost, leftover } = report
const clean = thrown.length + unhandled.length + breaches + lost + leftover.processes + leftover.handles === 0
process.exitCode = clean ? 0 : 1
