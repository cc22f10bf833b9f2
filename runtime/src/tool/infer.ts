/**
 * What a tool that declares little is likely to be, from its name, its description, its schema and its hints. A name
 * that says "send" outweighs a hint that says read-only: the hint is the stranger's own word.
 */
import { WritError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { DEED_WORDS } from '../gate/deed-words.ts'
import { distinctIn } from '../gate/sightings.ts'
import { familyOf } from '../intent/families.ts'
import { DEEDS, type Deed, type TargetFact } from '../protocol/facts.ts'
import type { ToolFamily } from '../protocol/intent.ts'
import type { RiskLevel } from '../protocol/risk.ts'

export interface DeclaredTool {
  name: string
  description?: string
  schema?: JsonObject
  family?: ToolFamily
  risk?: RiskLevel
  /** What its user says of it; unlike a hint, it is believed. */
  readOnly?: boolean
  /** What its user says a call does; a name that says it more exactly comes first. */
  deed?: Deed
  annotations?: { readOnlyHint?: boolean }
  /** Arguments that say whom or what a call is aimed at. */
  targetParams?: readonly string[]
}

export interface Inferred {
  family: ToolFamily
  /** Medium at most: High is for those who declare it. */
  risk: RiskLevel
  readOnly: boolean
  deed: Deed
  targetsOf(args: unknown): TargetFact[]
}

const words = (list: string) => list.split(' ').filter((word) => word !== '')
const READS = new Set(
  words(
    'get list search read find view fetch query check lookup retrieve show describe count download access inspect explore summarize summarise calculate compute compare translate detect analyze analyse validate preview browse scan monitor stat history status is has recommend estimate resolve_name echo ask navigate suggest rank',
  ),
)
const BY_WORD = (kind: 'verbs' | 'nouns') =>
  new Map<string, Deed>(
    [...DEEDS]
      .reverse()
      .flatMap((deed) =>
        deed === 'read' || deed === 'browse'
          ? []
          : words(DEED_WORDS[deed][kind] ?? '').map((word) => [word, deed] as const),
      ),
  )
const DOES = BY_WORD('verbs')
const MAY_DO = BY_WORD('nouns')
for (const [word, deed] of [
  ['reply', 'send'],
  ['respond', 'send'],
  ['submit', 'send'],
  ['transfer', 'payment'],
  ['reset', 'account'],
  ['login', 'write'],
  ['logout', 'write'],
] as const)
  DOES.set(word, deed)

/** A plain verb does what its object says: to update a password is no mere update. */
const BY_OBJECT: readonly [Deed, RegExp][] = [
  ['payment', /^(?:transactions?|payments?|money|funds|payouts?|transfers?)$/],
  ['account', /^(?:passwords?|passcodes?|credentials?|2fa|mfa|accounts?|personal|settings)$/],
  [
    'share',
    /^(?:permissions?|access|roles?|members?|sharing|guests?|collaborators?|participants?|attendees?|visibility)$/,
  ],
]
const AMENDS = new Set(words('update modify edit change adjust reschedule'))
const QUALIFIED: readonly Deed[] = ['write', 'send', 'account']
const HARMLESS: readonly Deed[] = ['read', 'browse']
const GRAVE: readonly Deed[] = ['exec', 'payment', 'delete', 'share', 'account', 'order', 'send']

export function inferTool(declared: DeclaredTool): Inferred {
  const { name, description = '', schema = {}, family, annotations } = declared
  const byName = deedOf(tokensOf(name.replace(/^.*__/, '')))
  const deed =
    byName ??
    declared.deed ??
    deedOf(tokensOf(description).slice(0, 16).map(infinitive)) ??
    (annotations?.readOnlyHint === true ? 'read' : 'write')
  const hint = annotations?.readOnlyHint
  const certain =
    byName !== undefined && GRAVE.includes(byName) && tokensOf(name).some((word) => DOES.get(word) === byName)
  const readOnly = declared.readOnly ?? (hint === undefined ? HARMLESS.includes(deed) : hint && !certain)
  const properties = Object.keys((schema.properties as JsonObject | undefined) ?? {})
  const reaches = properties.some((property) => URL_PARAM.test(property))
  const settled = readOnly ? (reaches ? 'browse' : 'read') : deed === 'read' ? 'write' : deed
  const { targetParams, risk } = declared
  return {
    family: family ?? inferFamily(name, properties),
    risk: risk ?? (readOnly ? 'Low' : 'Medium'),
    readOnly,
    deed: settled,
    targetsOf: (args) => targetsOf(args, targetParams ?? properties.filter((property) => TARGET_PARAM.test(property))),
  }
}

function deedOf(tokens: readonly string[]): Deed | undefined {
  const first = tokens.findIndex((word) => READS.has(word) || DOES.has(word))
  const verb = tokens[first]
  // "search and delete" deletes; "get share link" reads.
  const joined = tokens.findIndex(
    (word, i) => i > first && (word === 'and' || word === 'or') && DOES.has(tokens[i + 1] ?? ''),
  )
  const next = tokens[joined + 1]
  if (verb !== undefined && READS.has(verb) && (joined < 0 || next === undefined)) return 'read'
  const said = [verb, joined < 0 ? undefined : next].flatMap((word) =>
    word === undefined ? [] : (DOES.get(word) ?? []),
  )
  const [maybe] = tokens.flatMap((word) => MAY_DO.get(word) ?? [])
  const deed = gravest(said) ?? maybe
  if (deed === undefined || !QUALIFIED.includes(deed)) return deed
  const byObject = BY_OBJECT.find(([, object]) => tokens.some((word) => object.test(word)))?.[0] ?? deed
  // To change a standing payment is a change; whom it goes to is still a target.
  return byObject === 'payment' && tokens.some((word) => AMENDS.has(word)) ? 'write' : byObject
}

function gravest(deeds: readonly Deed[]): Deed | undefined {
  return DEEDS.find((deed) => deeds.includes(deed))
}

function tokensOf(text: string): string[] {
  return text
    .slice(0, 512)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** "Sends", "retrieves", "deletes" as they stand in descriptions. */
function infinitive(word: string): string {
  if (READS.has(word) || DOES.has(word)) return word
  const bare = word.replace(/s$/, '')
  if (READS.has(bare) || DOES.has(bare)) return bare
  return word.replace(/es$/, '')
}

const URL_PARAM = /^(?:url|uri|link|href|website|webpage|page_url|address_url|endpoint)s?$/i
const PATH_PARAM = /(?:^|_|[a-z](?=P))(?:path|file|filename|folder|directory)s?$/i
const TARGET_PARAM =
  /(?:^|_|-|(?<=[a-z])(?=[A-Z]))(?:to|cc|bcc|recipients?|e?mails?|emails?|address(?:es)?|iban|accounts?|payee|phone|number|url|uri|link|website|domains?|hosts?|path|file|filename|folder|users?|username|channel|contacts?|guests?|participants?|attendees?|members?|ids?|command|customer|repo|repository|destination|receiver|beneficiary)$|Ids?$/i

function inferFamily(name: string, properties: readonly string[]): ToolFamily {
  const family = familyOf(name)
  if (family !== 'unknown') return family
  if (properties.some((property) => URL_PARAM.test(property))) return 'network'
  return properties.some((property) => PATH_PARAM.test(property)) ? 'filesystem' : 'unknown'
}

const MOST_TARGETS = 256

/** Throws when there are too many to judge: what nobody looked at would pass. */
function distinct(targets: readonly TargetFact[]): TargetFact[] {
  const each = [...new Map(targets.map((target) => [target.value, target])).values()]
  if (each.length > MOST_TARGETS) {
    throw new WritError('TARGETS_TOO_MANY', `the call is aimed at ${each.length}, more than ${MOST_TARGETS}`, {
      hint: 'Make several calls.',
    })
  }
  return each
}

function targetsOf(args: unknown, params: readonly string[]): TargetFact[] {
  if (typeof args !== 'object' || args === null) return []
  return distinct(
    Object.entries(args)
      .filter(([param]) => params.includes(param))
      .flatMap(([param, value]) =>
        leavesOf(value).flatMap((leaf) => (param === 'command' ? inCommand(leaf) : [targetOf(leaf)])),
      ),
  )
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(leavesOf)
}

/** Whom or what a task in plain words could be aimed at. */
export function targetsIn(text: string): TargetFact[] {
  return distinct(distinctIn(text).map(targetOf))
}

function inCommand(command: string): TargetFact[] {
  const named = command.split(/[\s"'|;&<>]+/).filter((word) => /[@/]|\.\p{L}{2,}/u.test(word))
  return named.map(targetOf)
}

function targetOf(value: string): TargetFact {
  return { kind: kindOf(value.trim()), value: value.trim() }
}

function kindOf(value: string): TargetFact['kind'] {
  if (/^[^\s@<>]+@[^\s@]+\.[^\s@]+$/.test(value)) return 'email'
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return 'url'
  if (
    /^(?:www\.)?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.(?!(?:txt|md|json|csv|pdf|docx?|xlsx?|png|jpe?g|html?|ya?ml|ts|js|py|sh|log)$)\p{L}{2,}(?:[/?#]\S*)?$/u.test(
      value,
    )
  ) {
    return /[/?#]/.test(value) ? 'url' : 'host'
  }
  if (/^[A-Z]{2}\d{2}[ A-Z0-9]{8,34}$/i.test(value) || /^\d{3,4}(?:-\d{3,6}){2,3}$/.test(value)) return 'account'
  if (/^\+\d[\d ()-]{6,}$/.test(value)) return 'phone'
  if (/^(?:~|\.{0,2})\/|^[A-Z]:\\/.test(value)) return 'path'
  return 'name'
}
