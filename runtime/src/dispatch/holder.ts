/** Names of lease holders. Other processes on the machine can tell from a name that its process is gone. */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { fingerprint } from '../base/hash.ts'
import { randomIds } from '../base/id.ts'
import { isAlive } from '../base/process.ts'

/** Two containers may share a host name and process ids: the boot id and the pid namespace tell them apart. */
function machineOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return fingerprint([boot, readlinkSync('/proc/self/ns/pid')]).slice(0, 16)
  } catch {
    return fingerprint([hostname(), process.platform]).slice(0, 16)
  }
}

let machine: string | undefined

export function newHolder(): string {
  machine ??= machineOf()
  return [machine, process.pid, randomIds('hold')].join('/')
}

/** True only when it is certain: the process ran on this machine and no longer exists. */
export function isGone(holder: string): boolean {
  machine ??= machineOf()
  const [where, pid] = holder.split('/')
  return where === machine && /^\d+$/.test(pid ?? '') && !isAlive(Number(pid))
}
