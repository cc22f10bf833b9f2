import { createHash, createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { present } from '../../base/present.ts'
import { clip } from '../../base/text.ts'
import { WritError } from '../../errors/writ-error.ts'
import { clipPreview } from '../../protocol/preview.ts'
import { isConnectionFailure } from '../guard/connection-failure.ts'
import { classifyAddress, describeHost, hostOf } from '../guard/hosts.ts'
import { defineTool, type Tool, type ToolOutput, type World } from '../tool.ts'

interface FeishuBotArgs {
  msg_type: 'text' | 'post' | 'interactive'
  text?: string
  post?: { title?: string; content: JsonObject[][] }
  card?: JsonObject
  webhook?: string
  secret_variable?: string
}

const PARTS = { text: 'text', post: 'post', interactive: 'card' } as const
const MAX_MS = 15_000
/** Feishu's limit per request. */
const MAX_BODY = 20 * 1024
const MAX_ANSWER = 16 * 1024
const MARK_LENGTH = 12
/** Feishu's codes for rate limiting: nothing was sent, and a retry may succeed. */
const BUSY_CODES = new Set([11232, 11233, 11247, 99991400])
const PAUSES_MS = [500, 1500, 3000]
/** The last part is a secret. Anything else in a path would not be masked in the journal. */
const HOOK = /^(\/open-apis\/bot\/v2\/hook\/)[A-Za-z0-9-]{16,80}$/

const element = {
  type: 'object',
  properties: {
    tag: { type: 'string', enum: ['text', 'a', 'at', 'img'] },
    text: { type: 'string' },
    href: { type: 'string' },
    user_id: { type: 'string' },
    user_name: { type: 'string' },
    image_key: { type: 'string' },
  },
  required: ['tag'],
  additionalProperties: false,
}

export function feishuBotTool({ clock }: { clock: Clock }): Tool {
  return defineTool<FeishuBotArgs>({
    name: 'feishu_bot',
    description:
      'Send a message to a Feishu (Lark) group through its custom bot: `text`, a `post` of lines, or an `interactive` card. The group is the one the user has set up.',
    schema: {
      type: 'object',
      properties: {
        msg_type: { type: 'string', enum: ['text', 'post', 'interactive'] },
        text: { type: 'string', minLength: 1, maxLength: 15_000, description: 'For text.' },
        post: {
          type: 'object',
          properties: {
            title: { type: 'string', maxLength: 500 },
            content: { type: 'array', minItems: 1, items: { type: 'array', items: element } },
          },
          required: ['content'],
          additionalProperties: false,
          description:
            'For post: lines of elements, such as {"tag":"text","text":"…"} and {"tag":"a","text":"…","href":"…"}.',
        },
        card: { type: 'object', description: 'For interactive: a Feishu card.' },
        webhook: { type: 'string', maxLength: 500, description: 'Address of the bot; FEISHU_WEBHOOK when absent.' },
        secret_variable: {
          type: 'string',
          pattern: '^FEISHU_[A-Z0-9_]*SECRET$',
          description: 'Name of the variable that holds the signing secret; FEISHU_SECRET when absent.',
        },
      },
      required: ['msg_type'],
      additionalProperties: false,
    },
    family: 'network',
    risk: 'Medium',
    trust: 'external',
    readOnly: false,
    touchesFiles: false,
    callMs: MAX_MS,

    check(args, { open, lang }) {
      const { msg_type } = args
      if (msg_type === undefined) return []
      const parts = Object.values(PARTS).filter((part) => args[part] !== undefined || open.includes(part))
      const needed = PARTS[msg_type]
      const extra = parts.filter((part) => part !== needed)
      const problem = (fault: 'missing' | 'extra', key: string) => {
        const error = new WritError(`ARGS_INVALID.${fault}`, { of: msg_type, argument: key })
        return { key, message: error.textIn(lang).message }
      }
      return [
        ...(parts.includes(needed) ? [] : [problem('missing', needed)]),
        ...extra.map((part) => problem('extra', part)),
      ]
    },

    preValidate(args, { env }) {
      const message = messageFrom(args)
      const shown = withoutToken(webhookOf(args, env))
      return {
        deed: 'send',
        hosts: [describeHost(shown, 'POST')],
        // The configured group was chosen by the user; an address in the arguments may come from an untrusted source.
        ...present({ targets: args.webhook === undefined ? undefined : [{ kind: 'url' as const, value: shown }] }),
        preview: clipPreview(`Feishu ${shown}\n${JSON.stringify(message, undefined, 2)}`, 8_000),
        // All groups of a company share a host: an "always" covers only one of them.
        approvalKeys: [shown],
      }
    },

    async execute(args, { world, signal }): Promise<ToolOutput> {
      const url = webhookOf(args, world.env)
      const body = JSON.stringify({ ...signed(secretOf(args, world.env), clock), ...messageFrom(args) })
      if (Buffer.byteLength(body) > MAX_BODY) {
        return { ok: false, code: 'MESSAGE_TOO_LONG', error: `the message is longer than ${MAX_BODY} bytes` }
      }
      return send(url, body, { world, signal })
    },
  }) as Tool
}

/** Feishu's algorithm: the timestamp and the secret form the key; the signed message is empty. */
function signatureOf(secret: string, timestamp: string): string {
  return createHmac('sha256', `${timestamp}\n${secret}`).digest('base64')
}

function signed(secret: string | undefined, clock: Clock): { timestamp?: string; sign?: string } {
  if (secret === undefined) return {}
  const timestamp = String(Math.floor(clock.now() / 1000))
  return { timestamp, sign: signatureOf(secret, timestamp) }
}

function messageFrom(args: FeishuBotArgs): JsonObject {
  const { msg_type, text, post, card } = args
  for (const [kind, part] of Object.entries(PARTS)) {
    const isThere = args[part] !== undefined
    if (kind === msg_type && !isThere) throw new WritError('ARGS_INVALID.missing', { of: msg_type, argument: part })
    if (kind !== msg_type && isThere) throw new WritError('ARGS_INVALID.extra', { of: msg_type, argument: part })
  }
  switch (msg_type) {
    case 'text':
      return { msg_type, content: { text } }
    case 'post':
      return { msg_type, content: { post: { zh_cn: post } } }
    case 'interactive':
      return { msg_type, card }
  }
}

function webhookOf({ webhook }: FeishuBotArgs, env: World['env']): URL {
  const given = webhook ?? env.FEISHU_WEBHOOK
  if (given === undefined || given === '') {
    throw new WritError('FEISHU_UNSET')
  }
  const url = URL.parse(given)
  // The address is not shown: all of it may be secret.
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '' || !HOOK.test(url.pathname)) {
    throw new WritError('FEISHU_WEBHOOK')
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && classifyAddress(hostOf(url)) === 'loopback')) {
    throw new WritError('FEISHU_WEBHOOK.https')
  }
  return url
}

/** Distinguishes bots without revealing their tokens. Shorter than what the journal masks as a token. */
function withoutToken(url: URL): string {
  const mark = createHash('sha256').update(url.href).digest('hex').slice(0, MARK_LENGTH)
  return url.origin + url.pathname.replace(HOOK, `$1${mark}`)
}

function secretOf({ secret_variable }: FeishuBotArgs, env: World['env']): string | undefined {
  const secret = env[secret_variable ?? 'FEISHU_SECRET']
  if (secret !== undefined && secret !== '') return secret
  if (secret_variable === undefined) return undefined
  throw new WritError('FEISHU_UNSET.secret', { name: secret_variable })
}

/** Retries while Feishu is busy, within the time limit. */
async function send(
  url: URL,
  body: string,
  { world, signal }: { world: World; signal: AbortSignal },
): Promise<ToolOutput> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)])
  const until = performance.now() + MAX_MS
  for (const pause of [...PAUSES_MS, undefined]) {
    const { output, retryMs = pause } = await post(url, body, { world, signal, limit })
    const isBusy = !output.ok && output.code === 'FEISHU_BUSY'
    if (!isBusy || pause === undefined || retryMs === undefined || performance.now() + retryMs >= until) return output
    await delay(retryMs, undefined, { signal: limit }).catch(() => signal.throwIfAborted())
    if (limit.aborted) return output
  }
  throw new Error('unreachable')
}

interface Posted {
  output: ToolOutput
  /** How long Feishu asks to wait. */
  retryMs?: number | undefined
}

async function post(
  url: URL,
  body: string,
  { world, signal, limit }: { world: World; signal: AbortSignal; limit: AbortSignal },
): Promise<Posted> {
  // Loaded on first use: every run lists this tool, few call it.
  const [{ guardedAgent }, { request }] = await Promise.all([import('../guard/connect.ts'), import('undici')])
  const agent = guardedAgent(world.allowedHosts)
  try {
    // Redirects are not followed: their target was not judged.
    const response = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'user-agent': 'writ', 'content-type': 'application/json; charset=utf-8' },
      body,
      signal: limit,
    })
    response.body.on('error', () => {})
    const retryAfterS = secondsIn(response.headers['retry-after'])
    const output = interpretReply(response.statusCode, retryAfterS, await startOf(response.body))
    return { output, retryMs: retryAfterS === undefined ? undefined : retryAfterS * 1000 }
  } catch (error) {
    signal.throwIfAborted()
    const refused = [error, (error as { cause?: unknown }).cause].find((one) => one instanceof WritError)
    if (refused instanceof WritError) return { output: { ok: false, code: refused.code, error: refused.message } }
    const message = `Feishu could not be reached, or did not answer: ${messageOf(error)}`
    return { output: { ok: false, error: message, ...(isConnectionFailure(error) && { notDone: true }) } }
  } finally {
    await agent.destroy()
  }
}

function secondsIn(retryAfter: string | string[] | undefined): number | undefined {
  return typeof retryAfter === 'string' && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined
}

async function startOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MAX_ANSWER) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Only code 0 means sent: Feishu reports most refusals with HTTP 200, and some with HTTP 400. */
function interpretReply(status: number, retryAfterS: number | undefined, text: string): ToolOutput {
  const answer = parsed(text)
  const code = answer?.code ?? answer?.StatusCode
  if (status >= 200 && status < 300 && code === 0) return { ok: true, text: JSON.stringify({ sent: true }) }
  const detail = clip(String(answer?.msg ?? answer?.StatusMessage ?? text), 500)
  const why = [typeof code === 'number' ? String(code) : '', detail].filter((part) => part !== '').join(' ')
  if (status === 429 || BUSY_CODES.has(Number(code))) {
    const error = [
      ...(status === 200 ? [] : [`HTTP ${status}`]),
      `too many messages${retryAfterS === undefined ? '' : `; try again in ${retryAfterS} s`}`,
      ...(why === '' ? [] : [why]),
    ].join(': ')
    return { ok: false, code: 'FEISHU_BUSY', error, notDone: true }
  }
  // An error code of Feishu means refused. A server error may come after the message was sent.
  if (typeof code === 'number' && code !== 0 && status < 500) {
    return { ok: false, code: 'FEISHU_REFUSED', error: `Feishu did not send it: ${why}`, notDone: true }
  }
  if (status < 200 || status >= 300) {
    return { ok: false, code: 'FEISHU_FAILED', error: `HTTP ${status}${why === '' ? '' : `: ${why}`}` }
  }
  return {
    ok: false,
    code: 'FEISHU_UNCLEAR',
    error: 'the response did not come from Feishu; the message may not have been sent',
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
