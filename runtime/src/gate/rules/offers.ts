/**
 * Rules worth remembering for a call that needs approval, the narrowest first. Each is tried before it is offered: a
 * rule that would not lift this question is not shown.
 */
import type { CommandClass, CommandUse } from '../../protocol/command.ts'
import type { HostFact, PathFact } from '../../protocol/facts.ts'
import type { LayeredRule, Rule } from '../../protocol/rule.ts'
import type { Offer } from '../../protocol/verdict.ts'
import { judge } from '../gate.ts'
import type { ToolInput } from '../gate-input.ts'
import { hasWildcard } from './glob.ts'
import { isUsualPort } from './match.ts'

export function offersFor(input: ToolInput): Offer[] {
  const offers = candidates(input).filter((rules) => rules.length > 0 && wouldAllow(input, rules))
  const texts = offers.map((rules) => JSON.stringify(rules))
  return offers.filter((_, i) => texts.indexOf(texts[i] ?? '') === i).map((rules) => ({ rules }))
}

/** As a rule of the user, which a remembered one is: what the user's own configuration asks about stays asked. */
function wouldAllow(input: ToolInput, rules: readonly Rule[]): boolean {
  const { policy } = input
  const layered = rules.map((rule): LayeredRule => ({ ...rule, layer: 'user', from: 'remembered' }))
  const security = { ...policy.security, rules: [...policy.security.rules, ...layered] }
  return judge({ ...input, policy: { ...policy, security } }).decision === 'allow'
}

function candidates({ proposal: { tool }, facts }: ToolInput): Rule[][] {
  const { command, paths = [], hosts = [] } = facts
  // Without the words of its commands, a rule could only name the whole shell.
  if (command !== undefined) return command.uses === undefined ? [] : lineRules(tool, command.uses)
  if (hosts.length > 0) return hostRules(tool, hosts)
  if (paths.length > 0) return pathRules(tool, paths)
  return [[{ tool, decide: 'allow' }]]
}

/** One set for each width, with a rule for every command of the line. */
function lineRules(tool: string, uses: readonly CommandUse[]): Rule[][] {
  const widths = uses.map(patternsFor)
  return [0, 1, 2].map((width) => {
    const rules = widths.map((patterns) => patterns[Math.min(width, patterns.length - 1)])
    if (rules.some((when) => when === undefined)) return []
    return unique(rules.map((when): Rule => ({ tool, when: when ?? {}, decide: 'allow' })))
  })
}

type CommandCondition = { command: string; class?: CommandClass }

/** Classes whose commands are alike enough to name only the program. */
const ALIKE: readonly CommandClass[] = ['read', 'build', 'fetch', 'change']
/** `status`, `test`, `build:docs`; not an option, a path or a number. */
const SUBCOMMAND = /^[a-z][a-z0-9:_-]*$/i
/** Their sub-command takes another name: `npm run build`, `docker compose up`. */
const TWO_NAMES = new Set(['run', 'compose', 'remote', 'stash', 'worktree', 'submodule', 'pr', 'issue', 'repo', 'tool'])

/** The exact words; up to the sub-command; the program. With a `*`, only commands of the same class. */
function patternsFor({ words, class: kind, unknownFrom = words.length }: CommandUse): CommandCondition[] {
  const patterns: CommandCondition[] = []
  const [program = '', first = '', second = ''] = words
  const known = words.slice(0, unknownFrom)
  if (unknownFrom === words.length && words.every(isPlainWord)) patterns.push({ command: spell(words) })
  if (program === '>' || program === '>>' || !known.slice(0, 3).every(isPlainWord)) return patterns
  const open = (count: number) => patterns.push({ command: spell([...words.slice(0, count), '*']), class: kind })
  if (unknownFrom > 1 && SUBCOMMAND.test(first)) {
    const named = TWO_NAMES.has(first) && unknownFrom > 2 && SUBCOMMAND.test(second)
    open(named ? 3 : 2)
  }
  if (unknownFrom > 0 && ALIKE.includes(kind)) open(1)
  return patterns
}

/** Can be written in a pattern and means itself there. */
function isPlainWord(word: string): boolean {
  return !hasWildcard(word) && !word.includes('"')
}

function spell(words: readonly string[]): string {
  return words.map((word) => (word === '' || /\s/.test(word) ? `"${word}"` : word)).join(' ')
}

function pathRules(tool: string, paths: readonly PathFact[]): Rule[][] {
  const written = paths.filter(({ access }) => access === 'write').map(({ inside, real }) => inside ?? real)
  if (written.length === 0 || written.some((path) => path === '' || hasWildcard(path))) return []
  const folders = written.map((path) => path.slice(0, path.lastIndexOf('/') + 1))
  const tops = written.map((path) => (path.startsWith('/') ? '' : path.slice(0, path.indexOf('/') + 1)))
  const rule = (path: string[]): Rule[] => [{ tool, when: { path: one(path), access: 'write' }, decide: 'allow' }]
  const below = (places: string[]) => (places.every((place) => place !== '') ? rule(places.map((at) => `${at}**`)) : [])
  return [rule(written), below(folders), below(tops)]
}

function hostRules(tool: string, hosts: readonly HostFact[]): Rule[][] {
  const names = [
    ...new Set(hosts.map(({ host, port, scheme }) => (isUsualPort(scheme, port) ? host : `${host}:${port}`))),
  ]
  if (names.some((name) => name === '' || hasWildcard(name))) return []
  const methods = [...new Set(hosts.map(({ method }) => method))]
  const rule = (when: Rule['when'] & object): Rule[] => [{ tool, when, decide: 'allow' }]
  return [rule({ host: one(names), method: one(methods) }), rule({ host: one(names) })]
}

function one(list: string[]): string | string[] {
  const [only = '', ...rest] = new Set(list)
  return rest.length === 0 ? only : [only, ...rest]
}

function unique(rules: readonly Rule[]): Rule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()]
}
