/**
 * Makes the kernel's settings files read-only. Root still owns them inside the sandbox, and bubblewrap does not lock
 * all of them: a write to `/proc/sys` changes the whole machine.
 */
import { lstatSync, readdirSync } from 'node:fs'
import { WritError } from '../../errors/writ-error.ts'

/** Locked even if this machine does not have them yet. */
const OFTEN = ['sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'driver', 'mtrr', 'dynamic_debug']
/** `sys` is always locked; `sysvipc` accepts no writes and describes the sandbox's own processes. */
const LEFT = new Set(['sys', 'sysvipc'])
const WORD = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/g

/** Throws rather than start a command that could write to them. */
export function withoutKernelSettings(line: string): string {
  const words = [...line.matchAll(WORD)]
  const last = words.findIndex(([word]) => word === '--')
  const at = words.findIndex(([word], i) => word === '--proc' && words[i + 1]?.[0] === '/proc')
  const place = words[at + 1]
  if (at < 0 || at > last || place === undefined) throw new WritError('SANDBOX_FULL.kernel')
  const end = place.index + place[0].length
  return line.slice(0, end) + mounts() + line.slice(end)
}

let known: string | undefined

function mounts(): string {
  const others = [...new Set([...OFTEN, ...writable()])].map((name) => ` --ro-bind-try /proc/${name} /proc/${name}`)
  known ??= ` --ro-bind /proc/sys /proc/sys${others.join('')}`
  return known
}

/** Folders, and writable files. Links lead to the sandbox's own processes. */
function writable(): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^[a-z][\w-]*$/.test(name) || LEFT.has(name)) return false
    const stat = lstatSync(`/proc/${name}`, { throwIfNoEntry: false })
    return stat?.isDirectory() === true || (stat?.isFile() === true && (stat.mode & 0o222) !== 0)
  })
}
