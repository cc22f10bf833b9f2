/** A server to attack, with raw connections to it. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { loadWorkspace, openData } from '../../src/agent/workspace-context.ts'
import { systemClock } from '../../src/base/clock.ts'
import { randomIds } from '../../src/base/id.ts'
import { ApiError } from '../../src/server/client.ts'
import { type Keyring, openKeyring } from '../../src/server/tokens.ts'
import { tokenArchive } from '../../src/storage/token-archive.ts'
import { makeServerPlace, speaking, type TestPlace, type TestServer } from '../support/server.ts'
import type { Attack } from './attack.ts'

export interface Target {
  server: TestServer
  place: TestPlace
  /** Makes a token, as `writ token add` would beside the running server. */
  tokenFor(name: string, scopes: string, principal?: string): Promise<string>
  revoke(name: string): Promise<void>
  /** Gives a token a new secret, as `writ token rotate` would. */
  rotate(name: string): Promise<string>
  /** Sends this on a new connection and returns everything received until the server closes it. */
  say(text: string): Promise<string>
  /** A silent connection. */
  dial(from?: string): Promise<Socket>
  /** The head of a request with the first token; more lines follow as given. */
  head(request: string, ...lines: string[]): string
}

export interface Served {
  id: string
  attack: string
  expected: string
  /** How the server is started. */
  own?: Parameters<TestPlace['start']>[0]
  happens(target: Target): Promise<string>
}

export function served({ id, attack, expected, own, happens }: Served): Attack {
  return {
    id,
    attack,
    expected,
    async happens() {
      const place = makeServerPlace()
      const sockets: Socket[] = []
      try {
        const server = await place.start({ model: speaking([]), ...own })
        return await happens(targetOf(place, server, sockets))
      } finally {
        for (const socket of sockets) socket.destroy()
        await place.remove()
      }
    },
  }
}

function targetOf(place: TestPlace, server: TestServer, sockets: Socket[]): Target {
  const { host, port } = new URL(server.url)
  async function dial(from = '127.0.0.1'): Promise<Socket> {
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: from })
    // The server may close the connection early; that is expected.
    socket.on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }
  return {
    place,
    server,
    dial,
    tokenFor: (name, scopes, principal) =>
      withKeyring(place, async (keyring) => (await keyring.add(name, scopes.split(','), principal)).secret),
    revoke: (name) => withKeyring(place, (keyring) => keyring.revoke(name)),
    rotate: (name) => withKeyring(place, async (keyring) => (await keyring.rotate(name)).secret),
    async say(text) {
      const socket = await dial()
      socket.write(text)
      return heard(socket)
    },
    head: (request, ...lines) =>
      [`${request} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${server.token}`, ...lines, '', ''].join('\r\n'),
  }
}

/** Everything received on a connection until it closes. */
export async function heard(socket: Socket): Promise<string> {
  let all = ''
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    all += text
  })
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
  return all
}

async function withKeyring<T>(place: TestPlace, work: (keyring: Keyring) => Promise<T>): Promise<T> {
  const { workspace, data } = place
  const db = await openData(await loadWorkspace({ workspace, data, env: { HOME: join(data, '..') }, config: {} }))
  try {
    return await work(openKeyring({ archive: tokenArchive(db), clock: systemClock, newId: randomIds }))
  } finally {
    await db.close()
  }
}

/** `403 NOT_YOURS`, or `200`. */
export async function answerOf(response: Promise<Response> | Response): Promise<string> {
  const { status, text } = await bodyOf(response)
  const code = /"code":"(\w+)"/.exec(text)?.[1]
  return code === undefined ? `${status}` : `${status} ${code}`
}

export async function bodyOf(response: Promise<Response> | Response): Promise<{ status: number; text: string }> {
  const answer = await response
  return { status: answer.status, text: await answer.text() }
}

/** The same of a call through the typed client. */
export function outcomeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => '200',
    (error: unknown) => {
      if (error instanceof ApiError) return `${error.status} ${error.code}`
      throw error
    },
  )
}

/** The status of a raw answer; `closed` where there was none. */
export function statusOf(raw: string): string {
  return /^HTTP\/1\.1 (\d{3})/.exec(raw)?.[1] ?? 'closed'
}

/** The common result of several attempts. */
export function all(outcomes: readonly string[]): string {
  const kinds = [...new Set(outcomes)]
  return kinds.length === 1 ? `all ${kinds[0]}` : kinds.join(' / ')
}
