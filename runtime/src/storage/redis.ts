/** An optional Redis server: connected at the first command, reconnected after a loss. */
import type { Redis } from 'ioredis'
import { messageOf } from '../base/errors.ts'
import { percentDecoded } from '../base/text.ts'
import { WritError } from '../errors/writ-error.ts'

export interface RedisLink {
  /** Throws REDIS_UNSET, REDIS_UNREACHABLE, or REDIS_REFUSED when the server answers with an error. */
  call(command: string, ...args: (string | number)[]): Promise<unknown>
  close(): Promise<void>
}

const CONNECT_MS = 5_000
const COMMAND_MS = 10_000
const RECONNECTS = 2

/** `url`: `redis://user:password@host:6379/0`, or `rediss://` for TLS. Absent: every command throws REDIS_UNSET. */
export function redisLink(url: string | undefined): RedisLink {
  let client: Redis | undefined
  let lastFault = ''
  const waiting = new Set<(error: Error) => void>()

  async function connected(): Promise<Redis> {
    const { href } = parseAddress(url)
    const { Redis: Client } = await import('ioredis')
    // A client that has given up never reconnects; the server may be back.
    if (client === undefined || client.status === 'end') {
      client = new Client(href, {
        lazyConnect: true,
        connectionName: 'writ',
        connectTimeout: CONNECT_MS,
        commandTimeout: COMMAND_MS,
        maxRetriesPerRequest: RECONNECTS,
        // A command without an answer may have been executed; appending twice is worse than failing.
        autoResendUnfulfilledCommands: false,
        retryStrategy: (attempt) => (attempt > RECONNECTS ? null : attempt * 100),
      })
      // Without a listener, a lost connection would crash the process.
      client.on('error', (error: Error) => {
        lastFault = error.message
      })
      // Commands that are not sent again would otherwise wait for their timeout.
      client.on('close', () => {
        for (const fail of waiting) fail(new Error('the connection was cut'))
      })
    }
    return client
  }

  async function unlessCut<T>(answer: Promise<T>): Promise<T> {
    // Marked handled: it may reject at its timeout, which must not crash the process.
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
    throw new WritError('REDIS_UNSET')
  }
  // The parser's error would contain the password.
  const parsed = URL.parse(url)
  if (parsed === null || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === '') {
    throw new WritError('REDIS_UNREACHABLE.address')
  }
  const { password, host, pathname } = parsed
  return {
    href: url,
    shown: `${host}${pathname}`,
    secrets: [password, percentDecoded(password)].filter((one) => one !== ''),
  }
}

function explain(error: unknown, { shown, secrets }: Address, lastFault: string): WritError {
  const refused = error instanceof Error && error.name === 'ReplyError'
  const message = refused ? error.message : lastFault || messageOf(error)
  const at = { where: shown, why: secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message) }
  // No cause: the driver's error contains the command and its secrets.
  return refused ? new WritError('REDIS_REFUSED', at) : new WritError('REDIS_UNREACHABLE', at)
}
