import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { isAlive, processesBelow } from '../support/chromium.ts'
import { agedNode, type LaunchTree, machineNodes, makeLaunchTree, outputOf } from '../support/launch-tree.ts'
import { until } from '../support/until.ts'

const ROOT = join(import.meta.dirname, '../../..')
const NODES = mkdtempSync(join(tmpdir(), 'writ-nodes-'))
const nodes = machineNodes(NODES)
const tree: LaunchTree = makeLaunchTree()
afterAll(() => {
  tree.remove()
  rmSync(NODES, { recursive: true, force: true })
})

const npmVersion = Number.parseInt(execFileSync('npm', ['-v'], { encoding: 'utf8' }), 10)
const LAUNCH = ['node', 'scripts/node.js']
const writ = (...args: string[]) => ['node', 'runtime/bin/writ.js', ...args]

/** Itself where the launcher was replaced, else its child. */
const workerOf = (pid: number) => processesBelow(pid).at(-1) ?? pid

test('every script of the packages starts through the launcher, or runs another script', () => {
  for (const workspace of ['.', 'runtime', 'console']) {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8'))
    for (const [name, line] of Object.entries<string>(scripts)) {
      const commands = line.split(' && ')
      const expected = /^(?:npm run |(?:exec )?node (?:\.\.\/)?scripts\/node\.js )/
      expect(commands.filter((command) => !expected.test(command)).map((command) => `${name}: ${command}`)).toEqual([])
    }
  }
})

describe.each(nodes)('installed without node_modules/.bin/node, on %s', (_name, machine) => {
  test('a script runs on Node 24, finds it first on its PATH, and gets its arguments', async () => {
    const file = tree.file(
      'told.ts',
      `import { execFileSync } from 'node:child_process'
       const inner: string = execFileSync('node', ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()
       console.log(JSON.stringify({ own: process.versions.node, inner, args: process.argv.slice(2) }))`,
    )
    const { code, output } = await tree.run(machine, [...LAUNCH, file, 'a b', '--c'])
    const { own, inner, args } = JSON.parse(output)
    expect({ code, args, inner }).toEqual({ code: 0, args: ['a b', '--c'], inner: own })
    expect(Number.parseInt(own, 10)).toBeGreaterThanOrEqual(24)
  })

  test('npm runs one test through it', async () => {
    tree.file('vitest.config.ts', `export default { test: { include: ['*.test.ts'] } }`)
    tree.file('sum.test.ts', `import { expect, test } from 'vitest'\ntest('one and one', () => expect(1 + 1).toBe(2))`)
    const { code, output } = await tree.run(machine, ['npm', 'run', 'test:part', '--', 'sum.test.ts'])
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('1 passed') })
  })

  test('npx writ runs', async () => {
    const { code, output } = await tree.run(machine, ['npx', '--no', '--', 'writ', '--version'])
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })

  test('the exit code and the signal that ended the program are the launcher’s own', async () => {
    expect(await tree.run(machine, [...LAUNCH, tree.file('seven.js', 'process.exit(7)')])).toMatchObject({ code: 7 })
    const child = tree.start(machine, [...LAUNCH, tree.file('kill.js', `process.kill(process.pid, 'SIGKILL')`)])
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  })

  test('standard input and a signal reach the program, and the program decides what the signal means', async () => {
    const file = tree.file(
      'wait.js',
      `process.on('SIGTERM', () => { console.log('tidied up'); process.exit(3) })
       process.stdin.on('data', (text) => console.log('read ' + text))`,
    )
    const child = tree.start(machine, [...LAUNCH, file], { stdin: 'pipe' })
    const output = outputOf(child)
    child.stdin?.write('a line\n')
    await until(() => output().includes('read a line'))
    child.kill('SIGTERM')
    const [code] = await once(child, 'close')
    expect({ code, output: output() }).toEqual({ code: 3, output: expect.stringContaining('tidied up') })
  })

  test('a program that is busy and never looks up ends with its launcher', async () => {
    const child = tree.start(machine, [...LAUNCH, tree.file('busy.js', `console.log('busy'); for (;;);`)])
    const output = outputOf(child)
    await until(() => output().includes('busy'))
    const worker = workerOf(child.pid ?? 0)
    child.kill('SIGKILL')
    await until(() => !isAlive(worker))
  })

  test('what the program starts knows nothing of the launcher', async () => {
    const file = tree.file(
      'descriptors.js',
      `import { execFileSync } from 'node:child_process'
       import { readdirSync, readlinkSync } from 'node:fs'
       const own = readdirSync('/proc/self/fd').filter((fd) => fd > 2).map((fd) => {
         try { return readlinkSync('/proc/self/fd/' + fd) } catch { return '' }
       })
       const look = 'for fd in /proc/self/fd/*; do readlink "$fd"; done; echo "tether=$WRIT_TETHER"'
       const started = execFileSync('sh', ['-c', look], { encoding: 'utf8' })
       console.log(JSON.stringify({ sockets: own.filter((link) => link.startsWith('socket:')), started }))`,
    )
    const { sockets, started } = JSON.parse((await tree.run(machine, [...LAUNCH, file])).output)
    expect(started).toContain('tether=\n')
    for (const socket of sockets) expect(started).not.toContain(socket)
  })

  test('writ makes no further request when its launcher is killed while a model is answering', async () => {
    let asked = 0
    let answer = () => {}
    const model = createServer((_request, response) => {
      asked += 1
      answer = () => response.destroy()
    }).listen(0, '127.0.0.1')
    await once(model, 'listening')
    const base = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`
    const command = ['env', 'OPENAI_API_KEY=none', ...writ('run', 'hello', '--model', 'openai/any', '--base-url', base)]
    const child = tree.start(machine, command)
    const output = outputOf(child)
    await until(() => asked === 1 || child.exitCode !== null)
    const worker = workerOf(child.pid ?? 0)
    child.kill('SIGKILL')
    // The connection breaks: a living process would try once more.
    answer()
    await until(() => !isAlive(worker))
    model.closeAllConnections()
    model.close()
    expect({ asked, output: output() }).toMatchObject({ asked: 1 })
  })

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'after %s to npm, the server of npm start listens no more',
    async (how) => {
      const npm = tree.start(machine, ['npm', 'start', '--', '--port', '0', '--lang', 'en'])
      const output = outputOf(npm)
      const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0]
      await until(() => address() !== undefined || npm.exitCode !== null)
      const url = address() ?? ''
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
      const below = processesBelow(npm.pid ?? 0)
      npm.kill(how)
      // npm 9 ignores it, and goes on with all its processes.
      if (how === 'SIGTERM' && npmVersion < 10) process.kill(below[0] ?? 0, how)
      await until(() => below.every((pid) => !isAlive(pid)))
      await expect(fetch(`${url}/healthz`)).rejects.toThrow()
    },
  )
})

test('without a Node that fits, one message says what to do', async () => {
  const bare = makeLaunchTree()
  rmSync(join(bare.root, 'node_modules'), { recursive: true })
  const aged = agedNode(join(NODES, 'without'))
  for (const command of [[...LAUNCH, 'x.js'], writ('--version')]) {
    const { code, output } = await bare.run(aged, command)
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(/^NODE_TOO_OLD: .*\nhint: .*npm ci.*\n$/),
    })
  }
  bare.remove()
})

test('a run of the tests that is killed leaves no process behind', async () => {
  const [, machine = ''] = nodes[0] ?? []
  const orphans = join(ROOT, 'runtime/test/support/orphans.ts')
  tree.file('vitest.config.ts', `export default { test: { include: ['*.test.ts'], setupFiles: ['${orphans}'] } }`)
  tree.file(
    'hang.test.ts',
    `import { spawn } from 'node:child_process'
     import { test } from 'vitest'
     test('hangs', () => new Promise(() => spawn('sleep', ['1000'])), 600_000)`,
  )
  const npm = tree.start(machine, ['npm', 'run', 'test:part', '--', 'hang.test.ts'])
  const below = () => processesBelow(npm.pid ?? 0)
  const sleeps = () => below().some((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep'))
  await until(sleeps)
  const all = below()
  npm.kill('SIGKILL')
  await until(() => all.every((pid) => !isAlive(pid)))
})
