import { clip } from '../../base/text.ts'
import { orAborted } from '../../base/wait.ts'
import { WritError } from '../../errors/writ-error.ts'
import type { RedisLink } from '../../storage/redis.ts'
import { keyOf, ownedKey } from '../../storage/transcript-text.ts'
import { defineTool, type Tool } from '../tool.ts'

interface RedisContextArgs {
  operation: 'get' | 'set' | 'append' | 'expire' | 'delete'
  key: string
  value?: string
  ttl_seconds?: number
}

/** Limits the tool to its own keys: other programs and transcripts use other prefixes. */
const PREFIX = 'writ:context:'
const MAX_SHOWN = 32_000
const MAX_VALUE = 64_000
const MAX_BYTES = 1024 * 1024
const A_YEAR_S = 31_536_000

/** Returns the new length, or -1 if it would be too long. Atomic: otherwise two appends could both pass the check. */
const APPEND = `
if redis.call('STRLEN', KEYS[1]) + #ARGV[1] > tonumber(ARGV[2]) then return -1 end
local length = redis.call('APPEND', KEYS[1], ARGV[1])
if ARGV[3] ~= '' then redis.call('EXPIRE', KEYS[1], ARGV[3]) end
return length`

export function redisContextTool(redis: RedisLink): Tool {
  return defineTool<RedisContextArgs>({
    name: 'redis_context',
    description:
      'Keep short texts in Redis under a key: `get`, `set` a value, `append` to it, `expire` after some seconds, `delete` it. Answers in JSON.',
    schema: {
      type: 'object',
      properties: {
        operation: { type: 'string', enum: ['get', 'set', 'append', 'expire', 'delete'] },
        // NUL separates a key from its owner.
        key: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[^\\u0000]*$' },
        value: { type: 'string', maxLength: MAX_VALUE, description: 'For set and append.' },
        ttl_seconds: {
          type: 'integer',
          minimum: 1,
          maximum: A_YEAR_S,
          description: 'For expire; for set and append if the value should expire.',
        },
      },
      required: ['operation', 'key'],
      additionalProperties: false,
    },
    family: 'memory',
    risk: 'Low',
    // Other programs may write these keys too.
    trust: 'external',
    readOnly: false,
    touchesFiles: false,
    callMs: 15_000,

    check({ operation, ...args }, { open, lang }) {
      if (operation === undefined) return []
      const has = (key: 'value' | 'ttl_seconds') => args[key] !== undefined || open.includes(key)
      const problem = misfitOf(operation, { value: has('value'), ttl: has('ttl_seconds') })
      return problem === undefined ? [] : [{ key: 'operation', message: problem.textIn(lang).message }]
    },

    preValidate(args) {
      const { operation, key, value, ttl_seconds } = checkedArgs(args)
      if (operation === 'get') return { risk: 'Low', readOnly: true }
      const until = ttl_seconds === undefined ? '' : ` (for ${ttl_seconds} s)`
      const preview = `redis ${operation} ${key}${until}${value === undefined ? '' : `\n${clip(value, 2000)}`}`
      return {
        risk: 'Medium',
        preview,
        approvalKeys: [operation],
        ...(operation === 'delete' ? { deed: 'delete' as const } : {}),
      }
    },

    async execute(args, { signal, owner }) {
      const place = PREFIX + keyOf(ownedKey(args.key, owner))
      return JSON.stringify(await orAborted(perform(redis, checkedArgs(args), place), signal))
    },
  }) as Tool
}

async function perform(
  redis: RedisLink,
  { operation, key, value = '', ttl_seconds }: RedisContextArgs,
  place: string,
): Promise<Record<string, unknown>> {
  const ttl = ttl_seconds === undefined ? [] : ['EX', ttl_seconds]
  switch (operation) {
    case 'get': {
      const held = await redis.call('GET', place)
      return typeof held === 'string' ? { found: true, value: clip(held, MAX_SHOWN) } : { found: false }
    }
    case 'set':
      await redis.call('SET', place, value, ...ttl)
      return { stored: true }
    case 'append': {
      const length = await redis.call('EVAL', APPEND, 1, place, value, MAX_BYTES, ttl_seconds ?? '')
      if (length === -1) throw new WritError('VALUE_TOO_LONG', { key, most: MAX_BYTES })
      return { bytes: length }
    }
    case 'expire':
      return { found: (await redis.call('EXPIRE', place, ttl_seconds ?? 0)) === 1 }
    case 'delete':
      return { deleted: (await redis.call('DEL', place)) === 1 }
  }
}

function checkedArgs(args: RedisContextArgs): RedisContextArgs {
  const { operation, value, ttl_seconds } = args
  const problem = misfitOf(operation, { value: value !== undefined, ttl: ttl_seconds !== undefined })
  if (problem !== undefined) throw problem
  return args
}

/** Which arguments an operation needs and does not take; as a schema, the error would be unreadable for a model. */
function misfitOf(
  operation: RedisContextArgs['operation'],
  has: { value: boolean; ttl: boolean },
): WritError | undefined {
  const takesValue = operation === 'set' || operation === 'append'
  const fault = (kind: 'missing' | 'extra', argument: string) =>
    new WritError(`ARGS_INVALID.${kind}`, { of: operation, argument })
  if (takesValue !== has.value) return fault(takesValue ? 'missing' : 'extra', 'value')
  if (operation === 'expire' && !has.ttl) return fault('missing', 'ttl_seconds')
  return !takesValue && operation !== 'expire' && has.ttl ? fault('extra', 'ttl_seconds') : undefined
}
