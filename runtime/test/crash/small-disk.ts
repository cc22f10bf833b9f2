/** A disk that is soon full. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import type { StartOptions } from '../support/cli.ts'

const SMALL = 1024 * 1024
const LARGE = 32 * SMALL

export interface SmallDisk {
  /** What a program on it says when nothing more fits. */
  code: 'STORE_FULL' | 'STORE_FAILED'
  /** How programs must be started to feel the limit. */
  through: NonNullable<StartOptions['through']>
  /** From now on there is room. */
  grow(): void
  remove(): void
}

/** A small file system in memory; where none may be mounted, a limit on the size of files. */
export function mountedDisk(folder: string): SmallDisk {
  mkdirSync(folder)
  const mount = (...options: string[]) => execFileSync('mount', [...options, folder], { stdio: 'ignore' })
  try {
    mount('-t', 'tmpfs', '-o', `size=${SMALL}`, 'none')
  } catch {
    return limitedDisk()
  }
  return {
    code: 'STORE_FULL',
    through: (command) => command,
    grow: () => mount('-o', `remount,size=${LARGE}`),
    remove: () => execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' }),
  }
}

/** The system says that the file is too large, not that the disk is full, and SQLite tells the two apart. */
export function limitedDisk(): SmallDisk {
  const limit = `trap '' XFSZ; ulimit -f ${SMALL / 512}; exec "$@"`
  let grown = false
  return {
    code: 'STORE_FAILED',
    through: (command) => (grown ? command : ['sh', '-c', limit, 'sh', ...command]),
    grow() {
      grown = true
    },
    remove() {},
  }
}
