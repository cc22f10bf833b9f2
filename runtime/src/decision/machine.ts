/** The computer decisions act on: its process table and who we are on it. */
import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

export interface Machine {
  /** Where the kernel shows its processes; undefined where it does not. */
  proc: string | undefined
  uid: number
  /** Folders in which programs are looked for. */
  programs: readonly string[]
  /** Relative targets are read from here. */
  workspace: string
}

export interface Process {
  pid: number
  exe: string
  /** When it was started, in the kernel's ticks: a number that is used again has another. */
  start: string
}

const DEFAULT_PROGRAMS = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'

export function thisMachine(env: Readonly<Record<string, string | undefined>>, workspace: string): Machine {
  return {
    proc: process.platform === 'linux' ? '/proc' : undefined,
    uid: process.getuid?.() ?? -1,
    // A relative entry would let the folder one happens to stand in name the program.
    programs: (env.PATH || DEFAULT_PROGRAMS).split(':').filter((folder) => folder.startsWith('/')),
    workspace,
  }
}

/** Processes of this user that run a program; those of other users are left out. */
export async function listProcesses({ proc, uid }: Machine): Promise<Process[]> {
  if (proc === undefined) return []
  const names = (await readdir(proc)).filter((name) => /^[1-9]\d*$/.test(name))
  const found = await Promise.all(names.map((name) => readProcess(proc, Number(name), uid)))
  return found.filter((each) => each !== undefined).sort((a, b) => Number(a.start) - Number(b.start) || a.pid - b.pid)
}

/** Undefined when it has gone, is not ours, or runs no program (a kernel thread). */
export async function readProcess(proc: string, pid: number, uid: number): Promise<Process | undefined> {
  const folder = join(proc, String(pid))
  try {
    const [owner, exe, line] = await Promise.all([
      stat(folder),
      readlink(join(folder, 'exe')),
      readFile(join(folder, 'stat'), 'utf8'),
    ])
    if (owner.uid !== uid) return undefined
    // The name in parentheses may itself contain spaces and parentheses: count from the last one.
    const start = line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    return { pid, exe: exe.replace(/ \(deleted\)$/, ''), start }
  } catch {
    return undefined
  }
}

/** By the path of its program or by the program's name; never Writ itself. */
export async function processesOf(target: string, machine: Machine): Promise<Process[]> {
  const all = await listProcesses(machine)
  return all.filter(({ pid, exe }) => pid !== process.pid && pid !== 1 && (exe === target || basename(exe) === target))
}
