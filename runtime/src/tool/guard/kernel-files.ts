/**
 * The files through which the kernel takes settings. In the fence the administrator of the machine is still their
 * owner, and bubblewrap does not shut all of them: what is written to `/proc/sys` changes the whole machine.
 */
import { lstatSync, readdirSync } from 'node:fs'
import { WritError } from '../../base/errors.ts'

/** Shut even where this machine does not show them yet. */
const OFTEN = ['sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'driver', 'mtrr', 'dynamic_debug']
/** The first is shut in any case; the second takes nothing, and numbers the programs of the fence. */
const LEFT = new Set(['sys', 'sysvipc'])
const WORD = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/g

/** Throws rather than start a command that could write to them. */
export function withoutKernelSettings(line: string): string {
  const words = [...line.matchAll(WORD)]
  const last = words.findIndex(([word]) => word === '--')
  const at = words.findIndex(([word], i) => word === '--proc' && words[i + 1]?.[0] === '/proc')
  const place = words[at + 1]
  if (at < 0 || at > last || place === undefined)
    throw new WritError('SANDBOX_FULL', 'the sandbox has no way to hold the settings of the kernel shut')
  const end = place.index + place[0].length
  return line.slice(0, end) + mounts() + line.slice(end)
}

let known: string | undefined

function mounts(): string {
  const others = [...new Set([...OFTEN, ...writable()])].map((name) => ` --ro-bind-try /proc/${name} /proc/${name}`)
  known ??= ` --ro-bind /proc/sys /proc/sys${others.join('')}`
  return known
}

/** Folders, whatever is in them, and files that take something. Links lead into the fence's own processes. */
function writable(): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^[a-z][\w-]*$/.test(name) || LEFT.has(name)) return false
    const stat = lstatSync(`/proc/${name}`, { throwIfNoEntry: false })
    return stat?.isDirectory() === true || (stat?.isFile() === true && (stat.mode & 0o222) !== 0)
  })
}
