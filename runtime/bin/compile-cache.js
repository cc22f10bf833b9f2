// Keeps compiled code for the next start. Plain JavaScript for Node 24.
import { realpathSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'

/** In the user's cache folder. A program that has its own cache keeps it. */
export function cacheCompiledCode() {
  const given = process.env.XDG_CACHE_HOME ?? ''
  const folder = process.env.NODE_COMPILE_CACHE || join(isAbsolute(given) ? given : join(homedir(), '.cache'), 'writ')
  // A process that can write the cache controls what runs, so it must not be in the agent's folder.
  if (relative(realpathSync('.'), folder).startsWith('..')) enableCompileCache(folder)
}
