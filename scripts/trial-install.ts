/**
 * `npm run trial:install`: a first installation with npm 9, 10 and 11: `npm ci` in a copy of the tracked files, then
 * `npm start`, one test and `npx writ`; then the package in an empty project. With the Node of this machine. Select others with `-- --node 22 --npm 10`.
 * Needs the registry; the tests do not run it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const NPM_VERSIONS = ['9', '10', '11']
const TRIAL_TEST = 'runtime/src/base'

interface Place {
  folder: string
  env: NodeJS.ProcessEnv
}

const several = { type: 'string', multiple: true } as const
const { values } = parseArgs({ options: { node: several, npm: several } })
const root = mkdtempSync(join(tmpdir(), 'writ-trial-'))
process.on('exit', () => rmSync(root, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const rows = []
for (const node of values.node ?? [undefined]) {
  for (const npm of values.npm ?? NPM_VERSIONS) {
    const row = await trial(node, npm)
    // Printed immediately: a later trial may fail.
    console.log(JSON.stringify(row))
    rows.push(row)
  }
}
console.table(rows)
if (rows.some((row) => row.failed !== '')) process.exitCode = 1

async function trial(node: string | undefined, npm: string) {
  const place = preparePlace(node, npm)
  const versions = { npm: await outputOf(place, ['npm', '-v']), node: await outputOf(place, ['node', '-v']) }
  const steps: [string, () => Promise<unknown>][] = [
    ['npm ci', () => outputOf(place, ['npm', 'ci'])],
    ['npm start', () => startAndStop(place)],
    ['one test', () => outputOf(place, ['npm', 'run', 'test:part', '--', TRIAL_TEST])],
    ['npx writ', () => outputOf(place, ['npx', '--no', '--', 'writ', '--version'])],
    ['package', () => tryPackage(place)],
  ]
  const took: Record<string, string> = {}
  let failed = ''
  for (const [name, step] of steps) {
    const began = performance.now()
    try {
      await step()
      took[name] = `${((performance.now() - began) / 1000).toFixed(1)} s`
    } catch (error) {
      failed = `${name}: ${error instanceof Error ? error.message : error}`
      break
    }
  }
  const link = existsSync(join(place.folder, 'node_modules/.bin/node')) ? 'yes' : 'no'
  rmSync(place.folder, { recursive: true, force: true })
  return { ...versions, '.bin/node': link, ...took, failed }
}

/** The package as npm makes and installs it, with a Node that runs it where this machine's is too old. */
async function tryPackage({ folder, env }: Place): Promise<void> {
  const empty = join(folder, 'newcomer')
  mkdirSync(empty)
  writeFileSync(join(empty, 'package.json'), '{"name":"newcomer","private":true,"type":"module"}')
  await outputOf({ folder: join(folder, 'runtime'), env }, ['npm', 'pack', '--pack-destination', empty])
  const tarball = readdirSync(empty).find((name) => name.endsWith('.tgz')) ?? ''
  const project = { folder: empty, env }
  await outputOf(project, ['npm', 'install', `./${tarball}`, `node-${process.platform}-${process.arch}@24`])
  const tour = await outputOf(project, ['npx', '--no', '--', 'writ', 'tour', '--lang', 'en'])
  if (!tour.includes('writ doctor')) throw new Error(tour)
}

/** A copy of the tracked files, and a PATH with the npm and Node of this trial first. */
function preparePlace(node: string | undefined, npm: string): Place {
  const tools = join(root, `tools-${node ?? 'own'}-${npm}`)
  const folder = join(root, `copy-${node ?? 'own'}-${npm}`)
  mkdirSync(tools)
  const wanted = [`npm@${npm}`, ...(node === undefined ? [] : [`node-${process.platform}-${process.arch}@${node}`])]
  execFileSync('npm', ['install', '--silent', '--prefix', tools, ...wanted], { env: plainEnv(), stdio: 'inherit' })
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean)
  for (const name of tracked.filter((each) => existsSync(join(ROOT, each))))
    cpSync(join(ROOT, name), join(folder, name))
  const env = plainEnv()
  return { folder, env: { ...env, PATH: [join(tools, 'node_modules/.bin'), env.PATH].join(delimiter) } }
}

/** The environment of a terminal, without what the launcher and npm added. */
function plainEnv(): NodeJS.ProcessEnv {
  const own = [dirname(process.execPath), 'node_modules']
  const folders = (process.env.PATH ?? '').split(delimiter).filter((each) => !own.some((part) => each.includes(part)))
  const variables = Object.entries(process.env).filter(
    ([name]) => !/^npm_|^NODE/.test(name) || name === 'npm_config_registry',
  )
  return { ...Object.fromEntries(variables), PATH: folders.join(delimiter) }
}

async function startAndStop(place: Place): Promise<void> {
  const npm = start(place, ['npm', 'start', '--', '--port', '0'])
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  const ended = endOf(npm, (text) => {
    if (/http:\/\/127\.0\.0\.1:\d+/.test(text)) resolve()
  })
  await Promise.race([listening, ended.then(({ output }) => Promise.reject(new Error(output)))])
  // To the whole process group, like Ctrl-C: npm 9 does not forward signals.
  process.kill(-(npm.pid ?? 0), 'SIGINT')
  await ended
}

async function outputOf(place: Place, command: readonly string[]): Promise<string> {
  const { code, output } = await endOf(start(place, command), () => {})
  if (code !== 0) throw new Error(output)
  return output.trim()
}

function start({ folder, env }: Place, [program = '', ...words]: readonly string[]): ChildProcess {
  return spawn(program, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
}

async function endOf(child: ChildProcess, onText: (text: string) => void): Promise<{ code: unknown; output: string }> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      onText(output)
    })
  }
  const [code] = await once(child, 'close')
  return { code, output }
}
