import { readFile, writeFile } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import { WritError } from '../../errors/writ-error.ts'
import { type Process, processesOf, readProcess } from '../machine.ts'
import type { ActingOn, Executor } from './executor.ts'
import { codeOf, demandOpen } from './page-cache.ts'

/** How much dearer a kept process becomes to the kernel, and how far that may go. */
const OOM_STEP = 300
const OOM_FLOOR = -500
const NICE_STEP = 5
const NICE_FLOOR = -10
const MAX_PROCESSES = 64

/** The kernel kills it later and schedules it sooner, until the window ends; then both are as they were. */
export const keepAlive: Executor = async (target, on) => {
  const { texts, machine } = on
  const { proc } = machine
  if (proc === undefined) {
    throw new WritError('ACTION_UNAVAILABLE.linux')
  }
  if (target === null) throw new WritError('ACTION_TARGET_MISSING.none', { action: 'KeepAlive' })
  const processes = (await processesOf(target, machine)).slice(0, MAX_PROCESSES)
  if (processes.length === 0) throw new WritError('ACTION_TARGET_MISSING.process', { target })
  for (const { exe } of processes) await demandOpen(exe, on)
  const changes: string[] = []
  const refusals = new Set<string>()
  for (const each of processes) {
    for (const [what, change] of CHANGES) {
      try {
        changes.push(`${each.pid}: ${what} ${await change(each, proc, on)}`)
      } catch (error) {
        refusals.add(`${what}: ${codeOf(error)}`)
      }
    }
  }
  const refused = new WritError('ACTION_NOT_PERMITTED', { target, why: [...refusals].join(', ') })
  if (changes.length === 0) throw refused
  const kept = texts.kept({ target, changes })
  return refusals.size === 0 ? kept : `${kept}; ${refused.textIn(on.lang).message}`
}

async function spareFromOom(each: Process, proc: string, on: ActingOn): Promise<string> {
  const file = join(proc, String(each.pid), 'oom_score_adj')
  const before = Number(await readFile(file, 'utf8'))
  const after = Math.max(Math.min(before, OOM_FLOOR), before - OOM_STEP)
  await writeFile(file, String(after), { flag: 'r+' })
  on.undoLater(async () => {
    if (await isStill(each, proc, on)) await writeFile(file, String(before), { flag: 'r+' })
  })
  return `${before} → ${after}`
}

async function schedule(each: Process, proc: string, on: ActingOn): Promise<string> {
  const before = getPriority(each.pid)
  const after = Math.max(Math.min(before, NICE_FLOOR), before - NICE_STEP)
  setPriority(each.pid, after)
  on.undoLater(async () => {
    if (await isStill(each, proc, on)) setPriority(each.pid, before)
  })
  return `${before} → ${after}`
}

const CHANGES = [
  ['oom_score_adj', spareFromOom],
  ['nice', schedule],
] as const

/** Process numbers are used again: what belonged to one must not be put right on another. */
async function isStill({ pid, start }: Process, proc: string, { machine }: ActingOn): Promise<boolean> {
  return (await readProcess(proc, pid, machine.uid))?.start === start
}
