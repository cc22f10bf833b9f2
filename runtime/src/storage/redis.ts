/** A Redis server, for what is kept there by wish: connected at the first command, found again when it was away. */
import type { Redis } from 'ioredis'
import { messageOf, WritError } from '../base/errors.ts'

export interface RedisLink {
  /** Throws REDIS_UNSET, REDIS_UNREACHABLE, or REDIS_REFUSED when the server answers with an error. */
  call(command: string, ...args: (string | number)[]): Promise<unknown>
  close(): Promise<void>
}

const CONNECT_MS = 5_000
const COMMAND_MS = 10_000
const RECONNECTS = 2

/** `url`: `redis://user:password@host:6379/0`, or `rediss://` for TLS. Absent: every command says that it is missing. */
export function redisLink(url: string | undefined): RedisLink {
  let client: Redis | undefined
  let lastFault = ''
  const waiting = new Set<(error: Error) => void>()

  async function connected(): Promise<Redis> {
    const { href } = parseAddress(url)
    const { Redis: Client } = await import('ioredis')
    // One that has given up never tries again; the server may be back by now.
    if (client === undefined || client.status === 'end') {
      client = new Client(href, {
        lazyConnect: true,
        connectionName: 'writ',
        connectTimeout: CONNECT_MS,
        commandTimeout: COMMAND_MS,
        maxRetriesPerRequest: RECONNECTS,
        // A command that was sent and not answered may have been done; appending twice is worse than failing.
        autoResendUnfulfilledCommands: false,
        retryStrategy: (attempt) => (attempt > RECONNECTS ? null : attempt * 100),
      })
      // Without a listener, a lost connection would end the process.
      client.on('error', (error: Error) => {
        lastFault = error.message
      })
      // What was sent and is not sent again would else be waited for until its time is up.
      client.on('close', () => {
        for (const fail of waiting) fail(new Error('the connection was cut'))
      })
    }
    return client
  }

  async function unlessCut<T>(answer: Promise<T>): Promise<T> {
    // Left behind, it fails when its time is up; that must not end the process.
    answer.catch(() => {})
    const { promise, reject } = Promise.withResolvers<never>()
    waiting.add(reject)
    try {
      return await Promise.race([answer, promise])
    } finally {
      waiting.delete(reject)
    }
  }

  return {
    async call(command, ...args) {
      const redis = await connected()
      try {
        const answer = redis.call(command, ...args)
        return redis.status === 'ready' ? await unlessCut(answer) : await answer
      } catch (error) {
        throw explain(error, parseAddress(url), lastFault)
      }
    },
    async close() {
      client?.disconnect()
      client = undefined
    },
  }
}

interface Address {
  href: string
  shown: string
  secrets: readonly string[]
}

function parseAddress(url: string | undefined): Address {
  if (url === undefined || url === '') {
    throw new WritError('REDIS_UNSET', 'there is no Redis here', {
      hint: 'Set WRIT_REDIS_URL, for example to redis://127.0.0.1:6379.',
    })
  }
  // The parser's own error would repeat the password.
  const parsed = URL.parse(url)
  if (parsed === null || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === '') {
    throw new WritError('REDIS_UNREACHABLE', 'WRIT_REDIS_URL is not a redis:// or rediss:// address', {
      hint: 'Write it as redis://user:password@host:6379/0.',
    })
  }
  const { password, host, pathname } = parsed
  return {
    href: url,
    shown: `${host}${pathname}`,
    secrets: [password, unescaped(password)].filter((one) => one !== ''),
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function explain(error: unknown, { shown, secrets }: Address, lastFault: string): WritError {
  const refused = error instanceof Error && error.name === 'ReplyError'
  const said = refused ? error.message : lastFault || messageOf(error)
  const clean = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), said)
  // No cause: the driver's error holds the command, and so what was to be kept secret.
  return refused
    ? new WritError('REDIS_REFUSED', `Redis at ${shown} refused: ${clean}`)
    : new WritError('REDIS_UNREACHABLE', `Redis at ${shown} cannot be reached (${clean})`, {
        hint: 'Check that the server is running, and WRIT_REDIS_URL.',
      })
}
