/** Which server works on a data folder. Kept in the user's own folder: a data folder can come with a copied workspace. */
import { readFile, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fingerprint } from '../base/hash.ts'
import { writePrivately } from '../base/private-file.ts'
import { configHome, type Env } from '../config/places.ts'

const ANSWER_MS = 3000

export interface Presence {
  /** The address of the server that works on this folder. */
  find(): Promise<string | undefined>
  /** The server of this process does. */
  announce(url: string): Promise<void>
  withdraw(): Promise<void>
}

export function presenceOf(data: string, env: Env): Presence {
  const file = join(configHome(env, homedir()), 'servers', `${fingerprint(data).slice(0, 32)}.json`)
  return {
    async find() {
      const noted = await readNote(file)
      return noted !== undefined && isRunning(noted.pid) && (await answers(noted.url)) ? noted.url : undefined
    },
    // A folder that cannot be written costs the next server a clear message, and this one nothing.
    announce: (url) => writePrivately(file, JSON.stringify({ pid: process.pid, url })).catch(() => {}),
    async withdraw() {
      if ((await readNote(file))?.pid === process.pid) await rm(file, { force: true })
    },
  }
}

async function readNote(file: string): Promise<{ pid: number; url: string } | undefined> {
  try {
    const { pid, url } = JSON.parse(await readFile(file, 'utf8'))
    return typeof pid === 'number' && typeof url === 'string' ? { pid, url } : undefined
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Another program may have the number of a server that was killed. */
async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' })
    return response.ok
  } catch {
    return false
  }
}
