/** Rules by what they name, so that a call is only compared with rules that can apply to it. */
import type { CommandUse } from '../../protocol/command.ts'
import type { LayeredRule } from '../../protocol/rule.ts'
import { programOf, type RuledCall } from './call.ts'
import { folded, hasWildcard } from './glob.ts'
import { type CompiledRule, compileRule, listed, namesInPattern, splitWords } from './match.ts'

interface Ordered extends CompiledRule {
  order: number
}

/** A rule is in the first of these that fits. */
interface RuleIndex {
  size: number
  /** Under both words of `git push`, or under `git` where the second word is not fixed. */
  byProgram: Map<string, Ordered[]>
  programs: Set<string>
  byTool: Map<string, Ordered[]>
  byFolder: Map<string, Ordered[]>
  byHost: Map<string, Ordered[]>
  byClass: Map<string, Ordered[]>
  others: Ordered[]
}

const indexes = new WeakMap<readonly LayeredRule[], RuleIndex>()

/** In the order they are written. */
export function rulesFor(rules: readonly LayeredRule[], call: RuledCall, use: CommandUse | undefined): CompiledRule[] {
  if (rules.length === 0) return []
  const found = new Set(indexOf(rules).others)
  const add = (index: Map<string, Ordered[]>, key: string) => {
    for (const rule of index.get(key) ?? []) found.add(rule)
  }
  const { byProgram, programs, byTool, byFolder, byHost, byClass } = indexOf(rules)
  if (use !== undefined) {
    for (const words of [use.words, use.means ?? []])
      for (const name of new Set([programOf({ ...use, words }), words[0] ?? ''])) {
        if (!programs.has(name)) continue
        add(byProgram, name)
        // Options may stand before the word, so it can be any of them.
        for (const word of words.slice(1)) add(byProgram, `${name}\n${word}`)
      }
    add(byClass, use.class)
  }
  add(byTool, call.tool.folded)
  if (byFolder.size > 0)
    for (const { real } of [...call.paths, ...call.guesses()]) for (const name of real.folded) add(byFolder, name)
  if (byHost.size > 0) for (const { host } of call.hosts) for (const name of domainsOf(host)) add(byHost, name)
  const matching = [...found].filter(({ matches }) => matches(call, use))
  return matching.length < 2 ? matching : matching.sort((a, b) => a.order - b.order)
}

function indexOf(rules: readonly LayeredRule[]): RuleIndex {
  const known = indexes.get(rules)
  if (known !== undefined && known.size === rules.length) return known
  const index: RuleIndex = {
    size: rules.length,
    byProgram: new Map(),
    programs: new Set(),
    byTool: new Map(),
    byFolder: new Map(),
    byHost: new Map(),
    byClass: new Map(),
    others: [],
  }
  for (const [order, rule] of rules.entries()) {
    // Wherever it comes from: a project cannot allow.
    if (rule.layer === 'project' && rule.decide === 'allow') continue
    place({ ...compileRule(rule), order }, index)
  }
  indexes.set(rules, index)
  return index
}

function place(compiled: Ordered, index: RuleIndex): void {
  const { tool, when = {} } = compiled.rule
  const { byProgram, byTool, byFolder, byHost, byClass, others } = index
  const keys =
    keyed(byProgram, when.command, commandIn) ??
    keyed(byTool, tool, (pattern) => literal(folded(pattern))) ??
    keyed(byFolder, when.path, (pattern) => namesInPattern(folded(pattern)).findLast((name) => literal(name))) ??
    keyed(byHost, when.host, domainIn) ??
    keyed(byClass, when.class, (name) => name)
  if (keys === undefined) others.push(compiled)
  if (keys?.index === byProgram) for (const key of keys.found) index.programs.add(key.split('\n')[0] ?? '')
  for (const key of keys?.found ?? []) keys?.index.set(key, [...(keys.index.get(key) ?? []), compiled])
}

/** Undefined when one of the patterns has no key: the rule must be compared with every call. */
function keyed<T>(
  index: Map<string, Ordered[]>,
  patterns: T | readonly T[] | undefined,
  keyOf: (pattern: T) => string | undefined,
): { index: Map<string, Ordered[]>; found: Set<string> } | undefined {
  if (patterns === undefined) return undefined
  const found = listed(patterns).map(keyOf)
  return found.every((key) => key !== undefined) ? { index, found: new Set(found) } : undefined
}

function commandIn(pattern: string): string | undefined {
  const [program, second] = splitWords(pattern).map(literal)
  return program === undefined || second === undefined ? program : `${program}\n${second}`
}

function literal(word: string | undefined): string | undefined {
  return word === undefined || word === '' || hasWildcard(word) ? undefined : word
}

/** `*.example.com` and `example.com:8080` are found under `example.com`. */
function domainIn(pattern: string): string | undefined {
  const name = pattern.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
  return literal(name.startsWith('*.') ? name.slice(2) : name)
}

/** `a.b.c`: `a.b.c`, `b.c`, `c`. */
function domainsOf(host: string): string[] {
  const names = host.split('.')
  return names.map((_, i) => names.slice(i).join('.'))
}
