import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WritError } from '../../errors/writ-error.ts'
import { type Process, processesOf, readProcess } from '../machine.ts'
import type { ActingOn, Executor } from './executor.ts'
import { codeOf, demandOpen } from './page-cache.ts'

/** Of what the group holds; the kernel takes what was not used lately first. */
const SHARE = 4
const PAGE = 4096

/** Asks the kernel to take back what the process has not used lately; it never loses anything by it. */
export const releaseMemory: Executor = async (target, on) => {
  const { texts, machine } = on
  const { proc } = machine
  if (proc === undefined) throw new WritError('ACTION_UNAVAILABLE.linux')
  if (target === null) throw new WritError('ACTION_TARGET_MISSING.none', { action: 'ReleaseMemory' })
  const processes = await processesOf(target, machine)
  const [first] = processes
  if (first === undefined) throw new WritError('ACTION_TARGET_MISSING.process', { target })
  for (const { exe } of processes) await demandOpen(exe, on)
  const done = (await reclaimGroup(processes, proc, on)) ?? (await reclaimProcess(first, proc))
  if (done === undefined) throw new WritError('ACTION_UNAVAILABLE.reclaim')
  return texts.released({ target, ...done })
}

interface Released {
  bytes: number
  left: number
}

/** cgroup v2. A group is reclaimed as a whole, so it must hold nothing but the target. */
async function reclaimGroup(processes: readonly Process[], proc: string, on: ActingOn): Promise<Released | undefined> {
  const [first] = processes
  const folder = first === undefined ? undefined : await groupFolder(first, proc)
  if (folder === undefined) return undefined
  const held = await heldBy(join(folder, 'memory.current'))
  if (held === undefined) return undefined
  const members = (await readFile(join(folder, 'cgroup.procs'), 'utf8')).split('\n').filter((line) => line !== '')
  for (const pid of members) {
    const member = await readProcess(proc, Number(pid), on.machine.uid)
    if (member === undefined || !processes.some(({ exe }) => exe === member.exe)) {
      throw new WritError('ACTION_UNAVAILABLE.sharedGroup', { group: folder })
    }
  }
  try {
    await writeFile(join(folder, 'memory.reclaim'), String(Math.ceil(held / SHARE)), { flag: 'r+' })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return undefined
    // EAGAIN: less than asked for was found; what was found is measured below.
    if (code !== 'EAGAIN') throw notPermitted(first, code)
  }
  const left = (await heldBy(join(folder, 'memory.current'))) ?? held
  return { bytes: Math.max(0, held - left), left }
}

function notPermitted(each: Process | undefined, why: string): WritError {
  return new WritError('ACTION_NOT_PERMITTED', { target: each?.exe ?? '', why })
}

async function groupFolder({ pid }: Process, proc: string): Promise<string | undefined> {
  const [groups, mounts] = await Promise.all([
    readFile(join(proc, String(pid), 'cgroup'), 'utf8'),
    readFile(join(proc, 'self', 'mountinfo'), 'utf8'),
  ])
  const group = /^0::(\/.+)$/m.exec(groups)?.[1]
  const mount = mounts
    .split('\n')
    .find((line) => / - cgroup2 /.test(line))
    ?.split(' ')[4]
  // The root group belongs to everybody, and the kernel offers no reclaim for it.
  if (group === undefined || mount === undefined || group.split('/').includes('..')) return undefined
  return join(mount, group)
}

async function heldBy(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  const bytes = Number(text)
  return text === undefined || Number.isNaN(bytes) ? undefined : bytes
}

/** Some kernels, Android's among them, can reclaim one process's file pages. */
async function reclaimProcess(each: Process, proc: string): Promise<Released | undefined> {
  const folder = join(proc, String(each.pid))
  const before = await resident(folder)
  try {
    await writeFile(join(folder, 'reclaim'), 'file', { flag: 'r+' })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return undefined
    throw notPermitted(each, code)
  }
  const left = await resident(folder)
  return { bytes: Math.max(0, before - left), left }
}

async function resident(folder: string): Promise<number> {
  const pages = (await readFile(join(folder, 'statm'), 'utf8')).split(' ')[1]
  return Number(pages ?? 0) * PAGE
}
