/** When a run of the tests is killed, its workers and what they have started end too. */
import { onParentGone } from '../../bin/launch.js'
import { groupOf, killAll, processesBelow } from './chromium.ts'

const watched = Symbol.for('writ.orphans')
const known = globalThis as { [watched]?: true }

if (known[watched] === undefined) {
  known[watched] = true
  onParentGone(process.ppid, () => {
    const group = groupOf(process.pid)
    // Databases are in groups of their own: they notice by themselves, and tidy up.
    killAll(processesBelow(process.pid).filter((pid) => groupOf(pid) === group))
    process.kill(process.pid, 'SIGKILL')
  })
}
