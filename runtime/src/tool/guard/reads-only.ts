/** Whether a line for a shell does nothing but read, wherever it would run: of git and others, that depends on the place. */
import { isPureReader, shellUses } from './command-classes.ts'
import { readShell } from './commands.ts'
import { shellDangers } from './dangers.ts'
import { callDoubts, shellHosts } from './shell-hosts.ts'

/** With options that do not write or run anything, which their class tells. */
const READERS = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ls', 'find', 'sort', 'uniq', 'cut', 'diff'])
/** Where it starts is not known: only writing depends on that. */
const ANYWHERE = { cwd: '/', workspace: '/' }

export function readsOnly(line: string): boolean {
  const reading = readShell(line)
  const uses = shellUses(reading, ANYWHERE)
  return (
    uses.length > 0 &&
    uses.every(
      ({ words: [name = ''], class: is, unknownFrom }) =>
        is === 'read' && unknownFrom === undefined && (isPureReader(name) || READERS.has(name)),
    ) &&
    [reading.unparsed, callDoubts(reading), shellHosts(reading), shellDangers(reading)].every(
      (doubts) => doubts.length === 0,
    )
  )
}
