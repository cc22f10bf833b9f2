/** `permission` in the settings of opencode. There the last entry that matches wins, here the strictest. */
import { isObject } from '../../base/json.ts'
import { RULE_DECISIONS, type RuleDecision } from '../../protocol/rule.ts'
import type { Imported, ImportNote, Match } from './imported.ts'
import { ANY_COMMAND, addRule, commandsOf, filesOf, nothingImported, pathsOf } from './imported.ts'

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
    importEntry(imported, entry, outcomeOf(entries, at))
  })
  for (const entry of elsewhere(settings)) imported.notes.push({ entry, note: 'noEquivalent' })
  return imported
}

/** Restrictions of single agents, and of tools by the older setting. */
function elsewhere(settings: unknown): string[] {
  if (!isObject(settings)) return []
  const named = ['agent', 'mode'].flatMap((key) =>
    Object.entries(isObject(settings[key]) ? settings[key] : {}).flatMap(([name, own]) =>
      ['permission', 'tools'].flatMap((part) => (isObject(own) && part in own ? [`${key}.${name}.${part}`] : [])),
    ),
  )
  return 'tools' in settings ? ['tools', ...named] : named
}

interface Outcome {
  match?: Match
  note?: ImportNote
}

/** A rule, a note, or both. */
function outcomeOf(entries: readonly Entry[], at: number): Outcome {
  const entry = entries[at]
  if (entry === undefined) return {}
  const later = entries.map((other, i) => ({ other, i })).filter(({ other, i }) => i > at && overlap(other, entry))
  const isAsk = entry.pattern === '*' && entry.decide === 'ask'
  // A rule here would also hold for the exceptions that follow it there.
  if (later.some(({ other }) => isLooser(other.decide, entry.decide))) {
    return { note: isAsk ? 'isDefault' : 'stricterWins' }
  }
  // There a stricter entry follows that has no rule here, or only one for the names that tools have there.
  const isOverruled = ({ other, i }: { other: Entry; i: number }) =>
    isLooser(entry.decide, other.decide) && (/.\*|\*./.test(other.tool) || outcomeOf(entries, i).match === undefined)
  if (entry.decide !== 'deny' && later.some(isOverruled)) return { note: 'stricterWins' }
  return ruleFor(entry)
}

function ruleFor({ tool, pattern, decide }: Entry): Outcome {
  const isAllow = decide === 'allow'
  const access = FILE_TOOLS[tool]
  if (tool === '*') return isAllow ? { note: 'alwaysJudged' } : pattern === '*' ? { match: { tool: '*' } } : NO_RULE
  if (tool === 'bash') {
    const { command, isExact } = pattern === '*' ? ANY_COMMAND : commandsOf(pattern, decide)
    const match = { when: command === undefined ? ({ family: 'shell' } as const) : { command } }
    return isExact ? { match } : { match, note: 'oneWord' }
  }
  if (access !== undefined) {
    return { match: { when: filesOf({ path: pattern === '*' ? '/**' : pathsOf(pattern, decide), access }, decide) } }
  }
  if (tool === 'webfetch' && isAllow) return { note: 'hostsByName' }
  if (pattern !== '*' || OF_NO_TOOL.has(tool)) return NO_RULE
  if (tool === 'webfetch') return { match: { tool: ['webfetch', 'http_request'] } }
  return tool === 'websearch' || !isAllow ? { match: { tool } } : NO_RULE
}

const NO_RULE: Outcome = { note: 'noEquivalent' }
const OF_NO_TOOL = new Set(['external_directory', 'doom_loop'])

function importEntry(imported: Imported, { tool, pattern, decide }: Entry, { match, note }: Outcome): void {
  const entry = `${nameOf({ tool, pattern })}: ${decide}`
  if (note !== undefined) imported.notes.push({ entry, note })
  if (match !== undefined) addRule(imported, decide, { agent: 'opencode', entry }, match)
}

/** Whether a call may match both. */
function overlap(one: Entry, other: Entry): boolean {
  return meets(one.tool, other.tool) && (one.tool !== other.tool || meets(one.pattern, other.pattern))
}

function meets(one: string, other: string): boolean {
  const [a = '', b = ''] = [one, other].map((pattern) => pattern.replace(/\s*[*?][\s\S]*/, ''))
  const isOpen = (pattern: string) => /[*?]/.test(pattern)
  if (!isOpen(one) && !isOpen(other)) return one === other
  return a.startsWith(b) || b.startsWith(a)
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
