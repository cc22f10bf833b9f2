/** What of an observed window leaves for a model: the fields the operator chose, with secrets masked. */
import type { Json, JsonObject } from '../base/json.ts'
import type { Redact } from '../journal/redact.ts'
import type { ContextField, Intent, IntentType, StructuredContext } from '../protocol/action.ts'

export interface Disclosure {
  fields: readonly ContextField[]
  redact: Redact
}

export interface Disclosed {
  sent: JsonObject
  /** The model answers with what it was shown; this puts observed names back where a part of them was masked. */
  restore(intents: readonly Intent[]): Intent[]
}

const MARK = '[REDACTED:private]'

/**
 * Beyond what the journal masks. The journal stays on this computer and has to be readable; what is sent away is
 * masked on suspicion, since a masked name can be put back.
 */
const SUSPECTS: readonly { pattern: RegExp; keep?: true; when?: (match: string) => boolean }[] = [
  // name=value and name: value, also inside addresses
  {
    pattern:
      /((?<![a-z])(?:token|secret|key|pass(?:word|wd|code|phrase)?|pwd|pin|otp|auth|session(?:id)?|sid|sig(?:nature)?|credentials?|code|密码|口令|密钥|令牌)["']?\s{0,4}(?:=|:|：|%3d)\s{0,4}["']?)[^\s"'&#;,/]{3,400}/gi,
    keep: true,
  },
  { pattern: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi },
  // card and account numbers
  { pattern: /\d(?:[ -]?\d){11,18}/g },
  { pattern: /[A-Za-z0-9_+=-]{16,4000}/g, when: looksRandom },
]

/** A text that speaks of a one-time code gives none of its numbers away. */
const SPEAKS_OF_CODES = /(?<![a-z])(?:code|otp|pin|passcode|2fa|verification)(?![a-z])|验证码|校验码|动态码|口令|密码/i
const CODES = /\d(?:[ -]?\d){3,9}/g

export function disclose(context: StructuredContext, { fields, redact }: Disclosure): Disclosed {
  const sent: Record<string, Json> = {}
  const shown = new Map<string, Set<string>>()
  for (const field of fields) {
    sent[field] = context[field].map((observed: string) => {
      const masked = mask(redact(observed))
      const originals = shown.get(masked) ?? new Set()
      shown.set(masked, originals.add(observed))
      return masked
    })
  }
  const original = (name: string): string => {
    const [only, ...others] = shown.get(name) ?? []
    return only === undefined || others.length > 0 ? name : only
  }
  return { sent, restore: (intents) => intents.map((intent) => restored(intent, original)) }
}

function mask(text: string): string {
  let out = SPEAKS_OF_CODES.test(text) ? text.replace(CODES, MARK) : text
  for (const { pattern, keep, when } of SUSPECTS) {
    out = out.replace(pattern, (match: string, name: unknown) => {
      if (when?.(match) === false) return match
      return keep === true ? `${name}${MARK}` : MARK
    })
  }
  return out
}

/** Letters of both cases among digits, or one long unbroken run of letters and digits: no word is written so. */
function looksRandom(text: string): boolean {
  const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text) && (text.match(/\d/g)?.length ?? 0) > 2
  const longest = Math.max(...text.split(/[_+=-]/).map((part) => part.length))
  return isMixed || (longest >= 20 && /\d/.test(text) && /[a-z]/i.test(text))
}

function restored(intent: Intent, original: (name: string) => string): Intent {
  const { intent_type, suggested_actions } = intent
  return {
    ...intent,
    intent_type: restoredType(intent_type, original),
    suggested_actions: suggested_actions.map((action) =>
      action.target === null ? action : { ...action, target: original(action.target) },
    ),
  }
}

function restoredType(type: IntentType, original: (name: string) => string): IntentType {
  if (type === 'Idle' || 'HandleFile' in type) return type
  const [[kind, name] = ['', '']] = Object.entries(type)
  return { [kind]: original(name) } as IntentType
}
