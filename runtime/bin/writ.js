#!/usr/bin/env node
// Plain JavaScript for Node 18 and newer: see launch.js.
import { existsSync, realpathSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { handOver, onParentGone, runningNodeFits } from './launch.js'

// npx runs its commands in a shell; a signal to npx ends only that shell.
const endWithParent = process.env.npm_command === 'exec'

if (runningNodeFits) {
  if (endWithParent) onParentGone(process.ppid, () => process.kill(process.pid, 'SIGTERM'))
  // A process that can write the cache controls what runs, so it must not be in the agent's folder.
  const given = process.env.XDG_CACHE_HOME ?? ''
  const cache = process.env.NODE_COMPILE_CACHE || join(isAbsolute(given) ? given : join(homedir(), '.cache'), 'writ')
  if (relative(realpathSync('.'), cache).startsWith('..')) module.enableCompileCache(cache)
  const source = new URL('../src/cli/main.ts', import.meta.url)
  const { main } = await import(existsSync(source) ? source.href : new URL('../dist/cli/main.js', import.meta.url).href)
  await main(process.argv.slice(2))
} else handOver([fileURLToPath(import.meta.url), ...process.argv.slice(2)], { endWithParent })
