/** Repositories that many tests need. */
import { cpSync, existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const KNOWN = join(tmpdir(), `writ-repositories-${process.pid}-cache`)
process.once('exit', () => rmSync(KNOWN, { recursive: true, force: true }))

/**
 * The repository that git makes of the same files by the same commands: made once in each process, then copied. Starting
 * git five times takes longer than the test.
 */
export function sameRepository(name: string, folder: string, make: () => void): void {
  const known = join(KNOWN, name)
  const own = join(folder, '.git')
  if (existsSync(known)) cpSync(known, own, { recursive: true })
  else {
    make()
    cpSync(own, known, { recursive: true })
  }
}
