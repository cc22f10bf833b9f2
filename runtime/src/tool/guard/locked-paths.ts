/** Paths that a sandboxed command must not change, in addition to the configured ones. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { World } from '../tool.ts'
import { lastOf } from './git-config.ts'
import { findRepository } from './git-repository.ts'
import { isWithin } from './paths.ts'
import { autorunPathsIn } from './planted-files.ts'

/**
 * A sandbox made of mounts cannot lock a path that does not exist without showing it to commands: see
 * `watchMissingPaths`.
 */
export function lockedPaths({ protectedPaths, writePaths = [], env }: World): readonly string[] {
  // For the workspace, the sandbox has its own list of autorun files.
  const opened = writePaths.flatMap((root) => autorunPathsIn(root, env)).filter((path) => existsSync(path))
  const own = process.platform === 'linux' ? protectedPaths.filter((path) => existsSync(path)) : protectedPaths
  return [...own, ...opened]
}

/** Mounting a folder keeps it from being renamed; otherwise a command could replace it with another one. */
export function foldersAbove(paths: readonly string[], writable: readonly string[]): string[] {
  const above = (path: string): string[] => {
    const folder = dirname(path)
    const isInner = writable.every((root) => root !== folder) && writable.some((root) => isWithin(folder, root))
    return isInner ? [...above(folder), folder] : []
  }
  return [...new Set(paths.flatMap(above))]
}

/** Adds the workspace files that the repository's settings use as settings and hooks. */
export function withGitNamedPaths(world: World): World {
  const found = findRepository(world.workspace, world)
  if (found === undefined || 'why' in found) return world
  const hooks = lastOf(found.settings, 'core.hookspath')
  const named = [...found.includes, ...(hooks === undefined ? [] : [resolve(found.top, hooks)])]
  const inside = named.filter((path) => path !== world.workspace && isWithin(path, world.workspace))
  return inside.length === 0 ? world : { ...world, protectedPaths: [...world.protectedPaths, ...inside] }
}
