/** Stage 8: may these paths be touched, these hosts be called, these commands be run? */
import { present } from '../../base/present.ts'
import { matchesWildcards } from '../../base/wildcards.ts'
import { gateTexts } from '../../i18n/gate.ts'
import { whysText, whyText } from '../../i18n/why.ts'
import type { CommandFact, HostFact, PathFact } from '../../protocol/facts.ts'
import type { ContentCode, Objection } from '../../protocol/verdict.ts'
import { matchesDomain } from '../domain.ts'
import { type ActionInput, type GateInput, isTool, type ToolInput } from '../gate-input.ts'

export function content(input: GateInput): Objection[] {
  if (!isTool(input)) return actionContent(input)
  const texts = gateTexts(input.state.lang)
  const { facts } = input
  const objections = [
    ...(facts.paths ?? []).flatMap((path) => pathRule(input, path)),
    ...(facts.hosts ?? []).flatMap((host) => hostRule(input, host)),
    ...commandRule(input),
  ]
  if (facts.configKeys !== undefined && facts.configKeys.length > 0) {
    objections.push(refuse('CONFIG_LOCKED', texts.configLocked(facts.configKeys)))
  }
  // Unchecked does not mean harmless.
  if (facts.unchecked !== undefined)
    objections.push(refuse(undefined, texts.unchecked(whyText(facts.unchecked, input.state.lang))))
  return objections
}

function refuse(code: ContentCode | undefined, message: string): Objection {
  const objection: Objection = {
    stage: 'content',
    reason: 'PRE_VALIDATE_REJECTED',
    rule: 'deny',
    effect: 'recover',
    message,
  }
  return { ...objection, ...present({ code }) }
}

function pathRule({ state, policy }: ToolInput, fact: PathFact): Objection[] {
  const texts = gateTexts(state.lang)
  if (!fact.insideWorkspace) return [refuse('PATH_OUTSIDE_WORKSPACE', texts.pathOutside(fact.path))]
  if (fact.isProtected && fact.access === 'write') return [refuse('CONFIG_LOCKED', texts.pathProtected(fact.path))]
  if (fact.isClosed === true) return [refuse('PATH_BLOCKED', texts.pathClosed(fact.path))]
  const blocked = policy.security.blockedPaths.find((entry) => covers(entry, fact))
  if (blocked === undefined) return []
  const objection = refuse('PATH_BLOCKED', texts.pathBlocked(fact.path, blocked))
  return [{ ...objection, hint: texts.pathBlockedHint(blocked) }]
}

/** An action may target what was observed outside the workspace; a blocked path is blocked everywhere. */
function actionContent({ proposal, facts, state, policy }: ActionInput): Objection[] {
  const { action_type, target } = proposal.action
  if (target === null || action_type === 'NoOp') return []
  const texts = gateTexts(state.lang)
  const fact = facts.files?.find(({ path }) => path === target) ?? { path: target, real: target }
  const skipped = (message: string): Objection[] => [{ ...refuse('PATH_BLOCKED', message), effect: 'skip' }]
  if ('isClosed' in fact && fact.isClosed === true) return skipped(texts.pathClosed(target))
  const blocked = policy.security.blockedPaths.find((entry) => covers(entry, fact))
  return blocked === undefined ? [] : skipped(texts.pathBlocked(target, blocked))
}

/**
 * An entry covers itself and everything below it, ignoring case, since some file systems do; a bare name matches
 * anywhere. `*` and `?` match within one name.
 */
export function covers(entry: string, { path, real }: Pick<PathFact, 'path' | 'real'>): boolean {
  const bare = entry.replace(/\/+$/, '').toLowerCase()
  if (bare === '') return false
  const places = [path.toLowerCase(), real.toLowerCase()]
  if (/[*?]/.test(bare)) return places.some((where) => matchesPattern(bare, where))
  if (!bare.includes('/')) return places.some((where) => where.split('/').includes(bare))
  return places.some((where) => `/${where}/`.replace(/\/+/g, '/').includes(`/${bare}/`.replace(/\/+/g, '/')))
}

function matchesPattern(pattern: string, where: string): boolean {
  const wanted = pattern.split('/').filter((part) => part !== '')
  const names = where.split('/').filter((part) => part !== '')
  const starts = pattern.startsWith('/') ? [0] : names.map((_, at) => at)
  return starts.some((at) => wanted.every((part, i) => matchesWildcards(part, names[at + i] ?? '')))
}

/** True when `allowed` lists this host and port: the only way to open a closed address. */
export function isNamed({ host, port }: Pick<HostFact, 'host' | 'port'>, allowed: readonly string[]): boolean {
  return allowed.some((entry) => plainEntry(entry) === `${host}:${port}`)
}

/** An entry of `allowedHosts` as facts spell it: `localhost:80` for `LocalHost:80`, `::1:80` for `[::1]:80`. */
export function plainEntry(entry: string): string {
  return entry.toLowerCase().replace(/[[\]]/g, '')
}

function hostRule({ proposal, facts, state, policy }: ToolInput, fact: HostFact): Objection[] {
  const texts = gateTexts(state.lang)
  const { allowedHosts, toolHosts } = policy.security
  const service = toolHosts?.[proposal.tool]
  const allowedDomains = service ?? policy.security.allowedDomains
  const allowedMethods = service === undefined ? policy.security.allowedMethods : undefined
  const objections: Objection[] = []
  const closed = fact.address !== undefined && fact.address !== 'public'
  const opened = fact.address !== 'metadata' && isNamed(fact, allowedHosts)
  // Git's ssh goes through the same proxy as its web requests; nothing else may use ssh.
  const isKnown = ['http', 'https'].includes(fact.scheme) || (fact.scheme === 'ssh' && facts.family === 'vcs')
  if (!isKnown || (closed && !opened)) {
    const message =
      fact.host === ''
        ? texts.notWebAddress(fact.url)
        : texts.hostForbidden(fact.host, fact.port, fact.address ?? fact.scheme)
    objections.push(refuse('HOST_FORBIDDEN', message))
  }
  if (allowedDomains !== undefined && !allowedDomains.some((entry) => matchesDomain(entry, fact))) {
    objections.push(refuse('DOMAIN_NOT_ALLOWED', texts.domainNotAllowed(fact.host, allowedDomains)))
  }
  if (allowedMethods !== undefined && !allowedMethods.includes(fact.method)) {
    objections.push(refuse('METHOD_NOT_ALLOWED', texts.methodNotAllowed(fact.method, allowedMethods)))
  }
  return objections
}

/** The one content rule a person may lift: a command that is not on the list. */
function commandRule({ facts, state, policy }: ToolInput): Objection[] {
  const { command } = facts
  if (command === undefined) return []
  const texts = gateTexts(state.lang)
  const unlisted = unlistedCommands(command, policy.security.allowedCommands)
  if (command.unparsed === undefined && unlisted.length === 0) return []
  const message =
    command.unparsed === undefined
      ? texts.commandNotListed(unlisted)
      : texts.commandUnparsed(whysText(command.unparsed, state.lang))
  return [{ ...refuse('COMMAND_FORBIDDEN', message), rule: 'ask' }]
}

/** Without a list, every command whose class is known counts as listed. */
export function unlistedCommands({ bases, uses }: CommandFact, listed: readonly string[] | undefined): string[] {
  if (listed !== undefined) return listed.includes('*') ? [] : bases.filter((base) => !listed.includes(base))
  if (uses === undefined) return bases
  return uses.filter((use) => use.class === 'unknown').map(({ words }) => words[0] ?? '')
}
