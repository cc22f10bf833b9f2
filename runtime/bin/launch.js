// Plain JavaScript for Node 18 and newer: finds a Node that can run Writ, and runs it.
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NEEDED, tooOld } from './too-old.js'

/** The file descriptor that closes when the launcher ends. */
const TETHER_FD = 3
const PARENT_CHECK_MS = 200
const TETHER = new URL('./tether.js', import.meta.url)

export const runningNodeFits = Number.parseInt(process.versions.node, 10) >= NEEDED

/**
 * This Node if it is new enough, otherwise the one that `npm ci` installs as a package.
 * `node_modules/.bin/node` is not used: npm 9 and 10 do not create it.
 * @param {string} folder where the search starts; continues in its parents
 * @returns {string | undefined}
 */
export function findNode(folder) {
  if (runningNodeFits) return process.execPath
  const inside = join('node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  for (let at = folder; ; at = dirname(at)) {
    if (canRun(join(at, inside))) return join(at, inside)
    if (at === dirname(at)) return undefined
  }
}

/**
 * Runs Node in place of this process. Before Node 22.15 a process cannot be replaced: then Node is a child that is
 * killed when this process ends.
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, endWithParent?: boolean }} [options] endWithParent: also end when the parent of
 * this process ends
 */
export function handOver(args, { env = process.env, endWithParent = false } = {}) {
  const node = findNode(dirname(fileURLToPath(import.meta.url)))
  if (node === undefined) {
    reportTooOld()
    return
  }
  if (typeof process.execve === 'function') {
    const tether = endWithParent ? { WRIT_TETHER: `parent:${process.ppid}` } : {}
    const load = endWithParent ? ['--import', TETHER.href] : []
    process.execve(node, [node, ...load, ...args], withoutUndefined({ ...env, ...tether }))
  }
  follow(startTethered(args, { env, node }), { node, endWithParent })
}

/**
 * A Node process that is killed immediately when this one ends, for whatever reason.
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, node?: string }} [options]
 */
export function startTethered(args, { env = process.env, node = process.execPath } = {}) {
  return spawn(node, ['--import', TETHER.href, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...env, WRIT_TETHER: `fd:${TETHER_FD}` },
  })
}

/**
 * Forwards signals to the child and ends with its exit code or signal.
 * @param {import('node:child_process').ChildProcess} child
 * @param {{ node: string, endWithParent: boolean }} options
 */
function follow(child, { node, endWithParent }) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal))
  }
  if (endWithParent) onParentGone(process.ppid, () => child.kill('SIGTERM'))
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

/**
 * Children are not notified when their parent is killed; they only get another parent.
 * @param {number} parent
 * @param {() => void} act
 */
export function onParentGone(parent, act) {
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, PARENT_CHECK_MS)
  timer.unref()
}

function reportTooOld() {
  const { code, message, hint, hintLabel } = tooOld()
  process.stderr.write(`${code}: ${message}\n${hintLabel}${hint}\n`)
  process.exitCode = 1
}

/** @param {string} file */
function canRun(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Record<string, string>}
 */
function withoutUndefined(env) {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
