import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePlace, type Place } from '../support/cli.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

/** Starts the server with --open, passes on the address and its token, and stops it. */
async function opened(look: (url: string, token: string) => Promise<void>): Promise<void> {
  const server = place.start(['serve', '--open', '--port', '0', '--model', 'rules'])
  const [, url = '', token = ''] = /(http:\S+)\/#token=(writ_[\w-]{43})/.exec(await server.said('#token=')) ?? []
  await look(url, token)
  server.child.kill('SIGTERM')
  await server.ended
}

const ask = (url: string, token: string) =>
  fetch(`${url}/api/info`, { headers: { authorization: `Bearer ${token}` } }).then((response) => response.status)

test('`serve --open` signs the user in: with the first token, later with one that is valid until the server stops', async () => {
  const tokens: string[] = []
  for (let start = 0; start < 3; start++) {
    await opened(async (url, token) => {
      tokens.push(token)
      const answers = await Promise.all(tokens.map((known) => ask(url, known)))
      expect(answers).toEqual([[200], [200, 200], [200, 401, 200]][start])
    })
  }
})

test('a second server on the same folder reports the address of the first, on any port and in both languages', async () => {
  const first = place.start(['serve', '--port', '0', '--model', 'rules'])
  const [, url = ''] = /(http:\S+)\/#token=/.exec(await first.said('#token=')) ?? []
  for (const port of [new URL(url).port, '0']) {
    expect(await place.writ(['serve', '--port', port, '--model', 'rules'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(`^SERVER_RUNNING: Writ is already running here: ${url}\nhint: `),
    })
  }
  const chinese = await place.writ(['serve', '--port', '0', '--model', 'rules', '--lang', 'zh', '--json'])
  expect(chinese.json()).toMatchObject([{ code: 'SERVER_RUNNING', message: `Writ 已在此运行：${url}` }])
  expect(await ask(url, 'none')).toBe(401)
  first.child.kill('SIGTERM')
  await first.ended
})

test('a killed server does not block the next one, and other folders have their own server', async () => {
  const first = place.start(['serve', '--port', '0', '--model', 'rules'])
  await first.said('#token=')
  const other = place.start(['serve', '--port', '0', '--model', 'rules', '--data', 'other'])
  await other.said('#token=')
  for (const { child, ended } of [first, other]) {
    child.kill('SIGKILL')
    await ended
  }
  await opened(async (url) => expect(await ask(url, 'none')).toBe(401))
})

const SOURCE = join(import.meta.dirname, '../../..')

/** A clone after `npm ci`: nothing is built. It cannot bundle itself, which its files would be too new for anyway. */
function cloneAt(folder: string): void {
  const runtime = ['package.json', 'bin', 'src', 'templates'].map((part) => join('runtime', part))
  const filter = (path: string) => !path.endsWith('scripts/build-checkout.ts')
  for (const part of ['package.json', 'tsconfig.json', 'console', 'scripts', 'docs', 'docs-site', ...runtime])
    cpSync(join(SOURCE, part), join(folder, part), { recursive: true, filter })
  symlinkSync(join(SOURCE, 'node_modules'), join(folder, 'node_modules'))
}

/** The first page of a server started from a clone, and the output of the server. */
async function firstPage(clone: string): Promise<{ page: string; said: string }> {
  const launcher = join(clone, 'runtime/bin/writ.js')
  const server = place.start(['serve', '--open', '--port', '0', '--model', 'rules'], {
    through: ([node = '', , ...args]) => [node, launcher, ...args],
  })
  const said = await server.said('#token=')
  const [, url = ''] = /(http:\S+)\/#token=/.exec(said) ?? []
  const page = await fetch(url).then((response) => response.text())
  server.child.kill('SIGTERM')
  await server.ended
  return { page, said }
}

test('in a new clone the server builds the console first; if that fails, it prints the command to run and works without the console', async () => {
  const clone = join(place.root, 'clone')
  mkdirSync(clone)
  cloneAt(clone)
  const built = await firstPage(clone)
  expect(built.said).toContain('Building the console')
  expect(built.page, built.said).toContain('<div id="root">')
  expect((await firstPage(clone)).said).not.toContain('Building')

  rmSync(join(clone, 'runtime/dist'), { recursive: true })
  rmSync(join(clone, 'console/index.html'))
  const failed = await firstPage(clone)
  const command = 'npm ci && npm run build -w writ-console'
  expect(failed.said).toContain('The console could not be built')
  expect(failed.said).toContain(command)
  expect(failed.page).toContain(command)
})

test('a port used by another program is reported', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  expect(await place.writ(['serve', '--port', String(port), '--model', 'rules'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`PORT_IN_USE: port ${port} is already in use`),
  })
  taken.close()
})
