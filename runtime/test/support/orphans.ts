/** When a run of the tests is killed, its workers and what they have started end too. */
import { groupOf, killAll, processesBelow } from './chromium.ts'

const watched = Symbol.for('writ.orphans')
const known = globalThis as { [watched]?: true }

if (known[watched] === undefined) {
  known[watched] = true
  // Vitest ends a worker whose message to the killed run fails, often before it hears that the run is gone.
  process.once('exit', endAllBelow)
  // Vitest ends a worker by this signal, and lets no test exit. What removes its files does so on exit.
  process.once('SIGTERM', () => {
    process.emit('exit', 0)
    process.kill(process.pid, 'SIGKILL')
  })
  process.once('disconnect', () => {
    endAllBelow()
    process.kill(process.pid, 'SIGKILL')
  })
}

/** Databases are in groups of their own: they notice by themselves, and tidy up. */
function endAllBelow(): void {
  const group = groupOf(process.pid)
  killAll(processesBelow(process.pid).filter((pid) => groupOf(pid) === group))
}
