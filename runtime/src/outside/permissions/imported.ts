/** Permission settings of other agents as rules: what both have in common. */
import type { Rule, RuleCondition, RuleDecision } from '../../protocol/rule.ts'

/** Why an entry is not, or not exactly, in the rules. */
export type ImportNote =
  /** `*` in the middle of a command stands for one word here. */
  | 'oneWord'
  /** Nothing here is like it. */
  | 'noEquivalent'
  /** Holds here without a rule. */
  | 'isDefault'
  /** An allow needs hosts by name. */
  | 'hostsByName'
  /** There a later entry wins, here the stricter. */
  | 'stricterWins'
  /** Everything is judged here; there is no mode without a check. */
  | 'alwaysJudged'
  /** Folders are opened by absolute path. */
  | 'absoluteFolder'
  /** Not understood, so it was left out. */
  | 'notUnderstood'

export interface Imported {
  rules: Rule[]
  /** Settings beside the rules, such as folders. */
  security: { autonomy?: 'ReadOnly' | 'Supervised'; writePaths?: string[] }
  notes: { entry: string; note: ImportNote }[]
}

export function nothingImported(): Imported {
  return { rules: [], security: {}, notes: [] }
}

/** One condition, or several of which one is enough. */
export interface Match {
  tool?: string | readonly string[]
  when?: RuleCondition
}

export function addRule(
  imported: Imported,
  decide: RuleDecision,
  from: { agent: string; entry: string },
  match: Match,
) {
  imported.rules.push({ ...match, decide, reason: `imported from ${from.agent}: ${from.entry}` })
}

/**
 * A command with `*`. Here a last `*` of its own is any further words, and one within a word stays in it; an ask or a
 * deny is widened to what the other agent would match, an allow is not.
 */
export function commandsOf(pattern: string, decide: RuleDecision): { command: string[]; isExact: boolean } {
  const text = pattern.replace(/:\*$/, ' *').trim().replace(/\s+/g, ' ')
  const isOpen = text.endsWith(' *')
  const fixed = isOpen ? text.slice(0, -2) : text
  const isGlued = /\S\*$/.test(fixed) && !isOpen
  const inside = /\*(?=.)/.test(fixed)
  if (decide === 'allow' || !inside) {
    return { command: isGlued ? [fixed, `${fixed} *`] : [text], isExact: !inside }
  }
  // Everything that begins like it.
  const before = fixed.slice(0, fixed.indexOf('*')).trim()
  return { command: before === '' ? ['* *'] : [`${before} *`, `${before}* *`], isExact: false }
}

/** Only such a folder can be opened for writing. */
export function isAbsoluteFolder(folder: string): boolean {
  return /^(?:\/|~\/)/.test(folder) && !folder.split('/').includes('..')
}

/** There an allow is for the tools that work on files, not for commands. */
export function filesOf(files: Required<Pick<RuleCondition, 'path' | 'access'>>, decide: RuleDecision): RuleCondition {
  return decide === 'allow' ? { ...files, family: 'filesystem' } : files
}

export const ANY_COMMAND = { command: undefined, isExact: true }

/**
 * Globs in the manner of `.gitignore`: a name without a slash is found at any depth, and a folder with all in it. One
 * that begins with `./` is found in its folder alone; an ask or a deny is widened to any depth.
 */
export function pathsOf(pattern: string, decide: RuleDecision): string[] {
  const text = pattern.replace(/^\.\/+/, '')
  if (text === '*' || text === '**' || text === '') return ['/**']
  const rooted = text.startsWith('/') || text.startsWith('~/') || (decide === 'allow' && text !== pattern)
  const anywhere = !rooted && !text.replace(/\/$/, '').includes('/')
  const path = text.replace(/\/$/, '')
  const bases = anywhere ? [path, `**/${path}`] : [path]
  return bases.flatMap((base) => (base.endsWith('*') && base.includes('/**') ? [base] : [base, `${base}/**`]))
}
