/** What a sandboxed command cannot read. */
import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { WritError } from '../../errors/writ-error.ts'
import type { World } from '../tool.ts'
import { findClosed } from './closed-files.ts'
import { isWithin, OPEN_DATA, realData, realKeyFile } from './paths.ts'
import { readRules } from './readable-paths.ts'

/** Limits per command. Every locked file is a mount. */
const MAX_ENTRIES = 500_000
const MAX_LOCKED = 500

interface ClosedReads {
  deny: string[]
  allow: string[]
  /** True when some of them are in the workspace. */
  hides: boolean
}

/** A command cannot read these, whatever it expands, decodes or is instructed to do by untrusted text. */
export async function closedReads(world: World, signal: AbortSignal): Promise<ClosedReads> {
  const { HOME } = world.env
  const rules = readRules(world)
  const atHome = HOME === undefined ? [] : world.blockedPaths.map((name) => join(HOME, name))
  const data = await realData(world)
  const below = await blockedBelow(world, { data, signal })
  const own = [data, world.undo, await realKeyFile(world)].filter((path) => path !== undefined)
  const places = [...atHome, ...world.blockedPaths.filter(isAbsolute), ...below, ...own]
  const openData = data === undefined ? [] : OPEN_DATA.map((name) => join(data, name))
  return {
    deny: [...new Set([...rules.deny, ...places.filter((path) => existsSync(path))])],
    allow: [...rules.allow, ...openData.filter((path) => existsSync(path))],
    hides: below.length > 0,
  }
}

/** Throws when there are too many: the rest would be readable. */
async function blockedBelow(
  world: World,
  { data, signal }: { data: string | undefined; signal: AbortSignal },
): Promise<string[]> {
  if (world.blockedPaths.length === 0) return []
  const roots = [world.workspace, ...(world.readPaths ?? []), ...(world.writePaths ?? [])]
  const found = await Promise.all(
    roots.map((root) => findClosed(root, world, { dots: true, max: MAX_ENTRIES, signal })),
  )
  const closed = found.every((one) => one !== undefined) ? [...new Set(found.flat())] : undefined
  const blocked = closed?.filter((path) => data === undefined || !isWithin(path, data))
  if (blocked !== undefined && blocked.length <= MAX_LOCKED) return blocked
  if (blocked === undefined) throw new WritError('SANDBOX_FULL.unsearchable', { most: MAX_ENTRIES })
  throw new WritError('SANDBOX_FULL.blocked', { count: blocked.length, most: MAX_LOCKED })
}
