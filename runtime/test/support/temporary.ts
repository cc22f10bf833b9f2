/** Temporary folders for a whole run of the tests, removed with whatever is left in them. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive, processesBelow } from './chromium.ts'
import { until } from './until.ts'

const PREFIX = 'writ-test-'
const MEMORY = '/dev/shm'
const IN_MEMORY = 'WRIT_TEST_MEMORY'
const ENOUGH_MEMORY = 4 * 2 ** 30
/** Of what is left behind, only a folder with this ending is no mistake. */
const CACHE = '-cache'

export default function useOwnTemporaryFolders(): () => Promise<void> {
  const inMemory = existsSync(MEMORY) ? openFolder(MEMORY, IN_MEMORY) : undefined
  const ordinary = openFolder(tmpdir(), 'TMPDIR', mountMemory)
  // For the processes of the tests that run sources: each would strip the types of hundreds of modules again.
  process.env.NODE_COMPILE_CACHE = join(tmpdir(), `writ-test${CACHE}`)
  return async () => {
    await workersGone()
    ordinary()
    inMemory?.()
  }
}

/** What they made for all their files, they remove on exit. */
async function workersGone(): Promise<void> {
  if (process.platform === 'linux') await until(() => !processesBelow(process.pid).some(isWorker))
}

function isWorker(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('vitest/dist/workers')
  } catch {
    return false
  }
}

/** For tests that write thousands of files safely, and would wait for the disk each time. No sandbox can see it. */
export function memoryFolder(): string {
  return process.env[IN_MEMORY] ?? tmpdir()
}

function openFolder(outer: string, variable: string, prepare = (_folder: string) => {}): () => void {
  removeAbandoned(outer)
  const folder = mkdtempSync(join(outer, `${PREFIX}${process.pid}-`))
  prepare(folder)
  // As every temporary folder: some tests start programs as another user.
  chmodSync(folder, 0o1777)
  const before = process.env[variable]
  process.env[variable] = folder
  return () => {
    if (before === undefined) delete process.env[variable]
    else process.env[variable] = before
    for (const name of readdirSync(folder).filter((entry) => !entry.endsWith(CACHE))) {
      console.log(`left behind in the temporary folder: ${name}`)
    }
    removeFolder(folder)
  }
}

/**
 * A test makes and removes hundreds of small files. On a disk, above all on ext4 without a journal, that took a third of
 * the processor time of all tests. Only root may mount, and only where there is memory to spare.
 */
function mountMemory(folder: string): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || freemem() < ENOUGH_MEMORY) return
  attempt('mount', ['-t', 'tmpfs', 'writ-test', folder])
}

function removeFolder(folder: string): void {
  if (process.platform === 'linux' && process.getuid?.() === 0) attempt('umount', ['--lazy', folder])
  rmSync(folder, { recursive: true, force: true })
}

/** In a container, root may be allowed neither. Then the folder is on the disk. */
function attempt(program: string, args: readonly string[]): void {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
  } catch {}
}

/** A run that was killed could not tidy up. */
function removeAbandoned(outer: string): void {
  for (const name of readdirSync(outer)) {
    const [, pid] = /^writ-test-(\d+)-\w{6}$/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) removeFolder(join(outer, name))
  }
}
