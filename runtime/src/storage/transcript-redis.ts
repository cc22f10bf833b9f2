/** Histories in Redis: one key each, with a JSON array and an expiry. */
import { setTimeout as wait } from 'node:timers/promises'
import { WritError } from '../errors/writ-error.ts'
import type { TranscriptArchive, TranscriptMessage } from '../ports/transcripts.ts'
import type { RedisLink } from './redis.ts'
import { keyOf, readHistory } from './transcript-text.ts'

const PREFIX = 'writ:transcript:'
const ATTEMPTS = 200
const MAX_PAUSE_MS = 20

const READ = `
local held = redis.call('GET', KEYS[1])
if not held then return {} end
return {held, redis.sha1hex(held)}`

/** Writes only if the value is unchanged since it was read. */
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
        // Random delays: equal ones would collide again.
        await wait(Math.random() * MAX_PAUSE_MS)
      }
      throw new WritError('TRANSCRIPT_BUSY', { session: keyOf(session) })
    },
  }
}
