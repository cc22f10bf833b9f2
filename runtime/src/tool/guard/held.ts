/** What a command in the fence must not change, beyond what the configuration names. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { World } from '../tool.ts'
import { lastOf } from './git-config.ts'
import { findRepository } from './git-repository.ts'
import { obeyedIn } from './leftovers.ts'
import { isWithin } from './paths.ts'

/** Where the fence is made of mounts, what is not there yet cannot be shut without showing: see `watchEmptyPlaces`. */
export function protectedNow({ protectedPaths, writePaths = [], env }: World): readonly string[] {
  // In the workspace the fence has a list of its own of what programs obey.
  const opened = writePaths.flatMap((root) => obeyedIn(root, env)).filter((path) => existsSync(path))
  const own = process.platform === 'linux' ? protectedPaths.filter((path) => existsSync(path)) : protectedPaths
  return [...own, ...opened]
}

/** A folder that is a mount of its own cannot be renamed: else a command could put another in its place. */
export function foldersAbove(paths: readonly string[], writable: readonly string[]): string[] {
  const above = (path: string): string[] => {
    const folder = dirname(path)
    const isInner = writable.every((root) => root !== folder) && writable.some((root) => isWithin(folder, root))
    return isInner ? [...above(folder), folder] : []
  }
  return [...new Set(paths.flatMap(above))]
}

/** Files of the workspace that the settings of its repository make into settings and hooks. */
export function withNamedByGit(world: World): World {
  const found = findRepository(world.workspace, world)
  if (found === undefined || 'why' in found) return world
  const hooks = lastOf(found.settings, 'core.hookspath')
  const named = [...found.includes, ...(hooks === undefined ? [] : [resolve(found.top, hooks)])]
  const inside = named.filter((path) => path !== world.workspace && isWithin(path, world.workspace))
  return inside.length === 0 ? world : { ...world, protectedPaths: [...world.protectedPaths, ...inside] }
}
