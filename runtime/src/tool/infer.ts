/**
 * Infers what an undeclared tool does from its name, description, schema and hints. A name that says "send" outweighs a
 * hint that says read-only: the hint comes from an untrusted source.
 */

import { isObject, type JsonObject } from '../base/json.ts'
import { WritError } from '../errors/writ-error.ts'
import { DEED_WORDS } from '../gate/deed-words.ts'
import { familyOf } from '../intent/families.ts'
import { addressesAndIds, addressKind, URL_IN_TEXT } from '../language/addresses.ts'
import { identifierWords } from '../language/words.ts'
import { DEEDS, type Deed, type TargetFact } from '../protocol/facts.ts'
import type { ToolFamily } from '../protocol/intent.ts'
import type { RiskLevel } from '../protocol/risk.ts'
import { readsOnly } from './guard/reads-only.ts'

/** A tool as its owner describes it; what it does is inferred from that. */
export interface DeclaredTool {
  name: string
  description?: string
  schema?: JsonObject
  family?: ToolFamily
  risk?: RiskLevel
  /** Declared by the user. Trusted, unlike a hint. */
  readOnly?: boolean
  /** What a call does, declared by the user. A more exact name takes precedence. */
  deed?: Deed
  annotations?: { readOnlyHint?: boolean }
  /** Arguments that name the target of a call. */
  targetParams?: readonly string[]
}

export interface Inferred {
  family: ToolFamily
  /** At most Medium; only a declaration makes a tool High. */
  risk: RiskLevel
  readOnly: boolean
  /** A tool that runs commands only reads with some of them. */
  deedOf(args: unknown): Deed
  targetsOf(args: unknown): TargetFact[]
}

const words = (list: string) => list.split(' ').filter((word) => word !== '')
const READ_VERBS = new Set(
  words(
    'get list search read find view fetch query check lookup retrieve show describe count download access inspect explore summarize summarise calculate compute compare translate detect analyze analyse validate preview browse scan monitor stat history status is has recommend estimate resolve_name echo ask navigate suggest rank',
  ),
)
const deedsByWord = (kind: 'verbs' | 'nouns') =>
  new Map<string, Deed>(
    [...DEEDS]
      .reverse()
      .flatMap((deed) =>
        deed === 'read' || deed === 'browse'
          ? []
          : words(DEED_WORDS[deed][kind] ?? '').map((word) => [word, deed] as const),
      ),
  )
const VERB_DEEDS = deedsByWord('verbs')
const NOUN_DEEDS = deedsByWord('nouns')
for (const [word, deed] of [
  ['reply', 'send'],
  ['respond', 'send'],
  ['submit', 'send'],
  ['transfer', 'payment'],
  ['reset', 'account'],
  ['login', 'write'],
  ['logout', 'write'],
  ['turn', 'write'],
  ['switch', 'write'],
  ['toggle', 'write'],
  ['promote', 'share'],
  ['elevate', 'write'],
  ['release', 'write'],
] as const)
  VERB_DEEDS.set(word, deed)

/** The object decides what a plain verb does: updating a password is more than an update. Of words with spaces between. */
const BY_OBJECT: readonly [Deed, RegExp][] = [
  // Where money, mail and visitors go from now on, and who gets back in: a change of these outlasts the run.
  [
    'account',
    /\b(?:payout (?:accounts?|methods?|address(?:es)?|details)|bank (?:accounts?|details)|ibans?|payees?|beneficiar(?:y|ies)|(?:auto )?forward(?:ing|er|ers)|recovery|mfa|two factor|authenticator|otp|totp|dns|nameservers?|mx records?|(?:mail|inbox|email) (?:filters?|rules?))\b/,
  ],
  [
    'share',
    /\b(?:admins?|administrators?|superusers?|owners?|ownership|privileges?|rights|public|publicly|visibility|visible)\b/,
  ],
  [
    'account',
    /^(?:update|modify|edit|change|set|replace|reset)(?: (?:user|my|account|contact|primary|login))? (?:e ?mails?|phone)(?: (?:address|number))?$/,
  ],
  ['payment', /\b(?:transactions?|payments?|money|funds|payouts?|transfers?|escrow)\b/],
  [
    'account',
    /\b(?:passwords?|passcodes?|credentials?|2fa|accounts?|personal|settings|keys?|tokens?|secrets?|webhooks?|salary|profile)\b/,
  ],
  ['share', /\b(?:permissions?|access|roles?|members?|sharing|guests?|collaborators?|participants?|attendees?)\b/],
]
const AMENDS = new Set(words('update modify edit change adjust reschedule'))
const QUALIFIED: readonly Deed[] = ['write', 'send', 'account']
/** Declared, these outweigh a vague name. */
const OUTWEIGHS: readonly Deed[] = ['exec', 'payment', 'delete', 'share', 'order', 'send']
const HARMLESS: readonly Deed[] = ['read', 'browse']
const GRAVE: readonly Deed[] = ['exec', 'payment', 'delete', 'share', 'account', 'order', 'send']

export function inferTool(declared: DeclaredTool): Inferred {
  const { name, description = '', schema = {}, family, annotations } = declared
  const byName = deedOf(tokensOf(name.replace(/^.*__/, '')))
  // A plain "add" or "access" in the name says less than what the user has declared.
  const isVague = byName === 'write' || byName === 'read'
  const exact = isVague && declared.deed !== undefined && OUTWEIGHS.includes(declared.deed) ? undefined : byName
  const deed =
    exact ??
    declared.deed ??
    deedOf(tokensOf(description).slice(0, 16).map(infinitive)) ??
    (annotations?.readOnlyHint === true ? 'read' : 'write')
  const hint = annotations?.readOnlyHint
  const certain =
    byName !== undefined && GRAVE.includes(byName) && tokensOf(name).some((word) => VERB_DEEDS.get(word) === byName)
  const readOnly = declared.readOnly ?? (hint === undefined ? HARMLESS.includes(deed) : hint && !certain)
  const properties = Object.keys((schema.properties as JsonObject | undefined) ?? {})
  const reaches = properties.some((property) => URL_PARAM.test(property))
  const settled = readOnly ? (reaches ? 'browse' : 'read') : deed === 'read' ? 'write' : deed
  const { targetParams, risk } = declared
  return {
    family: family ?? inferFamily(name, properties),
    risk: risk ?? (readOnly ? 'Low' : 'Medium'),
    readOnly,
    deedOf: (args) => (settled === 'exec' && runsReader(args) ? 'read' : settled),
    targetsOf: (args) =>
      distinct([
        ...targetsOf(args, targetParams ?? properties.filter((property) => TARGET_PARAM.test(property))),
        ...addressesIn(args, HARMLESS.includes(settled)),
      ]),
  }
}

/** `{ command: 'grep -rn price src', cwd: 'app' }` */
function runsReader(args: unknown): boolean {
  if (!isObject(args)) return false
  return (
    Object.entries(args).every(([key, value]) =>
      COMMAND_PARAM.test(key) ? typeof value === 'string' && readsOnly(value) : BESIDE_COMMAND.test(key),
    ) && Object.keys(args).some((key) => COMMAND_PARAM.test(key))
  )
}

const COMMAND_PARAM = /^(?:cmd|command|command_?line|line)$/i
/** Where and how long it runs, and what it is for. */
const BESIDE_COMMAND = /^(?:cwd|dir|directory|work(?:ing)?_?dir(?:ectory)?|timeout\w*|description|explanation)$/i

function deedOf(tokens: readonly string[]): Deed | undefined {
  const first = tokens.findIndex((word) => READ_VERBS.has(word) || VERB_DEEDS.has(word))
  const verb = tokens[first]
  // "search and delete" deletes; "get share link" reads.
  const joined = tokens.findIndex(
    (word, i) => i > first && (word === 'and' || word === 'or') && VERB_DEEDS.has(tokens[i + 1] ?? ''),
  )
  const next = tokens[joined + 1]
  if (verb !== undefined && READ_VERBS.has(verb) && (joined < 0 || next === undefined)) return 'read'
  const verbDeeds = [verb, joined < 0 ? undefined : next].flatMap((word) =>
    word === undefined ? [] : (VERB_DEEDS.get(word) ?? []),
  )
  const [nounDeed] = tokens.flatMap((word) => NOUN_DEEDS.get(word) ?? [])
  const deed = gravest(verbDeeds) ?? nounDeed
  if (deed === undefined || !QUALIFIED.includes(deed)) return deed
  const byObject = BY_OBJECT.find(([, object]) => object.test(tokens.join(' ')))?.[0] ?? deed
  // Changing a standing payment is a change; its recipient is still a target.
  return byObject === 'payment' && tokens.some((word) => AMENDS.has(word)) ? 'write' : byObject
}

function gravest(deeds: readonly Deed[]): Deed | undefined {
  return DEEDS.find((deed) => deeds.includes(deed))
}

function tokensOf(text: string): string[] {
  return identifierWords(text, 512)
}

/** Descriptions use "sends", "retrieves", "deletes". */
function infinitive(word: string): string {
  if (READ_VERBS.has(word) || VERB_DEEDS.has(word)) return word
  const bare = word.replace(/s$/, '')
  if (READ_VERBS.has(bare) || VERB_DEEDS.has(bare)) return bare
  return word.replace(/es$/, '')
}

const URL_PARAM = /^(?:url|uri|link|href|website|webpage|page_url|address_url|endpoint)s?$/i
const PATH_PARAM = /(?:^|_|[a-z](?=P))(?:path|file|filename|folder|directory)s?$/i
const NAME_PARAM =
  /(?:^|_)(?:person|people|users?|username|members?|assignees?|author|owner|teacher|doctor|employee|manager|reviewers?|element|selector|ref|table|column|field|key)$/i
const TARGET_PARAM =
  /(?:^|_|-|(?<=[a-z])(?=[A-Z]))(?:to|cc|bcc|recipients?|e?mails?|emails?|address(?:es)?|iban|accounts?|payee|phone|number|url|uri|link|website|domains?|hosts?|path|file|filename|folder|users?|username|channel|contacts?|guests?|participants?|attendees?|members?|ids?|command|customer|repo|repository|destination|receiver|beneficiary)$|Ids?$/i

function inferFamily(name: string, properties: readonly string[]): ToolFamily {
  const family = familyOf(name)
  if (family !== 'unknown') return family
  if (properties.some((property) => URL_PARAM.test(property))) return 'network'
  return properties.some((property) => PATH_PARAM.test(property)) ? 'filesystem' : 'unknown'
}

const MAX_TARGETS = 256

/** Throws when there are too many targets: the rest would pass unchecked. */
function distinct(targets: readonly TargetFact[]): TargetFact[] {
  const each = [...new Map(targets.map((target) => [target.value, target])).values()]
  if (each.length > MAX_TARGETS) {
    throw new WritError('TARGETS_TOO_MANY', { count: each.length, most: MAX_TARGETS })
  }
  return each
}

function targetsOf(args: unknown, params: readonly string[]): TargetFact[] {
  if (typeof args !== 'object' || args === null) return []
  return Object.entries(args)
    .filter(([param]) => params.includes(param))
    .flatMap(([param, value]) =>
      leavesOf(value).flatMap((leaf) => (param === 'command' ? inCommand(leaf) : [targetIn(param, leaf)])),
    )
}

/**
 * Where a call could connect to, whatever its parameters are called and whatever else was declared. What only reads has no
 * content that belongs to the user: there, links within a text count, too.
 */
function addressesIn(args: unknown, within: boolean): TargetFact[] {
  if (typeof args !== 'object' || args === null) return []
  return Object.entries(args).flatMap(([param, value]) =>
    leavesOf(value).flatMap((leaf): TargetFact[] => {
      const kind = addressKind(leaf)
      // "main.dev" in a parameter for files is a file.
      if (kind === 'host' && (PATH_PARAM.test(param) || isDottedName(param, leaf))) return []
      if (kind !== undefined) return [{ kind, value: leaf.trim() }]
      return within ? (leaf.match(URL_IN_TEXT) ?? []).map((url) => ({ kind: 'url', value: url })) : []
    }),
  )
}

/** "frank.odell" as a person, "public.users" as a table. What an address could carry is in a label before these two. */
function isDottedName(param: string, value: string): boolean {
  return NAME_PARAM.test(param) && /^\s*\p{L}+\.\p{L}+\s*$/u.test(value)
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(leavesOf)
}

/** Possible targets in a task written in plain words. */
export function targetsIn(text: string): TargetFact[] {
  return distinct(addressesAndIds(text).map(targetOf))
}

function inCommand(command: string): TargetFact[] {
  const named = command.split(/[\s"'|;&<>]+/).filter((word) => /[@/]|\.\p{L}{2,}/u.test(word))
  return named.map(targetOf)
}

function targetIn(param: string, value: string): TargetFact {
  return isDottedName(param, value) ? { kind: 'name', value: value.trim() } : targetOf(value)
}

function targetOf(value: string): TargetFact {
  return { kind: kindOf(value.trim()), value: value.trim() }
}

function kindOf(value: string): TargetFact['kind'] {
  const address = addressKind(value)
  if (address !== undefined) return address
  if (/^[^\s@<>]+@[^\s@]+\.[^\s@]+$/.test(value)) return 'email'
  if (/^[A-Z]{2}\d{2}[ A-Z0-9]{8,34}$/i.test(value) || /^\d{3,4}(?:-\d{3,6}){2,3}$/.test(value)) return 'account'
  if (/^\+\d[\d ()-]{6,}$/.test(value)) return 'phone'
  if (/^(?:~|\.{0,2})\/|^[A-Z]:\\/.test(value)) return 'path'
  return 'name'
}
