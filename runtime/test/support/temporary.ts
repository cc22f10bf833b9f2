/** Temporary folders for a whole run of the tests, removed with whatever is left in them. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './chromium.ts'

const PREFIX = 'writ-test-'
const MEMORY = '/dev/shm'
const IN_MEMORY = 'WRIT_TEST_MEMORY'

export default function useOwnTemporaryFolders(): () => void {
  const inMemory = existsSync(MEMORY) ? openFolder(MEMORY, IN_MEMORY) : undefined
  const onDisk = openFolder(tmpdir(), 'TMPDIR')
  return () => {
    onDisk()
    inMemory?.()
  }
}

/** For tests that write thousands of files safely, and would wait for the disk each time. No sandbox can see it. */
export function memoryFolder(): string {
  return process.env[IN_MEMORY] ?? tmpdir()
}

function openFolder(outer: string, variable: string): () => void {
  removeAbandoned(outer)
  const folder = mkdtempSync(join(outer, `${PREFIX}${process.pid}-`))
  // As every temporary folder: some tests start programs as another user.
  chmodSync(folder, 0o1777)
  const before = process.env[variable]
  process.env[variable] = folder
  return () => {
    if (before === undefined) delete process.env[variable]
    else process.env[variable] = before
    for (const name of readdirSync(folder).filter((entry) => !entry.endsWith('-cache'))) {
      console.log(`left behind in the temporary folder: ${name}`)
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A run that was killed could not tidy up. */
function removeAbandoned(outer: string): void {
  for (const name of readdirSync(outer)) {
    const [, pid] = /^writ-test-(\d+)-\w{6}$/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(outer, name), { recursive: true, force: true })
  }
}
