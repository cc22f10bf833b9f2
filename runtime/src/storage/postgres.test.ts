import { once } from 'node:events'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { openStore } from './open.ts'
import { explain, parseAddress } from './postgres.ts'

const failureOf = (url: string) => openStore({ kind: 'postgres', url }).catch((error: unknown) => error)

async function findClosedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('an unreachable server is named without its password', async () => {
  const port = await findClosedPort()
  const failure = await failureOf(`postgres://me:s%40cret@127.0.0.1:${port}/writ`)
  expect(failure).toMatchObject({
    code: 'STORE_UNREACHABLE',
    message: expect.stringContaining(`127.0.0.1:${port}/writ`),
    hint: expect.stringContaining('running'),
  })
  expect(inspect(failure, { depth: null, showHidden: true })).not.toMatch(/s(%40|@)cret/)
})

test('a peer that hangs up is unreachable', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  expect(await failureOf(`postgres://me:s3cret@127.0.0.1:${port}/writ`)).toMatchObject({ code: 'STORE_UNREACHABLE' })
  server.close()
})

test.each(['s3cret', 'mysql://me:s3cret@host/db', 'postgres://me:s3cret@host:port/db'])(
  'an address that is none is refused without repeating it: %s',
  async (url) => {
    const failure = await failureOf(url)
    expect(failure).toMatchObject({ code: 'STORE_UNREACHABLE', hint: expect.stringContaining('postgres://') })
    expect(inspect(failure, { depth: null, showHidden: true }).replace(/at .*/g, '')).not.toContain('s3cret')
  },
)

test('a password in the address query or in the server’s message is masked', () => {
  const address = parseAddress('postgres://host/db?user=me&password=s3cret')
  expect(address.shown).toBe('host/db')
  expect(explain(new Error('no entry for s3cret'), address)).toMatchObject({ message: expect.stringContaining('***') })
})

test.each([
  ['23505', 'STORE_CONFLICT'],
  ['23502', 'STORE_CONFLICT'],
  ['25006', 'STORE_READONLY'],
  ['42501', 'STORE_READONLY'],
  ['53100', 'STORE_FULL'],
  ['57014', 'STORE_SLOW'],
  ['40P01', 'STORE_BUSY'],
  ['XX001', 'STORE_CORRUPT'],
  ['42P01', 'STORE_FAILED'],
  ['57P01', 'STORE_UNREACHABLE'],
  ['28P01', 'STORE_UNREACHABLE'],
  ['ECONNREFUSED', 'STORE_UNREACHABLE'],
])("the server's %s means %s", (code, ours) => {
  const error = Object.assign(new Error('said by the server'), { code })
  expect(explain(error, parseAddress('postgres://host/db'))).toMatchObject({ code: ours })
})
