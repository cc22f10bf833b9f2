#!/usr/bin/env node
// Plain JavaScript that any Node from 18 on can read: its first job is to find one that can run the rest.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED = 24
const here = fileURLToPath(import.meta.url)

if (Number.parseInt(process.versions.node, 10) >= NEEDED) {
  // In the user's own folder: whoever can write the cache decides what runs.
  const cache = process.env.NODE_COMPILE_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'writ')
  module.enableCompileCache(cache)
  const source = new URL('../src/cli/main.ts', import.meta.url)
  const { main } = await import(existsSync(source) ? source.href : new URL('../dist/cli/main.js', import.meta.url).href)
  await main(process.argv.slice(2))
} else {
  const node = bundledNode(dirname(here))
  if (node === undefined) {
    process.stderr.write(`NODE_TOO_OLD: Writ needs Node ${NEEDED} or newer; this is ${process.version}\n`)
    process.stderr.write('hint: Install it from https://nodejs.org, or run `npm ci` in the project to get its own.\n')
    process.exitCode = 1
  } else await handOver(node)
}

/** The Node that `npm ci` puts beside the other packages, looked for from here upwards. */
function bundledNode(folder) {
  const inside = join('node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, inside))) return join(at, inside)
    if (at === dirname(at)) return undefined
  }
}

async function handOver(node) {
  const { spawn } = await import('node:child_process')
  const child = spawn(node, [here, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`NODE_UNUSABLE: ${node} cannot be started: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
