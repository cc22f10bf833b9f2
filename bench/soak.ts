/** `npm run soak [-- TURNS]`: five thousand turns of random failures from a new seed, ten minutes; prints a report. */
import { soak } from '../runtime/test/soak/soak.ts'

const turns = Number(process.argv[2] ?? 5000)
const seed = Date.now() % 1_000_000
console.log(`seed ${seed}, ${turns} turns`)
const report = await soak({ turns, seed })
console.log(JSON.stringify(report, undefined, 2))
const { thrown, unhandled, breaches, lost, leftover } = report
const clean = thrown.length + unhandled.length + breaches + lost + leftover.processes + leftover.handles === 0
process.exitCode = clean ? 0 : 1
