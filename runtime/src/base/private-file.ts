import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Atomic, and readable only by the user: a crash leaves the old file or the new one. Each draft has its own name,
 * because two processes may write concurrently.
 */
export async function writePrivately(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, content, { mode: 0o600 })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
