import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { configHome, type Env, homeIn } from '../config/places.ts'
import { inspectData } from '../storage/acting.ts'
import type { DataSummary } from '../storage/data-summary.ts'

/** Binds a data folder that was made elsewhere to this user and machine, as `writ data adopt` does. */
export async function adoptData(data: string, { env = process.env }: { env?: Env } = {}): Promise<DataSummary> {
  const adoption = await inspectData({
    data: resolve(data),
    workspace: process.cwd(),
    configHome: configHome(env, homeIn(env, homedir())),
    key: env.WRIT_DATA_KEY || undefined,
  })
  await adoption.adopt()
  return adoption.summary
}
