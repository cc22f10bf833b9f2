/** `permission` in the settings of opencode. There the last entry that matches wins, here the strictest. */
import { isObject } from '../../base/json.ts'
import { RULE_DECISIONS, type RuleDecision } from '../../protocol/rule.ts'
import type { Imported, ImportNote, Match } from './imported.ts'
import { ANY_COMMAND, addRule, commandsOf, nothingImported, pathsOf } from './imported.ts'

interface Entry {
  tool: string
  pattern: string
  decide: RuleDecision
}

const FILE_TOOLS: Readonly<Record<string, 'read' | 'write'>> = {
  read: 'read',
  list: 'read',
  glob: 'read',
  grep: 'read',
  edit: 'write',
  write: 'write',
  patch: 'write',
}

export function importOpencode(settings: unknown): Imported {
  const imported = nothingImported()
  const permission = isObject(settings) ? settings.permission : undefined
  const given = typeof permission === 'string' ? { '*': permission } : isObject(permission) ? permission : {}
  const entries = Object.entries(given).flatMap(([tool, value]) => {
    const patterns = isObject(value) ? Object.entries(value) : [['*', value] as const]
    return patterns.flatMap(([pattern, decide]): Entry[] => {
      if (isDecision(decide)) return [{ tool, pattern, decide }]
      imported.notes.push({ entry: nameOf({ tool, pattern }), note: 'notUnderstood' })
      return []
    })
  })
  entries.forEach((entry, at) => {
    importEntry(imported, entry, entries.slice(at + 1))
  })
  return imported
}

function importEntry(imported: Imported, { tool, pattern, decide }: Entry, later: readonly Entry[]): void {
  const entry = `${nameOf({ tool, pattern })}: ${decide}`
  const note = (why: ImportNote) => {
    imported.notes.push({ entry, note: why })
  }
  const add = (match: Match) => addRule(imported, decide, { agent: 'opencode', entry }, match)
  const isAsk = pattern === '*' && decide === 'ask'
  const access = FILE_TOOLS[tool]
  if (isAsk && (tool === 'bash' || tool === '*')) note('isDefault')
  // A rule here would also hold for the exceptions that follow it there.
  else if (later.some((other) => isException(other, { tool, pattern, decide }))) {
    note(isAsk ? 'isDefault' : 'stricterWins')
  } else if (tool === '*') note(decide === 'allow' ? 'alwaysJudged' : 'noEquivalent')
  else if (tool === 'bash') {
    const { command, isExact } = pattern === '*' ? ANY_COMMAND : commandsOf(pattern, decide)
    if (!isExact) note('oneWord')
    add({ when: command === undefined ? { family: 'shell' } : { command } })
  } else if (access !== undefined) add({ when: { path: pattern === '*' ? '/**' : pathsOf(pattern), access } })
  else if (tool === 'webfetch' && decide === 'allow') note('hostsByName')
  else if (tool === 'webfetch' && pattern === '*') add({ tool: ['webfetch', 'http_request'] })
  else if (tool === 'websearch' && pattern === '*') add({ tool: 'websearch' })
  else note('noEquivalent')
}

function isException(other: Entry, { tool, pattern, decide }: Entry): boolean {
  return other.tool === tool && isLooser(other.decide, decide) && overlap(other.pattern, pattern)
}

/** Whether something may match both. */
function overlap(one: string, other: string): boolean {
  const [a, b] = [one, other].map((pattern) => pattern.replace(/\s*\*[\s\S]*/, ''))
  return a === undefined || b === undefined || a.startsWith(b) || b.startsWith(a)
}

function isLooser(decide: RuleDecision, than: RuleDecision): boolean {
  return RULE_DECISIONS.indexOf(decide) < RULE_DECISIONS.indexOf(than)
}

function isDecision(value: unknown): value is RuleDecision {
  return RULE_DECISIONS.some((decision) => decision === value)
}

function nameOf({ tool, pattern }: { tool: string; pattern: string }): string {
  return pattern === '*' ? tool : `${tool} "${pattern}"`
}
