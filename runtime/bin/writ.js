#!/usr/bin/env node
// Plain JavaScript for Node 18 and newer: see launch.js.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// npx runs its commands in a shell; a signal to npx ends only that shell.
const endWithParent = process.env.npm_command === 'exec'

const DIST = fileURLToPath(new URL('../dist', import.meta.url))

if (process.argv[2] === 'hook') {
  // Runs on this Node, whatever its version, without the command line.
  const { answerHook, hooksFolder } = await import('./hook-client.js')
  await answerHook(process.argv[3] ?? '', process.argv[4] ?? hooksFolder())
} else await start()

async function start() {
  // As in launch.js, which takes too long to load for the usual case.
  if (Number.parseInt(process.versions.node, 10) >= 24) {
    if (endWithParent) {
      const { onParentGone } = await import('./launch.js')
      onParentGone(process.ppid, () => process.kill(process.pid, 'SIGTERM'))
    }
    if (process.env.WRIT_DEBUG === '1') module.setSourceMapsSupport(true, { nodeModules: true, generatedCode: true })
    const { main } = await loadProgram()
    await main(process.argv.slice(2))
  } else {
    const { handOver } = await import('./launch.js')
    handOver([fileURLToPath(import.meta.url), ...process.argv.slice(2)], { endWithParent })
  }
}

/** The bundle of the package; in a checkout a bundle of the sources as they are now, or the sources. */
async function loadProgram() {
  const source = new URL('../src/cli/main.ts', import.meta.url)
  const bundle = existsSync(source) ? (await import('./checkout.js')).currentBundle() : DIST
  if (bundle !== undefined) {
    const { keepsCode, load } = await import('./own-code.js')
    if (!keepsCode(bundle)) await cacheElsewhere()
    return load(join(bundle, 'main.cjs'))
  }
  await cacheElsewhere()
  return await import(source.href)
}

async function cacheElsewhere() {
  const { cacheCompiledCode } = await import('./compile-cache.js')
  cacheCompiledCode()
}
