/** When a run of the tests is killed, its workers and what they have started end too. */
import { onParentGone } from '../../bin/launch.js'
import { groupOf, processesBelow } from './chromium.ts'

const watched = Symbol.for('writ.orphans')
const known = globalThis as { [watched]?: true }

if (known[watched] === undefined) {
  known[watched] = true
  onParentGone(process.ppid, () => {
    const group = groupOf(process.pid)
    // Databases are in groups of their own: they notice by themselves, and tidy up.
    for (const pid of processesBelow(process.pid)) if (groupOf(pid) === group) process.kill(pid, 'SIGKILL')
    process.kill(process.pid, 'SIGKILL')
  })
}
