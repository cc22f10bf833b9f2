/** Masks secrets before they reach the journal, and with it prompts, streams and traces. */

export type Redact = <T>(value: T) => T

/** Patterns of well-known credentials. Each is linear: no nested quantifiers. */
const SHAPES: readonly { kind: string; pattern: RegExp; keep?: number }[] = [
  {
    kind: 'private-key',
    pattern: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{1,20000}-----END [A-Z ]{0,30}PRIVATE KEY-----/g,
  },
  { kind: 'api-key', pattern: /\bsk-[A-Za-z0-9_-]{16,200}/g },
  { kind: 'google-key', pattern: /\bAIza[A-Za-z0-9_-]{30,60}/g },
  { kind: 'aws-key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'github-token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{30,255})/g },
  { kind: 'gitlab-token', pattern: /\bglpat-[A-Za-z0-9_-]{20,100}/g },
  { kind: 'slack-token', pattern: /\bxox[abeprs]-[A-Za-z0-9-]{10,250}/g },
  { kind: 'writ-token', pattern: /\bwrit_[A-Za-z0-9_-]{43}\b/g },
  { kind: 'npm-token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'zhipu-key', pattern: /\b[0-9a-f]{32}\.[A-Za-z0-9]{16}\b/g },
  { kind: 'jwt', pattern: /\beyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,4000}/g },
  { kind: 'bearer', pattern: /\b(bearer|basic)(\s{1,4})[A-Za-z0-9._~+/=-]{12,4000}/gi, keep: 2 },
  { kind: 'feishu-hook', pattern: /(\/open-apis\/bot\/v2\/hook\/)()[A-Za-z0-9-]{16,80}/g, keep: 2 },
  { kind: 'url-password', pattern: /(:\/\/[^\s:@/]{0,200}:)()[^\s:@/]{1,200}(?=@)/g, keep: 2 },
  {
    kind: 'assignment',
    pattern:
      /\b((?:api[_-]?key|access[_-]?token|auth[_-]?token|client[_-]?secret|secret[_-]?key|password|passwd)\\{0,4}["']?)(\s{0,4}[=:]\s{0,4}\\{0,4}["']?)(?:(?!\\{1,4}["'])[^\s"'&,;]){6,400}/gi,
    keep: 2,
  },
]

/** All patterns in one. Most text matches none of them and needs only this test. */
const SUSPECT = new RegExp(SHAPES.map(({ pattern }) => pattern.source).join('|'), 'i')

/** Names of fields whose whole value is a secret. */
const SECRET_FIELDS =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|x-api-key|api[-_]?key|client[-_]?secret|password|passwd|secret)$/i

const MARK = '[REDACTED:'

/** Shorter values cannot be recognised as credentials by their pattern. */
const MIN_EXACT = 6
const MIN_SCANNED = 10

/** The same few hundred names of fields come in every event. */
const MOST_NAMES = 1000
const NAME_MAX = 64

/** `secrets` are masked wherever they appear, also as JSON text, hexadecimal, URL-encoded or base64. */
export function makeRedactor(secrets: readonly string[]): Redact {
  const exact = exactPattern(secrets)
  const plainNames = new Set<string>()
  const scrub = (text: string): string => {
    let out = exact === undefined ? text : text.replace(exact, `${MARK}secret]`)
    if (out.length < MIN_SCANNED || !SUSPECT.test(out)) return out
    for (const { kind, pattern, keep } of SHAPES) {
      out = out.replace(pattern, (_match, ...groups: unknown[]) =>
        keep === undefined ? `${MARK}${kind}]` : `${groups.slice(0, keep).join('')}${MARK}${kind}]`,
      )
    }
    return out
  }
  const isPlainName = (name: string): boolean => {
    if (plainNames.has(name)) return true
    const isPlain = !SECRET_FIELDS.test(name) && scrub(name) === name
    if (isPlain && name.length <= NAME_MAX && plainNames.size < MOST_NAMES) plainNames.add(name)
    return isPlain
  }
  const scrubber = { scrub, isPlainName }
  return (value) => walk(value, scrubber) as typeof value
}

export function hasRedaction(value: unknown): boolean {
  return JSON.stringify(value)?.includes(MARK) ?? false
}

interface Scrubber {
  scrub(text: string): string
  /** Of a field: without a secret, and not the name of one. */
  isPlainName(name: string): boolean
}

/** Unchanged parts are not copied. */
function walk(value: unknown, scrubber: Scrubber): unknown {
  if (typeof value === 'string') return scrubber.scrub(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined
    value.forEach((item, i) => {
      const next = walk(item, scrubber)
      if (next !== item) {
        copy ??= [...value]
        copy[i] = next
      }
    })
    return copy ?? value
  }
  const record = value as Record<string, unknown>
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(record)) {
    const item = record[key]
    const isPlain = scrubber.isPlainName(key)
    const next =
      !isPlain && typeof item === 'string' && item !== '' && SECRET_FIELDS.test(key)
        ? `${MARK}${key.toLowerCase()}]`
        : walk(item, scrubber)
    const cleanKey = isPlain ? key : scrubber.scrub(key)
    if (next !== item || cleanKey !== key) {
      copy ??= { ...record }
      if (cleanKey !== key) delete copy[key]
      copy[cleanKey] = next
    }
  }
  return copy ?? record
}

function exactPattern(secrets: readonly string[]): RegExp | undefined {
  const spellings = new Set<string>()
  for (const secret of secrets) {
    if (secret.length < MIN_EXACT) continue
    for (const spelling of spellingsOf(secret)) if (spelling.length >= MIN_EXACT) spellings.add(spelling)
  }
  if (spellings.size === 0) return undefined
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map((text) => RegExp.escape(text)).join('|'), 'g')
}

function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8')
  const hex = bytes.toString('hex')
  const url = encodeURIComponent(secret)
  const json = JSON.stringify(secret).slice(1, -1)
  return [
    secret,
    json,
    // Nested JSON, and JSON with escaped non-ASCII characters.
    JSON.stringify(json).slice(1, -1),
    json.replaceAll('/', '\\/'),
    json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    hex,
    hex.toUpperCase(),
    url,
    url.replaceAll('%20', '+'),
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    url.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`),
    encodeURI(secret),
    ...base64Of(bytes),
  ]
}

/** Base64 of a secret at any offset, as in `user:secret`: only the digits that do not depend on its neighbours. */
function base64Of(bytes: Buffer): string[] {
  const whole = bytes.toString('base64').replace(/=+$/, '')
  const inside = [0, 1, 2].map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const from = Math.ceil((before * 8) / 6)
    const to = Math.floor(((before + bytes.length) * 8) / 6)
    return digits.slice(from, to)
  })
  return [whole, ...inside].flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
}
