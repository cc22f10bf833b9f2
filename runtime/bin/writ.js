#!/usr/bin/env node
// Plain JavaScript that any Node from 18 on can read: see launch.js.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { handOver, onParentGone, runningNodeFits } from './launch.js'

// npx runs its commands in a shell, and a signal to npx ends only that shell.
const endWithParent = process.env.npm_command === 'exec'

if (runningNodeFits) {
  if (endWithParent) onParentGone(process.ppid, () => process.kill(process.pid, 'SIGTERM'))
  // In the user's own folder: a process that can write the cache decides what runs.
  const cache = process.env.NODE_COMPILE_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'writ')
  module.enableCompileCache(cache)
  const source = new URL('../src/cli/main.ts', import.meta.url)
  const { main } = await import(existsSync(source) ? source.href : new URL('../dist/cli/main.js', import.meta.url).href)
  await main(process.argv.slice(2))
} else handOver([fileURLToPath(import.meta.url), ...process.argv.slice(2)], { endWithParent })
