#!/usr/bin/env node
// Plain JavaScript for Node 18 and newer: see launch.js.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

// npx runs its commands in a shell; a signal to npx ends only that shell.
const endWithParent = process.env.npm_command === 'exec'

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
    const { main } = await import(await findProgram())
    await main(process.argv.slice(2))
  } else {
    const { handOver } = await import('./launch.js')
    handOver([fileURLToPath(import.meta.url), ...process.argv.slice(2)], { endWithParent })
  }
}

/** The bundle of the package; in a checkout a bundle of the sources as they are now, or the sources. */
async function findProgram() {
  const { cacheCompiledCode } = await import('./compile-cache.js')
  const source = new URL('../src/cli/main.ts', import.meta.url)
  if (!existsSync(source)) {
    cacheCompiledCode()
    return new URL('../dist/main.cjs', import.meta.url).href
  }
  const { currentBundle } = await import('./checkout.js')
  const bundle = currentBundle()
  if (bundle === undefined) {
    cacheCompiledCode()
    return source.href
  }
  // As well protected as the code beside it, and removed with it.
  module.enableCompileCache(join(bundle, 'cache'))
  return pathToFileURL(join(bundle, 'main.cjs')).href
}
