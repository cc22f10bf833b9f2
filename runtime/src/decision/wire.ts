/** S2's wire, read as strictly as serde would: snake_case, enums tagged from outside, no unknown keys. */
import { isObject } from '../base/json.ts'
import { nearest } from '../base/text.ts'
import {
  ACTION_TYPES,
  ACTION_URGENCIES,
  type AuthorizedAction,
  type DecisionBackendResult,
  EXTENSION_CATEGORIES,
  type Intent,
  type IntentBatch,
  type IntentType,
  type StructuredContext,
  type SuggestedAction,
} from '../protocol/action.ts'
import { DECISION_ROUTES, RISK_LEVELS } from '../protocol/risk.ts'
import {
  absent,
  fraction,
  integer,
  list,
  object,
  oneOf,
  option,
  type Read,
  readText,
  readValue,
  text,
} from './reader.ts'

export const MAX_BATCH_BYTES = 5 * 1024 * 1024
const MAX_TAGS = 16
const MAX_TAG = 64

const tags = list(text(MAX_TAG), MAX_TAGS)
const category = oneOf(EXTENSION_CATEGORIES)

const action = object<SuggestedAction>({
  action_type: oneOf(ACTION_TYPES),
  target: option(text()),
  urgency: oneOf(ACTION_URGENCIES),
})

const VARIANTS: Record<string, Read<string>> = {
  OpenApp: text(),
  SwitchToApp: text(),
  CheckNotification: text(),
  HandleFile: category,
  EnterContext: text(),
}

const intentType: Read<IntentType> = (value, spot) => {
  if (value === 'Idle') return value
  const [entry, ...others] = isObject(value) ? Object.entries(value) : []
  const [name = '', inner] = entry ?? []
  const read = Object.hasOwn(VARIANTS, name) ? VARIANTS[name] : undefined
  if (read !== undefined && others.length === 0) {
    return { [name]: read(inner, { ...spot, path: `${spot.path}.${name}` }) } as IntentType
  }
  const given = typeof value === 'string' ? value : name
  const meant = read === undefined ? nearest(given, [...Object.keys(VARIANTS), 'Idle']) : undefined
  const { missing, wrong, expected, didYouMean } = spot.texts
  const found = JSON.stringify(value)?.slice(0, 60) ?? ''
  const guess = meant === undefined ? '' : `; ${didYouMean({ name: meant })}`
  spot.complain(spot.path, value === undefined ? missing : `${wrong({ found, expected: expected.intentType })}${guess}`)
  return 'Idle'
}

/** What verdicts and counts are kept under: an empty one would name nothing. */
const name: Read<string> = (value, spot) => {
  const found = text()(value, spot)
  if (typeof value === 'string' && value.trim() === '') spot.complain(spot.path, spot.texts.empty)
  return found
}

const intent = object<Intent>({
  intent_id: name,
  intent_type: intentType,
  confidence: fraction,
  risk_level: oneOf(RISK_LEVELS),
  suggested_actions: list(action),
  rationale_tags: tags,
})

/** An id said twice would let one intent spend the other's allowance. */
const intents: Read<Intent[]> = (value, spot) => {
  const found = list(intent)(value, spot)
  const seen = new Set<string>()
  for (const [i, raw] of (Array.isArray(value) ? value : []).entries()) {
    if (!isObject(raw) || typeof raw.intent_id !== 'string') continue
    const { intent_id } = raw
    if (seen.has(intent_id)) spot.complain(`${spot.path}[${i}].intent_id`, spot.texts.twice({ value: intent_id }))
    seen.add(intent_id)
  }
  return found
}

const batch = object<IntentBatch>({
  window_id: text(),
  intents,
  generated_at_ms: integer(),
  model: text(),
})

const result = object<DecisionBackendResult>({
  route: oneOf(DECISION_ROUTES),
  intent_batch: batch,
  rationale_tags: tags,
  latency_us: integer('natural'),
  error: option(text()),
})

const authorized = object<AuthorizedAction>({ intent_id: text(), action, authorized_at_ms: integer() })

const texts = list(text())
const context = object<Omit<StructuredContext, 'window_id'> & { window_id: string | null }>({
  window_id: option(text()),
  packages: texts,
  paths: texts,
  notifications: absent(texts, []),
  extension_categories: absent(list(category), []),
  scenes: absent(texts, []),
})

export interface Origin {
  /** The file or backend it comes from. */
  origin: string
}

export function parseBatch(given: string, { origin }: Origin): IntentBatch {
  return readText(given, batch, { origin, code: 'BATCH_INVALID' })
}

/** A context that names no window is taken for the batch's own; one that names another says nothing about it. */
export function parseContext(given: string, { origin, windowId }: Origin & { windowId?: string }): StructuredContext {
  const source = { origin, code: 'CONTEXT_INVALID' } as const
  const checked: typeof context = (value, spot) => {
    const found = context(value, spot)
    if (windowId !== undefined && found.window_id !== null && found.window_id !== windowId) {
      spot.complain('window_id', spot.texts.otherWindow({ context: found.window_id, batch: windowId }))
    }
    return found
  }
  const found = readText(given, checked, source)
  return { ...found, window_id: found.window_id ?? windowId ?? '' }
}

/** Intents from a model or another untrusted source, already parsed as JSON. */
export function checkIntents(value: unknown, { origin }: Origin): Intent[] {
  return readValue(value, object<{ intents: Intent[] }>({ intents }), { origin, code: 'BATCH_INVALID' }).intents
}

export function checkResult(value: unknown, { origin }: Origin): DecisionBackendResult {
  return readValue(value, result, { origin, code: 'BATCH_INVALID' })
}

/** An action that a caller claims to be authorised for; only for the record. */
export function claimedAction(value: unknown): AuthorizedAction | undefined {
  try {
    return readValue(value, authorized, { origin: '', code: 'BATCH_INVALID' })
  } catch {
    return undefined
  }
}

/** S2-10, S2-11: by confidence, descending and stable; `ordinals` says where each intent stood before. */
export function inOrder(given: IntentBatch): { batch: IntentBatch; ordinals: number[]; reordered: boolean } {
  const ranked = given.intents
    .map((each, ordinal) => ({ each, ordinal }))
    .sort((a, b) => b.each.confidence - a.each.confidence)
  const ordinals = ranked.map(({ ordinal }) => ordinal)
  const reordered = ordinals.some((ordinal, i) => ordinal !== i)
  return { batch: { ...given, intents: ranked.map(({ each }) => each) }, ordinals, reordered }
}
