/**
 * Does a rule apply to a call? An allow must cover all of it: every path, every host, the exact spelling. A deny or an
 * ask applies when any part matches, however it is spelled.
 */
import type { CommandUse } from '../../protocol/command.ts'
import type { HostFact } from '../../protocol/facts.ts'
import type { LayeredRule, Rule, RuleComparison, RuleCondition, RulePatterns } from '../../protocol/rule.ts'
import { programOf, type RuledCall, type RuledPath } from './call.ts'
import { folded, hasWildcard, matchesGlob, matchesPath } from './glob.ts'

type Check = (call: RuledCall, use: CommandUse | undefined) => boolean

export interface CompiledRule {
  rule: LayeredRule
  matches: Check
  /** It names this command, or every target of this call, without wildcards. */
  isExact: Check
}

export function compileRule(rule: LayeredRule): CompiledRule {
  return { rule, matches: compile(rule), isExact: compileExact(rule) }
}

function compile({ tool, when = {}, decide }: Rule): Check {
  const isAllow = decide === 'allow'
  const checks = [
    // What is not understood is not allowed in advance.
    isAllow && (({ facts }: RuledCall) => facts.command?.unparsed === undefined),
    isAllow && coverCheck(when),
    tool !== undefined && toolCheck(tool, isAllow),
    when.family !== undefined && includesCheck(when.family, ({ facts }) => facts.family),
    when.deed !== undefined && includesCheck(when.deed, ({ facts }) => facts.deed),
    when.class !== undefined && includesCheck(when.class, (_, use) => use?.class),
    when.command !== undefined && commandCheck(when.command, isAllow),
    when.flags !== undefined && flagCheck(when.flags, isAllow),
    (when.path ?? when.access) !== undefined && pathCheck(when, isAllow),
    (when.host ?? when.method) !== undefined && hostCheck(when, isAllow),
    when.args !== undefined && argsCheck(when.args, isAllow),
  ].filter((check) => check !== false)
  return (call, use) => checks.every((check) => check(call, use))
}

/**
 * An allow that names a host, a path or an argument says nothing about other commands of the line: it covers a download
 * from that host, or a change of that path, and never a program that is not known.
 */
function coverCheck({
  command,
  class: classes,
  flags,
  host,
  method,
  path,
  access,
  args,
}: RuleCondition): Check | false {
  if ((command ?? classes ?? flags) !== undefined) return false
  const [byHost, byPath] = [(host ?? method) !== undefined, (path ?? access) !== undefined]
  if (!byHost && !byPath && args === undefined) return false
  return ({ facts }, use) => {
    if (use === undefined || use.class === 'read') return true
    if (byHost && use.class === 'fetch') return byPath || (facts.paths ?? []).every((fact) => fact.access === 'read')
    return byPath && use.class === 'change'
  }
}

/** The same rule without its wildcard patterns, if it still names a command or a target. */
function compileExact(rule: LayeredRule): Check {
  const { tool, when = {}, decide } = rule
  if (decide !== 'allow') return () => false
  const plain = (patterns: RulePatterns | undefined) =>
    listed(patterns ?? []).filter((pattern) => !hasWildcard(pattern))
  const [command, path, host] = [plain(when.command), plain(when.path), plain(when.host)]
  const named = compile({
    ...rule,
    when: {
      ...when,
      ...(command.length > 0 && { command }),
      ...(path.length > 0 && { path }),
      ...(host.length > 0 && { host }),
    },
  })
  const isTarget =
    plain(tool).length > 0 &&
    (when.path ?? when.host) !== undefined &&
    (when.path === undefined || path.length > 0) &&
    (when.host === undefined || host.length > 0)
  return (call, use) => {
    const isNamed = use === undefined ? isTarget : command.length > 0 && use.unknownFrom === undefined
    return isNamed && named(call, use)
  }
}

export function listed<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [value as T]
}

function toolCheck(tool: RulePatterns, isAllow: boolean): Check {
  if (isAllow) return (call) => listed(tool).some((pattern) => matchesGlob(pattern, call.tool.exact))
  const wanted = listed(tool).map(folded)
  return (call) => wanted.some((pattern) => matchesGlob(pattern, call.tool.folded))
}

function includesCheck<T>(
  wanted: T | readonly T[],
  found: (call: RuledCall, use: CommandUse | undefined) => T | undefined,
): Check {
  const list = listed(wanted)
  return (call, use) => {
    const value = found(call, use)
    return value !== undefined && list.includes(value)
  }
}

function commandCheck(command: RulePatterns, isAllow: boolean): Check {
  const wanted = listed(command).map(splitWords)
  const fits = isAllow ? matchesWords : matchesLoosely
  const spellings = (use: CommandUse) =>
    isAllow || use.means === undefined ? [use] : [use, { ...use, words: use.means }]
  return (_, use) => use !== undefined && spellings(use).some((one) => wanted.some((pattern) => fits(pattern, one)))
}

function matchesWords(pattern: readonly string[], { words, unknownFrom = words.length }: CommandUse): boolean {
  const isOpen = pattern.at(-1) === '*'
  const fixed = isOpen ? pattern.slice(0, -1) : pattern
  if (isOpen ? words.length < fixed.length : words.length !== fixed.length) return false
  return fixed.every((part, i) => (part === '*' || i < unknownFrom) && matchesGlob(part, words[i] ?? ''))
}

/** Options, with or without a value, may stand between the words: `git -C x push` is a `git push`. */
function matchesLoosely(pattern: readonly string[], use: CommandUse): boolean {
  if (matchesWords(pattern, use)) return true
  const { words, unknownFrom = words.length } = use
  if (!words[0]?.includes('/') && !words.some((word) => word.startsWith('-'))) return false
  const isOpen = pattern.at(-1) === '*'
  const fixed = isOpen ? pattern.slice(0, -1) : pattern
  const failed = new Set<number>()
  const wordAt = (i: number) => (i === 0 ? programOf(use) : (words[i] ?? ''))
  const from = (p: number, w: number): boolean => {
    if (p === fixed.length) return isOpen || w === words.length
    if (w >= words.length || failed.has(p * words.length + w)) return false
    const part = fixed[p] ?? ''
    const isHere = (part === '*' || w < unknownFrom) && matchesGlob(part, wordAt(w))
    if (isHere && from(p + 1, w + 1)) return true
    if (p > 0 && words[w]?.startsWith('-') && (from(p, w + 1) || from(p, w + 2))) return true
    failed.add(p * words.length + w)
    return false
  }
  return from(0, 0)
}

/** Words of a pattern, split at blanks; a part in double quotes is one word. */
export function splitWords(pattern: string): string[] {
  return [...pattern.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)
}

function flagCheck(flags: RulePatterns, isAllow: boolean): Check {
  const list = listed(flags)
  return (_, use) =>
    use !== undefined && list.some((flag) => use.words.slice(1).some((word) => isFlag(word, flag, isAllow)))
}

/** `--force=x` has `--force`; `-xf` has `-f`. For asking and denying, `--forc` has it too. */
function isFlag(word: string, flag: string, isAllow: boolean): boolean {
  const [name = ''] = word.split('=')
  if (name === flag) return true
  if (flag.startsWith('--')) return !isAllow && name.length > 3 && flag.startsWith(name)
  return /^-[^-]/.test(word) && flag.length === 2 && name.slice(1).includes(flag.slice(1))
}

function pathCheck({ path, access }: NonNullable<Rule['when']>, isAllow: boolean): Check {
  const patterns = path === undefined ? undefined : listed(path).map((pattern) => compilePath(pattern, isAllow))
  const covered = (used: RuledPath) =>
    (access === undefined || used.access === access) &&
    (patterns === undefined || patterns.some((pattern) => pattern(used)))
  if (isAllow) return ({ paths }) => paths.length > 0 && paths.every(covered)
  return ({ paths, guesses }) => paths.some(covered) || guesses().some(covered)
}

function compilePath(pattern: string, isAllow: boolean): (used: RuledPath) => boolean {
  const isAbsolute = pattern.startsWith('/')
  const names = namesInPattern(pattern)
  if (isAllow) {
    return ({ real, inside }) => {
      const place = isAbsolute ? real : inside
      return place !== undefined && matchesPath(names, place.exact)
    }
  }
  const wanted = names.map(folded)
  return ({ real, inside }) => {
    const place = isAbsolute ? real : inside
    return place !== undefined && (matchesPath(wanted, place.folded) || matchesPath([...wanted, '**'], place.folded))
  }
}

/** `.` is the workspace with all it contains. */
export function namesInPattern(pattern: string): string[] {
  const plain = pattern.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '')
  if (plain === '' || plain === '.') return pattern.startsWith('/') ? ['', '**'] : ['**']
  return plain.split('/')
}

function hostCheck({ host, method }: NonNullable<Rule['when']>, isAllow: boolean): Check {
  const names = host === undefined ? undefined : listed(host).map((name) => name.toLowerCase().replace(/\.$/, ''))
  const methods = method === undefined ? undefined : listed(method).map((name) => name.toUpperCase())
  const covered = (fact: HostFact) =>
    (names === undefined || names.some((name) => coversHost(name, fact, isAllow))) &&
    (methods === undefined
      ? !isAllow || READING.test(fact.method ?? '') || !/^https?$/.test(fact.scheme)
      : methods.some((name) => matchesGlob(name, fact.method ?? '')))
  return ({ hosts }) => (isAllow ? hosts.length > 0 && hosts.every(covered) : hosts.some(covered))
}

/** A host that is allowed without a method may be read from; without a port, at the usual one. */
const READING = /^(GET|HEAD|OPTIONS)$/i

function coversHost(pattern: string, { host, port, scheme }: HostFact, isAllow: boolean): boolean {
  if (/:\d+$/.test(pattern)) return matchesGlob(pattern, `${host}:${port}`)
  return matchesGlob(pattern, host) && (!isAllow || isUsualPort(scheme, port))
}

/** Other schemes than those of the web have ports of their own. */
export function isUsualPort(scheme: string, port: number): boolean {
  return scheme === 'https' ? port === 443 : scheme === 'http' ? port === 80 : true
}

function argsCheck(args: NonNullable<Rule['when']>['args'] & object, isAllow: boolean): Check {
  const wanted = Object.entries(args).map(([pointer, comparison]) => ({ keys: keysOf(pointer), comparison }))
  const compares = isAllow ? comparesExactly : comparesLoosely
  return (call) => wanted.every(({ keys, comparison }) => compares(comparison, valueAt(call.args, keys)))
}

function keysOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Own keys only, never those of a prototype. */
function valueAt(args: unknown, keys: readonly string[]): unknown {
  let value = args
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

function comparesExactly(wanted: RuleComparison, found: unknown): boolean {
  if (found === undefined) return false
  if (typeof wanted === 'string') return typeof found === 'string' && matchesGlob(wanted, found)
  if (typeof wanted !== 'object' || wanted === null) return found === wanted
  const { not, ...limits } = wanted
  return isBetween(limits, found) && (not === undefined || found !== not)
}

/** `"100"` is 100, and a missing argument is not the value that is excepted. */
function comparesLoosely(wanted: RuleComparison, found: unknown): boolean {
  const text = (value: unknown) => folded(String(value))
  if (typeof wanted === 'object' && wanted !== null) {
    const { not, ...limits } = wanted
    const value = typeof found === 'string' && found.trim() !== '' ? Number(found) : found
    return isBetween(limits, value) && (not === undefined || text(found) !== text(not))
  }
  if (found === undefined) return false
  return typeof wanted === 'string' ? matchesGlob(folded(wanted), text(found)) : text(found) === text(wanted)
}

function isBetween({ above, below }: { above?: number; below?: number }, found: unknown): boolean {
  if (above === undefined && below === undefined) return true
  return typeof found === 'number' && (above === undefined || found > above) && (below === undefined || found < below)
}
