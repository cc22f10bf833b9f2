/** Names for those who hold leases, from which others on the same machine can see that they are gone. */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { fingerprint } from '../base/hash.ts'
import { randomIds } from '../base/id.ts'

/** Two containers may share a host name and count their processes from 1: the kernel's own names tell them apart. */
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

/** True only when it is certain: a process of this machine that is no more. */
export function isGone(holder: string): boolean {
  machine ??= machineOf()
  const [where, pid] = holder.split('/')
  if (where !== machine || !/^\d+$/.test(pid ?? '')) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
