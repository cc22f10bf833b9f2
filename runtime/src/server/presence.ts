/**
 * Finds the server that is running on a data folder. The note is kept in the user's configuration folder, because a data
 * folder may have been copied with its workspace.
 */
import { readFile, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fingerprint } from '../base/hash.ts'
import { writePrivately } from '../base/private-file.ts'
import { isAlive } from '../base/process.ts'
import { configHome, type Env, homeIn } from '../config/places.ts'

const PROBE_MS = 3000

export interface Presence {
  /** The address of the server running on this folder. */
  find(): Promise<string | undefined>
  /** Registers the server of this process. */
  announce(url: string): Promise<void>
  withdraw(): Promise<void>
}

export function presenceOf(data: string, env: Env): Presence {
  const file = join(configHome(env, homeIn(env, homedir())), 'servers', `${fingerprint(data).slice(0, 32)}.json`)
  return {
    async find() {
      const noted = await readNote(file)
      return noted !== undefined && isAlive(noted.pid) && (await answers(noted.url)) ? noted.url : undefined
    },
    // Best effort: without the note, only the error message of a second server is less clear.
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

/** The process id may have been reused by another program. */
async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PROBE_MS), redirect: 'error' })
    return response.ok
  } catch {
    return false
  }
}
