/** New content is written aside, in the folder of its file, so that a rename puts it in place at once. */
import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { open, rm } from 'node:fs/promises'

export interface Draft {
  content: string | Uint8Array
  /** The file whose mode and owner it gets. */
  like?: Stats
  executable?: boolean
}

/** `at` resolves names in the folder, as `withFolder` gives it. Returns the name of the draft. */
export async function writeDraft(at: (name: string) => string, { content, like, executable }: Draft): Promise<string> {
  const name = `.writ-${randomBytes(8).toString('hex')}.tmp`
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const file = await open(at(name), flags, executable === true ? 0o777 : 0o666)
  try {
    try {
      if (like !== undefined) {
        // Only root can change the owner; for other users it is already right.
        if (process.getuid?.() === 0) await file.chown(like.uid, like.gid)
        await file.chmod(modeFor(like.mode & 0o7777, executable))
      }
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    await rm(at(name), { force: true })
    throw error
  }
  return name
}

/** Who may read may also execute, as git does it. */
function modeFor(mode: number, executable: boolean | undefined): number {
  if (executable === undefined) return mode
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111
}

export async function syncFolder(at: (name: string) => string): Promise<void> {
  const folder = await open(at('.'), constants.O_RDONLY)
  await folder.sync().finally(() => folder.close())
}
