/** One temporary folder for a whole run of the tests, removed with whatever is left in it. */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './chromium.ts'

const PREFIX = 'writ-test-'

export default function useOwnTemporaryFolder(): () => void {
  const outer = tmpdir()
  removeAbandoned(outer)
  const folder = mkdtempSync(join(outer, `${PREFIX}${process.pid}-`))
  // As every temporary folder: some tests start programs as another user.
  chmodSync(folder, 0o1777)
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  return () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
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
