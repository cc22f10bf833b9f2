/**
 * Does a rule speak about a call? An allow must cover all of it: every path, every host, the exact spelling. A deny or
 * ask matches when any part of it does, however it is spelled.
 */
import type { CommandUse } from '../../protocol/command.ts'
import type { HostFact, PathFact } from '../../protocol/facts.ts'
import type { Comparison, Patterns, Rule, RuleCondition } from '../../protocol/rule.ts'
import type { ToolInput } from '../gate-input.ts'
import { hasWildcard, matchesGlob, matchesPath } from './glob.ts'

export function matches(rule: Rule, { proposal, facts }: ToolInput, use: CommandUse | undefined): boolean {
  const { tool, when = {}, decide } = rule
  const isAllow = decide === 'allow'
  // What is not understood is not allowed in advance.
  if (isAllow && facts.command?.unparsed !== undefined) return false
  const spelled = isAllow ? (text: string) => text : (text: string) => text.toLowerCase()
  const any = (patterns: Patterns | undefined, text: string) =>
    patterns === undefined || listed(patterns).some((pattern) => matchesGlob(spelled(pattern), spelled(text)))
  return (
    any(tool, proposal.tool) &&
    includes(when.family, facts.family) &&
    includes(when.deed, facts.deed) &&
    includes(when.class, use?.class) &&
    matchesCommand(when, use, isAllow) &&
    matchesPlaces(when, facts.paths ?? [], isAllow) &&
    matchesHosts(when, facts.hosts ?? [], isAllow) &&
    Object.entries(when.args ?? {}).every(([pointer, wanted]) => compares(wanted, valueAt(proposal.args, pointer)))
  )
}

/** True when an allow names this command, or its one target, without wildcards. */
export function isExact({ tool, when = {} }: Rule, use: CommandUse | undefined): boolean {
  const plain = (patterns: Patterns | undefined) =>
    patterns !== undefined && listed(patterns).every((pattern) => !hasWildcard(pattern))
  if (use !== undefined) return use.unknownFrom === undefined && plain(when.command)
  const named = [when.path, when.host].filter((patterns) => patterns !== undefined)
  return plain(tool) && named.length > 0 && named.every(plain)
}

function listed<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [value as T]
}

function includes<T>(wanted: T | readonly T[] | undefined, found: T | undefined): boolean {
  return wanted === undefined || (found !== undefined && listed(wanted).includes(found))
}

function matchesCommand({ command, flags }: RuleCondition, use: CommandUse | undefined, isAllow: boolean): boolean {
  if (command === undefined && flags === undefined) return true
  if (use === undefined) return false
  return (
    (command === undefined || listed(command).some((pattern) => matchesWords(splitWords(pattern), use))) &&
    (flags === undefined ||
      listed(flags).some((flag) => use.words.slice(1).some((word) => isFlag(word, flag, isAllow))))
  )
}

function matchesWords(pattern: readonly string[], { words, unknownFrom = words.length }: CommandUse): boolean {
  const isOpen = pattern.at(-1) === '*'
  const fixed = isOpen ? pattern.slice(0, -1) : pattern
  if (isOpen ? words.length < fixed.length : words.length !== fixed.length) return false
  return fixed.every((part, i) => (part === '*' || i < unknownFrom) && matchesGlob(part, words[i] ?? ''))
}

/** `--force=x` has `--force`; `-xf` has `-f`. For asking and denying, `--forc` has it too. */
function isFlag(word: string, flag: string, isAllow: boolean): boolean {
  const [name = ''] = word.split('=')
  if (name === flag) return true
  if (flag.startsWith('--')) return !isAllow && name.length > 3 && flag.startsWith(name)
  return /^-[^-]/.test(word) && flag.length === 2 && name.slice(1).includes(flag.slice(1))
}

function matchesPlaces({ path, access }: RuleCondition, paths: readonly PathFact[], isAllow: boolean): boolean {
  if (path === undefined && access === undefined) return true
  const used = access === undefined ? paths : paths.filter((fact) => fact.access === access)
  if (path === undefined) return isAllow ? paths.length > 0 && used.length === paths.length : used.length > 0
  const covered = (fact: PathFact) => listed(path).some((pattern) => coversPath(pattern, fact, isAllow))
  return isAllow ? used.length > 0 && used.every(covered) : used.some(covered)
}

function coversPath(pattern: string, { real, inside }: PathFact, isAllow: boolean): boolean {
  const place = pattern.startsWith('/') ? real : inside
  if (place === undefined) return false
  const wanted = pattern.replace(/^\.\//, '').replace(/\/+$/, '')
  if (isAllow) return matchesPath(wanted, place)
  const loose = [wanted.toLowerCase(), `${wanted.toLowerCase()}/**`]
  return loose.some((form) => matchesPath(form, place.toLowerCase()))
}

function matchesHosts({ host, method }: RuleCondition, hosts: readonly HostFact[], isAllow: boolean): boolean {
  if (host === undefined && method === undefined) return true
  const covered = (fact: HostFact) =>
    (host === undefined || listed(host).some((pattern) => coversHost(pattern.toLowerCase(), fact))) &&
    (method === undefined || listed(method).some((name) => name.toUpperCase() === fact.method))
  return isAllow ? hosts.length > 0 && hosts.every(covered) : hosts.some(covered)
}

function coversHost(pattern: string, { host, port }: HostFact): boolean {
  return matchesGlob(pattern, /:\d+$/.test(pattern) ? `${host}:${port}` : host)
}

function valueAt(args: unknown, pointer: string): unknown {
  let value = args
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

function compares(wanted: Comparison, found: unknown): boolean {
  if (found === undefined) return false
  if (typeof wanted === 'string') return typeof found === 'string' && matchesGlob(wanted, found)
  if (typeof wanted !== 'object' || wanted === null) return found === wanted
  const { above, below, not } = wanted
  const isNumber = typeof found === 'number'
  return (
    (above === undefined || (isNumber && found > above)) &&
    (below === undefined || (isNumber && found < below)) &&
    (not === undefined || found !== not)
  )
}

/** Words of a pattern, split at blanks; a part in double quotes is one word. */
export function splitWords(pattern: string): string[] {
  return [...pattern.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)
}
