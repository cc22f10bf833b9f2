/** Histories in Redis: one key each, holding a JSON array, gone when its time is up. */
import { setTimeout as wait } from 'node:timers/promises'
import { WritError } from '../base/errors.ts'
import type { RedisLink } from './redis.ts'
import type { TranscriptArchive, TranscriptMessage } from './transcript-port.ts'
import { keyOf, readHistory } from './transcript-text.ts'

const PREFIX = 'writ:transcript:'
const ATTEMPTS = 200
const MAX_PAUSE_MS = 20

const READ = `
local held = redis.call('GET', KEYS[1])
if not held then return {} end
return {held, redis.sha1hex(held)}`

/** Writes only if nobody has written since it was read. */
const SWAP = `
local held = redis.call('GET', KEYS[1])
if (held and redis.sha1hex(held) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`

export function redisTranscripts(redis: RedisLink): TranscriptArchive {
  async function read(session: string): Promise<{ held: TranscriptMessage[]; mark: string }> {
    const [text, mark = ''] = (await redis.call('EVAL', READ, 1, PREFIX + keyOf(session))) as string[]
    return { held: readHistory(text, session), mark }
  }
  return {
    read: async (session) => (await read(session)).held,
    async change(session, { rewrite, keepMs }) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const { held, mark } = await read(session)
        const messages = rewrite(held)
        const text = JSON.stringify(messages)
        if ((await redis.call('EVAL', SWAP, 1, PREFIX + keyOf(session), mark, text, keepMs)) === 1) return messages
        // All at the same pace would get into each other's way again.
        await wait(Math.random() * MAX_PAUSE_MS)
      }
      throw new WritError('TRANSCRIPT_BUSY', `others kept writing to the session ${keyOf(session)}`, {
        hint: 'Try again; nothing of this was stored.',
      })
    },
  }
}
